import type { Agent, RequestOptions } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { promisify } from 'node:util';
import { formText } from './addresses.js';
import { openConnection, sharedAgent } from './connections.js';
import { Deadlines } from './deadlines.js';
import { observe } from './diagnostics.js';
import { type LoginStep, UnreachableError } from './errors.js';
import { type Answer, Exchange, ExchangeFailure } from './exchange.js';
import { cleanText } from './redaction.js';
import { remembered } from './remembered.js';
import { retryPause } from './retries.js';

/** Most bytes of an answer: the largest documented record has a few kilobytes. */
const SIZE_LIMIT = 1_048_576;

/** An application's own reading of an error answer, in passport-oauth2's form; `null` where it has none. */
export type ErrorParser = (body: string, status: number) => Error | null;

/** A request to a network. */
export interface NetworkRequest {
  readonly step: LoginStep;
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Members of a form body, in order. */
  readonly form?: Readonly<Record<string, string>> | undefined;
  /** A body that is written already; its content type is in `headers`. */
  readonly body?: string;
  /** Everything in this request that no error may repeat. Collected only when an error needs it. */
  readonly secrets: () => readonly string[];
  /** Wins over our own reading. */
  readonly parseErrorResponse?: ErrorParser;
  /** How often a GET is repeated when the network does not answer or answers 502, 503 or 504. Default: never. */
  readonly retries?: number;
}

export interface TransportOptions {
  readonly provider: string;
  readonly agent: Agent | undefined;
  readonly timeout: number;
  readonly customHeaders: Readonly<Record<string, string>>;
}

/**
 * The one place that talks HTTP: a deadline and a size limit on each request, no redirect followed, text decoded
 * once, and every failure an {@link UnreachableError}.
 */
export class Transport {
  private readonly options: TransportOptions;
  /** Of every request; its own come last. */
  private readonly headers: Readonly<Record<string, string>>;
  /** Whether an application names the host itself. */
  private readonly hasHost: boolean;
  private readonly deadlines: Deadlines;
  private agent: Agent | undefined;
  /** An address in Node's terms: reading one costs more than the rest of a request's preparation. */
  private target = remembered((address) => this.targetOf(address));
  private clientSecrets: readonly string[] = [];

  constructor(options: TransportOptions) {
    this.options = options;
    this.headers = {
      'user-agent': 'passport-social-networks',
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...options.customHeaders,
    };
    this.hasHost = Object.keys(options.customHeaders).some((name) => name.toLowerCase() === 'host');
    this.agent = options.agent;
    this.deadlines = new Deadlines(options.timeout);
  }

  useAgent(agent: Agent): void {
    this.agent = agent;
    this.target = remembered((address) => this.targetOf(address));
  }

  /** What no error may repeat, whatever the request. */
  hide(secrets: readonly string[]): void {
    this.clientSecrets = secrets;
  }

  /**
   * Opens a connection for a request that will come soon; never throws. An application's own agent decides for itself, and with a
   * `Host` header of its own the certificate is another one.
   */
  prepare(address: string): void {
    if (this.agent || this.hasHost) return;
    try {
      openConnection(this.target(address));
    } catch {
      // It goes wrong again, and is reported, when the request is made.
    }
  }

  /**
   * @param read - Makes of the answer what the caller needs; what it throws is the request's outcome. Default: the answer.
   * @throws {@link UnreachableError} when there is no usable answer within the deadline.
   */
  send(request: NetworkRequest): Promise<Answer>;
  send<T>(request: NetworkRequest, read: (answer: Answer) => T): Promise<T>;
  async send(
    request: NetworkRequest,
    read: (answer: Answer) => unknown = (answer) => answer,
  ): Promise<unknown> {
    const { step, method } = request;
    const target = this.target(request.url);
    const retries = method === 'GET' ? (request.retries ?? 0) : 0;
    let isLate = false;
    let current: Exchange | undefined;
    const deadline = this.deadlines.begin(() => {
      isLate = true;
      current?.fail(late);
    });
    try {
      for (let attempt = 0; ; attempt += 1) {
        const observed = observe({ provider: this.options.provider, step, method, host: target.host ?? '' });
        let failure: unknown;
        let answer: Answer | undefined;
        try {
          current = this.exchange(request, target);
          if (isLate) current.fail(late);
          answer = await current.answer;
        } catch (error) {
          failure = error;
        }
        const wait = attempt < retries ? retryPause(attempt, answer, failure) : undefined;
        // A pause that cannot be followed by a whole exchange is not worth making: the answer in hand is the result.
        if (wait === undefined || performance.now() + wait >= deadline.end) {
          return observed.end(answer?.status, () => {
            if (!answer) throw this.unreachable(request, failure);
            this.refuseRedirect(request, answer);
            return read(answer);
          });
        }
        observed.retry(answer?.status);
        await promisify(setTimeout)(wait);
      }
    } finally {
      this.deadlines.end(deadline);
    }
  }

