import { channel } from 'node:diagnostics_channel';
import type { Agent, RequestOptions } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { requireAtOnce } from '../application-code.js';
import { clock } from '../clock.js';
import * as errors from '../errors/index.js';
import {
  type LoginStep,
  type NetworkResponse,
  ProviderError,
  RequestFailure,
  secretsIn,
} from '../errors/index.js';
import { isThisMachine } from '../hosts.js';
import { encodePairs } from './forms.js';
import { isObject, type JSONObject } from './json.js';
import { Deadline, readIdle, sendRequest, sharedAgentFor } from './transport.js';

/** The secrets of one login, refresh or revocation, which none of its errors may repeat. */
export class Transaction {
  // Private to the engine, so that no inspection shows it.
  readonly #sources: unknown[];

  constructor(...sources: unknown[]) {
    this.#sources = sources;
  }

  /** @param sources - Secrets, or parsed responses that contain some under names such as `access_token`. */
  hide(...sources: unknown[]): void {
    this.#sources.push(...sources);
  }

  /** Found when an error is made, since most logins make none. */
  secrets(): string[] {
    return this.#sources.flatMap((source) => (typeof source === 'string' ? source : secretsIn(source)));
  }
}

export interface NetworkRequest {
  readonly step: LoginStep;
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields of a form body, in order. */
  readonly form?: Readonly<Record<string, string>> | undefined;
  /** A body in another format; `headers` has its content type. */
  readonly body?: string;
  /** The client adds the tokens in the response to its secrets. */
  readonly transaction: Transaction;
  /** The application's own reading of an error response; `null` leaves it to the strategy. */
  readonly parseErrorResponse?: (body: string, status: number) => Error | null;
  /** Checks the response of {@link NetworkClient.requestJSON}; what it throws is the outcome of the request. */
  readonly validate?: (response: JSONResponse) => void;
  /** How often a GET is repeated after a broken connection or a 502, 503 or 504. Default: never. */
  readonly retries?: number;
}

/** A response that is a JSON object. */
export interface JSONResponse extends NetworkResponse {
  readonly body: JSONObject;
}

/** Name of the channel of `node:diagnostics_channel` on which each request to a network is reported when it has ended. */
export const requestChannel = 'passport-social-networks:request';

/** A request to a network that has ended. Contains no secret, token or user name, and only the host of the URL. */
export interface RequestReport {
  /** The strategy's name. */
  readonly provider: string;
  /** Which part of a login, refresh or revocation it was. */
  readonly step: LoginStep;
  /** `GET` or `POST`. */
  readonly method: string;
  /** With the port if it is not the protocol's default. */
  readonly host: string;
  /** HTTP status; absent without a complete response. */
  readonly status?: number;
  /** Milliseconds, from before the connection until the response was read. */
  readonly duration: number;
  /** `succeeded`, `retried` if the request is sent again after a pause, or the error's `code`: `refused`, `timeout`, ... */
  readonly outcome: string;
}

const reports = channel(requestChannel);

export interface ClientOptions {
  /** The strategy's name. */
  readonly name: string;
  readonly agent: Agent | undefined;
  /** Deadline of one request, with its retries, in milliseconds. */
  readonly timeout: number;
  readonly customHeaders: Readonly<Record<string, string>>;
  readonly errorResponses: errors.ErrorResponses;
  /** What no error of the strategy may repeat, whatever the request. */
  readonly secrets: readonly string[];
}

/** A strategy requests a few URLs with a few queries. An application that makes up more of them does not fill the memory. */
const MOST_TARGETS = 64;

/**
 * The HTTP client of one strategy. Each request has a deadline, a size limit and bounded retries; redirects are not followed; every
 * failure is a {@link ProviderError} without secrets.
 */
export class NetworkClient {
  // Private to the engine: an agent can hold the password of a proxy, and its sockets hold requests.
  readonly #options: ClientOptions;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #targets = new Map<string, RequestOptions>();
  #agent: Agent | undefined;
  #hasWarned = false;

