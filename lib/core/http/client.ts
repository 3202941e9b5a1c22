import { isUtf8 } from 'node:buffer';
import { channel } from 'node:diagnostics_channel';
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { promisify } from 'node:util';

import http = require('node:http');
import https = require('node:https');

import { clock, requireAtOnce, warnOnce } from '../application-code.js';
import type { LoginStep, NetworkResponse, ReadErrorResponse } from '../errors/index.js';
import * as errors from '../errors/index.js';
import type { ProtocolFacts } from '../facts.js';
import { isThisMachine } from '../hosts.js';
import { encodePairs, isObject, isTooDeep, type JSONObject, parseJSON } from './formats.js';

export type { NetworkResponse } from '../errors/index.js';

/** The secrets of one login, refresh or revocation, which none of its errors may show: strings, or parsed responses that contain some. */
export class Transaction {
  // Out of sight of inspections.
  readonly #sources: unknown[];

  constructor(...sources: unknown[]) {
    this.#sources = sources;
  }

  hide(...sources: unknown[]): void {
    this.#sources.push(...sources);
  }

  secrets(): string[] {
    return this.#sources.flatMap((source) => errors.secretsIn(source));
  }
}

/** Fields of a form body, in order; those that are `undefined` are left out. */
export type Form = Readonly<Record<string, string | undefined>>;

export interface NetworkRequest {
  readonly step: LoginStep;
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Form | undefined;
  /** A body in another format, whose content type is in `headers`. */
  readonly body?: string;
  /** The tokens in the response become secrets of it. */
  readonly transaction: Transaction;
  /** The application's own error for an error response; `null` leaves it to the strategy. */
  readonly parseErrorResponse?: ((body: string, status: number) => Error | null) | undefined;
  readonly validate?: (response: JSONResponse) => void;
  /** Number of times that a GET is repeated after a broken connection or a 502, 503 or 504. @default 0 */
  readonly retries?: number;
}

export interface JSONResponse extends NetworkResponse {
  readonly body: JSONObject;
}

/** Name of the channel of `node:diagnostics_channel` on which each request to a network is reported. */
export const requestChannel = 'passport-social-networks:request';

/** A request to a network that has ended. Contains no secret, token or user name, and only the host of the URL. */
export interface RequestReport {
  /** The strategy's name. */
  readonly provider: string;
  /** Which part of a login, refresh or revocation it was. */
  readonly step: LoginStep;
  /** `GET` or `POST`. */
  readonly method: string;
  /** The host, with a port other than the protocol's default. */
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
  agent: Agent | undefined;
  /** Deadline of one request, with its retries, in milliseconds. */
  readonly timeout: number;
  readonly customHeaders: Readonly<Record<string, string>>;
  readonly facts: Pick<ProtocolFacts, 'errorRows'>;
  readonly readErrorResponse: ReadErrorResponse;
  /** Secrets that no error of the strategy may show. */
  readonly secrets: readonly string[];
}