  private targetOf(address: string): RequestOptions {
    const url = new URL(address);
    const { protocol, hostname, port, path } = urlToHttpOptions(url);
    return { protocol, hostname, host: url.host, port, path, agent: this.agent ?? sharedAgent(url) };
  }

  private exchange(request: NetworkRequest, target: RequestOptions): Exchange {
    const body = request.form ? formText(request.form) : request.body;
    const headers: Record<string, string | number> = Object.assign({}, this.headers);
    if (request.form) headers['content-type'] = 'application/x-www-form-urlencoded';
    if (request.method !== 'GET') headers['content-length'] = Buffer.byteLength(body ?? '');
    Object.assign(headers, request.headers);
    const options = { method: request.method, headers, ...target };
    return new Exchange({ options, body, sizeLimit: SIZE_LIMIT });
  }

  private refuseRedirect(request: NetworkRequest, answer: Answer): void {
    if (answer.status < 300 || answer.status > 399) return;
    throw new UnreachableError({
      provider: this.options.provider,
      step: request.step,
      code: 'redirected',
      message: `HTTP ${answer.status} redirects to ${this.redirectHost(request, answer)}, and no redirect is followed with credentials.`,
      remedy: 'Check the address in the options: a missing slash or an old host is the usual cause.',
    });
  }

  private redirectHost(request: NetworkRequest, answer: Answer): string {
    try {
      const { host } = new URL(answer.headers.location ?? '', request.url);
      return cleanText(host, this.secretsOf(request)) ?? 'no host';
    } catch {
      return 'an unreadable address';
    }
  }

  private secretsOf({ secrets }: NetworkRequest): string[] {
    return [...secrets(), ...this.clientSecrets];
  }

  private unreachable(request: NetworkRequest, error: unknown): UnreachableError {
    const failure =
      error instanceof ExchangeFailure ? error : new ExchangeFailure('connection_failed', '', error);
    const cause = failure.cause as NodeJS.ErrnoException | undefined;
    // Agents put the addresses of proxies, with passwords, into their messages.
    const text = failure.message.replace(/\/\/[^/\s@]*@/g, '//');
    const reason = cleanText(text, this.secretsOf(request)) ?? 'no reason given';
    const code = /^[A-Z][A-Z0-9_]*$/.test(cause?.code ?? '') ? cause?.code : undefined;
    return new UnreachableError({
      provider: this.options.provider,
      step: request.step,
      code: failure.code,
      message: `no usable answer from ${new URL(request.url).host}: ${reason}${code && !reason.includes(code) ? ` (${code})` : ''}.`,
      remedy: this.remedy(failure, code),
      // Never the original, for the same reason.
      ...(cause && { cause: Object.assign(new Error(reason), code === undefined ? {} : { code }) }),
    });
  }

  private remedy(failure: ExchangeFailure, code = ''): string | undefined {
    if (failure.code === 'timeout') {
      return `The deadline is the option timeout, now ${this.options.timeout} milliseconds.`;
    }
    if (failure.code === 'tls_failed') {
      return 'If the network or a proxy uses a private certificate authority, name it in NODE_EXTRA_CA_CERTS or in the option agent.';
    }
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      return 'Check the host name and DNS; behind a proxy pass the option agent.';
    }
    return undefined;
  }
}

function late(): ExchangeFailure {
  return new ExchangeFailure('timeout', 'no complete answer in time');
}