  constructor(options: ClientOptions) {
    const { agent, customHeaders } = options;
    this.#options = options;
    this.#agent = agent;
    this.#headers = {
      'user-agent': 'passport-social-networks',
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...customHeaders,
    };
  }

  /** The application's agent: the option, or a later one. */
  get agent(): Agent | undefined {
    return this.#agent;
  }

  useAgent(agent: Agent): void {
    this.#agent = agent;
  }

  /** Sends a request whose response is a JSON object. @throws {@link MalformedError} for a response in any other format. */
  requestJSON(request: NetworkRequest): Promise<JSONResponse> {
    return this.perform(request, (response) => {
      this.requireSuccess(request, response);
      if (!isObject(response.body)) {
        throw errors.unreadable(response, this.#options.name, request.step, 'a JSON object');
      }
      request.validate?.(response as JSONResponse);
      return response as JSONResponse;
    });
  }

  /** @throws {@link UnreachableError} if there is no usable response, and {@link RefusedError} for an error response. */
  request(request: NetworkRequest): Promise<NetworkResponse> {
    return this.perform(request, (response) => {
      this.requireSuccess(request, response);
      return response;
    });
  }

  /**
   * Sends a request for the clients of the base packages. The result is what their callbacks get. For any status but 2xx it throws their
   * kind of error, an object with status and body. @throws TypeError if an application's URL would send a token in the clear.
   */
  async sendForBaseClient(request: NetworkRequest): Promise<unknown[]> {
    const { protocol, hostname, origin } = new URL(request.url);
    if (protocol !== 'https:' && !isThisMachine({ hostname })) {
      throw new TypeError(
        `${this.#options.name}: ${origin} is not https, and credentials are sent in the clear only to this machine.`,
      );
    }
    return this.perform(request, ({ status, text, headers }) => {
      if (status >= 200 && status <= 299) return [text, { statusCode: status, headers }];
      throw { statusCode: status, data: text };
    });
  }

  /** Sends a request until it succeeds, fails for good or its time is up. Reports each attempt. What `read` throws is the outcome. */
  private async perform<T>(request: NetworkRequest, read: (response: NetworkResponse) => T): Promise<T> {
    const { name: provider, timeout } = this.#options;
    const { step, method, url, form, headers } = request;
    const target = this.targetOf(url);
    const agent = this.#agent ?? sharedAgentFor(target.protocol);
    const body = form ? encodePairs(Object.entries(form)) : request.body;
    const options = {
      ...target,
      method,
      agent,
      headers: {
        ...this.#headers,
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(method !== 'GET' && { 'content-length': Buffer.byteLength(body ?? '') }),
        ...headers,
      },
    };
    const retries = method === 'GET' ? (request.retries ?? 0) : 0;
    const deadline = new Deadline(timeout);
    try {
      for (let attempt = 0; ; attempt += 1) {
        const begun = clock.now();
        await readIdle(agent, target);
        const response = await sendRequest(options, body, deadline);
        const pause = attempt < retries ? retryPause(attempt, response) : undefined;
        let outcome = 'retried';
        try {
          if (pause === undefined || clock.now() + pause >= deadline.end) {
            if (response instanceof RequestFailure) throw errors.unreachable(this.failed(request), response);
            const { status } = response;
            if (status >= 300 && status <= 399) throw errors.redirected(this.failed(request), response);
            const result = read(response);
            outcome = 'succeeded';
            return result;
          }
        } catch (error) {
          // Anything else is an application's own error for an error response.
          outcome = error instanceof ProviderError ? error.code : 'refused';
          throw error;
        } finally {
          if (reports.hasSubscribers) {
            const { host } = new URL(url);
            const status = 'status' in response ? { status: response.status } : {};
            const duration = clock.now() - begun;
            reports.publish({ provider, step, method, host, ...status, duration, outcome });
          }
        }
        await clock.delay(pause);
      }
    } finally {
      clock.clearTimeout(deadline.timer);
    }
  }

  private targetOf(url: string): RequestOptions {
    const known = this.#targets.get(url);
    if (known) return known;
    const { protocol, hostname, port, path } = urlToHttpOptions(new URL(url));
    const target = { protocol, hostname, port, path };
    if (this.#targets.size === MOST_TARGETS) this.#targets.clear();
    this.#targets.set(url, target);
    return target;
  }

  private requireSuccess(request: NetworkRequest, response: NetworkResponse): void {
    const { errorResponses } = this.#options;
    const { status, text, body } = response;
    request.transaction.hide(body);
    const error = errorResponses.read(response);
    if (status >= 200 && status <= 299 && !error) return;
    throw (
      this.ownError(request, text, status) ||
      errors.refused(this.failed(request), response, error, errorResponses.rows)
    );
  }

  /** The application's error for an error response. One that it fails to make is left to the strategy, as in passport-oauth2. */
  private ownError({ parseErrorResponse }: NetworkRequest, text: string, status: number): Error | null {
    try {
      return requireAtOnce('parseErrorResponse', parseErrorResponse?.(text, status) ?? null);
    } catch (thrown) {
      // Its message may quote the response, which may hold a token.
      const name = thrown instanceof Error ? thrown.name : typeof thrown;
      if (!this.#hasWarned)
        process.emitWarning(`parseErrorResponse threw (${name}); the strategy's own error stands.`);
      this.#hasWarned = true;
      return null;
    }
  }

  private failed({ step, url, transaction }: NetworkRequest): errors.FailedRequest {
    const { name: provider, timeout, secrets } = this.#options;
    const hidden = [...secrets, ...transaction.secrets()];
    return { provider, step, url, timeout, usesOwnAgent: this.#agent !== undefined, secrets: hidden };
  }
}

/** Failures and statuses that a second attempt may not meet. */
const TRANSIENT: readonly (string | number)[] = ['connection_failed', 'response_cut_short', 502, 503, 504];
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 2_000;

/**
 * Milliseconds to wait before a request is sent again: what the network asked for, otherwise growing with each attempt; up to a quarter
 * is added at random, so that clients do not retry in step.
 *
 * @returns `undefined` if a retry cannot help, or the network asks for a longer pause than a login can wait.
 */
function retryPause(attempt: number, response: NetworkResponse | RequestFailure): number | undefined {
  const isFailure = response instanceof RequestFailure;
  if (!TRANSIENT.includes(isFailure ? response.code : response.status)) return undefined;
  const asked = isFailure ? undefined : errors.retryAfterSeconds(response.headers);
  const pause = (asked === undefined ? FIRST_PAUSE * 2 ** attempt : asked * 1_000) * (1 + Math.random() / 4);
  return pause > LONGEST_PAUSE ? undefined : pause;
}