/** The HTTP client of one strategy. Each request has a deadline, a size limit and bounded retries, and follows no redirect. */
export class NetworkClient {
  // Out of sight of inspections: an agent can hold the password of a proxy, and its sockets hold requests.
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = { ...options };
  }

  get agent(): Agent | undefined {
    return this.#options.agent;
  }

  set agent(agent: Agent) {
    this.#options.agent = agent;
  }

  /** Sends a request whose response is a JSON object. @throws {@link MalformedError} for a response in any other format. */
  requestJSON(request: NetworkRequest): Promise<JSONResponse> {
    return this.perform(request, (response) => {
      const { body } = this.requireSuccess(request, response);
      if (!isObject(body))
        throw errors.unreadable(response, this.#options.name, request.step, 'a JSON object');
      request.validate?.(response as JSONResponse);
      return response as JSONResponse;
    });
  }

  /** @throws {@link UnreachableError} if there is no usable response, and {@link RefusedError} for an error response. */
  request(request: NetworkRequest): Promise<NetworkResponse> {
    return this.perform(request, (response) => this.requireSuccess(request, response));
  }

  /**
   * Sends a request for the clients of the base packages. Resolves to what their callbacks get.
   *
   * @throws Their kind of error, an object with status and body, for any status but 2xx; a `TypeError` for a URL that would send a token in the clear.
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

  /** Sends a request until it succeeds, fails for good or its time is up, and reports each attempt. @param read - What it throws is the outcome. */
  private async perform<T>(request: NetworkRequest, read: (response: NetworkResponse) => T): Promise<T> {
    const { name: provider, timeout, customHeaders } = this.#options;
    const { step, method, url, form, headers } = request;
    const { protocol, hostname, port, path } = urlToHttpOptions(new URL(url));
    const agent = this.#options.agent ?? sharedAgents[protocol === 'https:' ? 'https:' : 'http:'];
    const body = form ? encodePairs(Object.entries(form)) : request.body;
    const sent = {
      'user-agent': 'passport-social-networks',
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...customHeaders,
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(method !== 'GET' && { 'content-length': Buffer.byteLength(body ?? '') }),
      ...headers,
    };
    const options = { protocol, hostname, port, path, method, agent, headers: sent };
    const retries = method === 'GET' ? (request.retries ?? 0) : 0;
    const deadline = new Deadline(timeout);
    try {
      for (let attempt = 0; ; attempt += 1) {
        const begun = clock.now();
        await readIdle(agent);
        const response = await sendRequest(options, body, deadline);
        const pause = attempt < retries ? retryPause(attempt, response) : undefined;
        let outcome = 'retried';
        try {
          if (pause === undefined || clock.now() + pause >= deadline.end) {
            if (response instanceof errors.RequestFailure)
              throw errors.unreachable(this.failed(request), response);
            const { status } = response;
            if (status >= 300 && status <= 399) throw errors.redirected(this.failed(request), response);
            const result = read(response);
            outcome = 'succeeded';
            return result;
          }
        } catch (error) {
          // An application can make its own error for an error response.
          outcome = error instanceof errors.ProviderError ? error.code : 'refused';
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

  private requireSuccess(request: NetworkRequest, response: NetworkResponse): NetworkResponse {
    const { readErrorResponse, facts } = this.#options;
    const { status, text, body } = response;
    request.transaction.hide(body);
    const error = readErrorResponse(response);
    if (status >= 200 && status <= 299 && !error) return response;
    const own = this.ownError(request, text, status);
    throw own || errors.refused(this.failed(request), response, error, facts.errorRows);
  }

  /** The application's own error for an error response. If it fails to make one, the strategy does, as in passport-oauth2. */
  private ownError({ parseErrorResponse }: NetworkRequest, text: string, status: number): Error | null {
    try {
      return requireAtOnce('parseErrorResponse', parseErrorResponse?.(text, status) ?? null);
    } catch (thrown) {
      // The message can quote the response, with a token.
      const name = thrown instanceof Error ? thrown.name : typeof thrown;
      const warning = `parseErrorResponse threw (${name}); the strategy's own error stands.`;
      warnOnce(this, warning, 'parseErrorResponse');
      return null;
    }
  }

  private failed({ step, url, transaction }: NetworkRequest): errors.FailedRequest {
    const { name: provider, timeout, secrets, agent } = this.#options;
    const hidden = [...secrets, ...transaction.secrets()];
    return { provider, step, url, timeout, usesOwnAgent: agent !== undefined, secrets: hidden };
  }
}

const TRANSIENT: readonly (string | number)[] = ['connection_failed', 'response_cut_short', 502, 503, 504];
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 2_000;

/** Milliseconds before the next attempt, with up to a quarter at random, so that clients do not retry in step; `undefined` if none can help. */
function retryPause(attempt: number, response: Answer): number | undefined {
  const isFailure = response instanceof errors.RequestFailure;
  if (!TRANSIENT.includes(isFailure ? response.code : response.status)) return undefined;
  const asked = isFailure ? undefined : errors.retryAfterSeconds(response.headers);
  const pause = (asked === undefined ? FIRST_PAUSE * 2 ** attempt : asked * 1_000) * (1 + Math.random() / 4);
  return pause > LONGEST_PAUSE ? undefined : pause;
}

const TLS_CODES = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH)/;

/** Bytes of a response body, before and after decompression. The largest documented record has a few kilobytes. */
const SIZE_LIMIT = 1_048_576;

/** Turns in which sockets are still read after the deadline. The largest response fits, and a network that drips cannot extend its deadline. */
const LATE_TURNS = 32;

/** The deadline of a request with its retries. */
class Deadline {
  readonly end: number;
  readonly timer: NodeJS.Timeout;
  overdue: errors.RequestFailure | undefined;
  expire: ((failure: errors.RequestFailure) => void) | undefined;
  /** Counts what the attempt under way has read. */
  progress = 0;

  constructor(timeout: number) {
    this.end = clock.now() + timeout;
    this.timer = clock.setTimeout(() => this.giveUp(LATE_TURNS), timeout);
  }

  /** Reads first what arrived in time, while the process was busy: timers run before sockets are read. */
  private giveUp(turns: number): void {
    const { progress } = this;
    clock.setImmediate(() => {
      if (this.progress > progress && turns > 1) return this.giveUp(turns - 1);
      this.overdue = new errors.RequestFailure('timeout', 'no complete response in time');
      return this.expire?.(this.overdue);
    });
  }
}

type Answer = NetworkResponse | errors.RequestFailure;

/** Sends one request. Follows no redirect, repeats nothing and never rejects. */
function sendRequest(
  options: RequestOptions & { readonly agent: Agent },
  body: string | undefined,
  deadline: Deadline,
): Promise<Answer> {
  const { agent } = options;
  return new Promise((resolve) => {
    let request: ClientRequest | undefined;
    let socket: Socket | undefined;
    let hasResponse = false;
    const fail = (error: unknown) => {
      deadline.expire = undefined;
      resolve(error instanceof errors.RequestFailure ? error : failureFor(error, hasResponse));
      try {
        request?.destroy();
      } catch {
        // An application's own socket can throw.
      }
    };
    try {
      request = (options.protocol === 'https:' ? https : http).request(options);
      // Never removed, because an error of a destroyed socket would end the process.
      request.on('error', fail);
      request.on('socket', (used) => {
        socket = used;
        if (!guarded.has(used)) guard(used, agent);
      });
      request.on('upgrade', (_message, socket) => {
        socket.destroy();
        fail(new errors.RequestFailure('connection_failed', 'the response switches to another protocol'));
      });
      request.on('response', (message) => {
        hasResponse = true;
        deadline.progress += 1;
        // Node emits it, too, if the connection closes before the end.
        message.on('error', fail);
        if (Number(message.headers['content-length']) > SIZE_LIMIT) return fail(tooLarge());
        let buffer: Buffer = Buffer.alloc(0);
        let size = 0;
        message.on('data', (chunk: Buffer) => {
          deadline.progress += 1;
          const end = size + chunk.length;
          if (end > SIZE_LIMIT) return fail(tooLarge());
          // The only chunk is the body. Several are copied into one buffer, because a chunk of one byte takes up hundreds.
          if (size === 0) buffer = chunk;
          else if (end > buffer.length)
            buffer = Buffer.concat([buffer.subarray(0, size), chunk], Math.max(end, size * 2));
          else chunk.copy(buffer, size);
          size = end;
        });
        // Keep the connection only if its agent shows it, so that it can be read before the next request, and if nothing waits for it.
        message.on('end', () => {
          deadline.expire = undefined;
          const isFree = isIn(agent, 'sockets', socket) && listsOf(agent, 'requests').length === 0;
          if (!isFree) socket?.destroy();
          resolve(readResponse(message, buffer.subarray(0, size)));
        });
      });
      request.end(body);
      deadline.expire = fail;
      if (deadline.overdue) fail(deadline.overdue);
    } catch (error) {
      fail(error);
    }
  });
}

function failureFor(error: unknown, hasResponse: boolean): errors.RequestFailure {
  if (hasResponse)
    return new errors.RequestFailure('response_cut_short', 'the response was cut short', error);
  const { code = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  return new errors.RequestFailure(TLS_CODES.test(code) ? 'tls_failed' : 'connection_failed', '', error);
}

function tooLarge(): errors.RequestFailure {
  return new errors.RequestFailure('response_too_large', `a response of more than ${SIZE_LIMIT} bytes`);
}

async function readResponse({ statusCode = 0, headers }: IncomingMessage, sent: Buffer): Promise<Answer> {
  // Some networks compress responses that were to be uncompressed.
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  const isPlain = encoding === 'identity' || sent.length === 0;
  const bytes = isPlain ? sent : await decompress(sent, encoding);
  if (bytes instanceof errors.RequestFailure) return bytes;
  // Decoded in one piece, because a character can be split between two chunks.
  const text = bytes.toString().replace(/^\uFEFF/, '');
  const wellFormed = !text.includes('\uFFFD') || isUtf8(bytes);
  const parsed = wellFormed ? parseJSON(text) : undefined;
  const body = parsed === undefined || isTooDeep(parsed) ? undefined : parsed;
  return { status: statusCode, headers, text, wellFormed, body };
}

async function decompress(bytes: Buffer, encoding: string): Promise<Buffer | errors.RequestFailure> {
  const { brotliDecompress, inflateRaw, unzip } = await import('node:zlib');
  // Some servers take `deflate` at its word, and leave out the header, whose first byte ends in 8 (RFC 1950 section 2.2).
  const isRaw = encoding === 'deflate' && ((bytes[0] ?? 0) & 15) !== 8;
  try {
    const zlib = isRaw ? promisify(inflateRaw) : promisify(unzip);
    const expand = encoding === 'br' ? promisify(brotliDecompress) : zlib;
    return await expand(bytes, { maxOutputLength: SIZE_LIMIT });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return tooLarge();
    const message = 'a compressed response that cannot be expanded';
    return new errors.RequestFailure('response_cut_short', message, error);
  }
}

function isIn(agent: Partial<Agent>, list: 'sockets' | 'freeSockets', socket: Socket | undefined): boolean {
  return listsOf(agent, list).some((sockets) => Array.isArray(sockets) && sockets.includes(socket));
}

/** The lists of an agent, whose values can have any form. If it fails to show them, one with something unknown. */
function listsOf(agent: Partial<Agent>, name: 'sockets' | 'freeSockets' | 'requests'): unknown[] {
  try {
    return Object.values(agent[name] ?? {});
  } catch {
    return [undefined];
  }
}

const guarded = new WeakSet<Socket>();

/** Closes a connection on which anything arrives while no request uses it: Node would take that for the response to the next, perhaps another user's. */
function guard(socket: Socket, agent: Partial<Agent>): void {
  guarded.add(socket);
  socket.on('data', () => isIn(agent, 'freeSockets', socket) && socket.destroy());
}

/** Reads what a network sent unasked on idle connections, which closes them, before a request could take it for its response. */
async function readIdle(agent: Agent): Promise<void> {
  if (listsOf(agent, 'freeSockets').length === 0) return;
  // Sockets are read between two turns, but perhaps not before the next one.
  await new Promise((resolve) => clock.setImmediate(() => clock.setImmediate(resolve)));
}

/** Milliseconds for each address of a host. Node gives all but the last 250, less than the way to a far network takes (nodejs/node#54359). */
export const ATTEMPT_TIMEOUT = 3_000;

const AGENT = {
  keepAlive: true,
  scheduling: 'lifo',
  // Many servers close idle connections after five seconds, and a request written meanwhile cannot be repeated safely.
  timeout: 4_000,
  autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT,
} as const;

export const sharedAgents = { 'http:': new http.Agent(AGENT), 'https:': new https.Agent(AGENT) } as const;
