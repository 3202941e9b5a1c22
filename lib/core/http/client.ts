import { isUtf8 } from 'node:buffer';
import { channel } from 'node:diagnostics_channel';
import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http';

import http = require('node:http');
import https = require('node:https');

import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { urlToHttpOptions } from 'node:url';
import { promisify } from 'node:util';
import type { ZlibOptions } from 'node:zlib';
import {
  cleanIdentifier,
  cleanText,
  type ErrorResponse,
  hideProperties,
  type LoginStep,
  MalformedError,
  ProviderError,
  RefusedError,
  Secrets,
  type UnreachableCode,
  UnreachableError,
} from '../errors/index.js';
import { Agents, type KeepAliveAgent, sharedAgents } from './connections.js';
import { formEncode, isLoopback, isObject, type JSONObject, parseJSON } from './encoding.js';

export interface NetworkRequest {
  readonly step: LoginStep;
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields of a form body, in order. */
  readonly form?: Readonly<Record<string, string>> | undefined;
  /** A body in another format; `headers` has its content type. */
  readonly body?: string;
  /** What no error may repeat. The client adds the tokens in the response. */
  readonly secrets: Secrets;
  /** An application's own reading of an error response, in passport-oauth2's form; `null` leaves it to the strategy. */
  readonly parseErrorResponse?: (body: string, status: number) => Error | null;
  /** Checks the response of {@link NetworkClient.requestJSON}; what it throws is the outcome of the request. */
  readonly validate?: (response: JSONResponse) => void;
  /** How often a GET is repeated after a broken connection or a 502, 503 or 504. Default: never. */
  readonly retries?: number;
}

/** A complete HTTP response. */
export interface HTTPResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body, decoded as UTF-8. */
  readonly text: string;
  /** `false` if the body had bytes that are not UTF-8. */
  readonly wellFormed: boolean;
}

export interface NetworkResponse extends HTTPResponse {
  /** The parsed body; `undefined` if it is not JSON. */
  readonly body: unknown;
}

/** A response that is a JSON object. */
export interface JSONResponse extends HTTPResponse {
  readonly body: JSONObject;
}

/** How a network reports errors. */
export interface ErrorResponses {
  /**
   * Reads an error response, whatever its status: some networks report errors with 200.
   *
   * @returns `undefined` if the response is no error response that the network documents.
   */
  read(response: NetworkResponse, step: LoginStep): ErrorResponse | undefined;
  readonly hints: Hints;
}

/** What usually helps, by error code: for all steps, and for single steps where a code means something else. */
export interface Hints {
  readonly byCode: Readonly<Record<string, string>>;
  readonly byStep?: Readonly<Partial<Record<LoginStep, Readonly<Record<string, string>>>>>;
}

/** The hint for an error code; `undefined` for an unknown one. */
export function hintFor(
  code: string | undefined,
  step: LoginStep,
  { byCode, byStep }: Hints,
): string | undefined {
  for (const hints of [byStep?.[step], byCode]) {
    if (code !== undefined && hints && Object.hasOwn(hints, code)) return hints[code];
  }
  return undefined;
}

/** An error code as a string: some networks send numbers. */
export function errorCode(code: unknown): string | undefined {
  return typeof code === 'number' || (typeof code === 'string' && code !== '') ? String(code) : undefined;
}

/** Whether the value of a response's `error` property reports an error, in any form. */
export function isError(error: unknown): boolean {
  return error !== undefined && error !== null && error !== '' && error !== false;
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
  /** Host, with the port if it is not the protocol's default. */
  readonly host: string;
  /** HTTP status; absent without a complete response. */
  readonly status?: number;
  /** Milliseconds, from before the connection until the response was read. */
  readonly duration: number;
  /**
   * `succeeded`; `retried` if the request is sent again after a pause; otherwise the error's `code`: `refused`, `rate_limited`,
   * `timeout`, `unreadable_response`, ...
   */
  readonly outcome: string;
}

const reports = channel(requestChannel);

export interface ClientOptions {
  /** The strategy's name. */
  readonly provider: string;
  /** Default: keep-alive agents. */
  readonly agent: Agent | undefined;
  /** Whether all strategies share the default agents. `false`: each login has its own. */
  readonly shareConnections: boolean;
  /** Deadline of one request, with its retries, in milliseconds. */
  readonly timeout: number;
  readonly customHeaders: Readonly<Record<string, string>>;
  readonly errorResponses: ErrorResponses;
  /** What no error of the strategy may repeat, whatever the request. */
  readonly secrets: readonly string[];
}

/**
 * The HTTP client of one strategy. Each request has a deadline, a size limit and bounded retries; redirects are not followed; every
 * failure is a {@link ProviderError} without secrets.
 */
export class NetworkClient {
  /** The application's agent: the option, or a later one. */
  agent: Agent | undefined;
  private readonly options: ClientOptions;
  /** What belongs to one login -> its agents. Their idle connections close by themselves. */
  private readonly agents = new WeakMap<Secrets, Agents>();

  constructor(options: ClientOptions) {
    this.options = options;
    this.agent = options.agent;
    // An agent can hold the password of a proxy, and its sockets hold requests.
    hideProperties(this, ['options', 'agent', 'agents']);
  }

  useAgent(agent: Agent): void {
    this.agent = agent;
  }

  /**
   * Opens a connection for a request that follows soon, so that a login at two hosts does not wait for two handshakes. Does nothing if
   * the application brings its own agent or `Host` header.
   *
   * @param secrets - Those of the login.
   */
  preconnect(url: string, secrets = new Secrets()): void {
    const hasHost = Object.keys(this.options.customHeaders).some((name) => name.toLowerCase() === 'host');
    if (this.agent || hasHost) return;
    try {
      const { protocol, hostname, port } = urlToHttpOptions(new URL(url));
      this.keepAliveAgent(protocol, secrets).preconnect({ hostname, port });
    } catch {
      // The request itself reports it.
    }
  }

  /**
   * Sends a request whose response is a JSON object.
   *
   * @throws {@link UnreachableError} if there is no usable response.
   * @throws {@link RefusedError} for an error response.
   * @throws {@link MalformedError} for a response that is not a JSON object.
   */
  requestJSON(request: NetworkRequest): Promise<JSONResponse> {
    return this.perform(request, (response) => {
      this.throwErrorResponse(request, response);
      const { body } = response;
      if (!isObject(body)) throw unreadable(response, this.options.provider, request.step, 'a JSON object');
      const json = { ...response, body };
      request.validate?.(json);
      return json;
    });
  }

  /** Like {@link requestJSON}, for a response in any format. */
  request(request: NetworkRequest): Promise<NetworkResponse> {
    return this.perform(request, (response) => {
      this.throwErrorResponse(request, response);
      return response;
    });
  }

  /** Like {@link request}, but an error response is returned, not thrown. */
  send(request: NetworkRequest): Promise<NetworkResponse> {
    return this.perform(request, (response) => response);
  }

  /**
   * Like {@link send}, with the values that a callback of the base packages' clients gets.
   *
   * @throws TypeError if an application's URL would send a token in the clear.
   */
  async sendForBaseClient(request: NetworkRequest): Promise<unknown[]> {
    const { protocol, hostname, origin } = new URL(request.url);
    if (protocol !== 'https:' && !isLoopback({ hostname })) {
      throw new TypeError(
        `${this.options.provider}: ${origin} is not https, and credentials are sent in the clear only to this machine.`,
      );
    }
    return this.perform(request, baseClientValues);
  }

  /** Sends a request until it succeeds, fails for good or its time is up. Reports each attempt. */
  private async perform<T>(request: NetworkRequest, read: (response: NetworkResponse) => T): Promise<T> {
    const { timeout } = this.options;
    const retries = request.method === 'GET' ? (request.retries ?? 0) : 0;
    const body = request.form ? formEncode(request.form) : request.body;
    const options = this.requestOptions(request, body);
    const deadline = new Deadline(timeout);
    try {
      for (let attempt = 0; ; attempt += 1) {
        const report = this.startReport(request);
        let response: HTTPResponse | undefined;
        let failure: unknown;
        if (!this.agent && this.keepAliveAgent(options.protocol, request.secrets).hasIdle)
          await readIdleConnections();
        try {
          response = await sendRequest(options, body, deadline);
        } catch (error) {
          failure = error;
        }
        const pause = attempt < retries ? retryPause(attempt, response, failure) : undefined;
        if (pause !== undefined && performance.now() + pause < deadline.end) {
          report('retried', response?.status);
          await delay(pause);
          continue;
        }
        try {
          if (!response) throw this.unreachable(request, failure);
          this.throwRedirect(request, response);
          const result = read({
            ...response,
            body: response.wellFormed ? parseJSON(response.text) : undefined,
          });
          report('succeeded', response.status);
          return result;
        } catch (error) {
          // Anything else is an application's own error for an error response.
          report(error instanceof ProviderError ? error.code : 'refused', response?.status);
          throw error;
        }
      }
    } finally {
      deadline.clear();
    }
  }

  private keepAliveAgent(protocol: string | null | undefined, secrets: Secrets): KeepAliveAgent {
    let agents = this.options.shareConnections ? sharedAgents : this.agents.get(secrets);
    if (!agents) {
      agents = new Agents(false);
      this.agents.set(secrets, agents);
    }
    return agents.for(protocol ?? '');
  }

  private requestOptions({ method, url, headers, form, secrets }: NetworkRequest, body = ''): RequestOptions {
    const { protocol, hostname, port, path } = urlToHttpOptions(new URL(url));
    return {
      protocol,
      hostname,
      port,
      path,
      method,
      agent: this.agent ?? this.keepAliveAgent(protocol, secrets),
      headers: {
        'user-agent': 'passport-social-networks',
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...this.options.customHeaders,
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(method !== 'GET' && { 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
    };
  }

  private startReport({ step, method, url }: NetworkRequest): (outcome: string, status?: number) => void {
    if (!reports.hasSubscribers) return () => {};
    const { host } = new URL(url);
    const begun = performance.now();
    return (outcome, status) => {
      const duration = performance.now() - begun;
      const { provider } = this.options;
      reports.publish({
        provider,
        step,
        method,
        host,
        ...(status !== undefined && { status }),
        duration,
        outcome,
      });
    };
  }

  private throwErrorResponse(request: NetworkRequest, response: NetworkResponse): void {
    const { provider, errorResponses } = this.options;
    const { step, secrets } = request;
    const { status, text, body, headers } = response;
    secrets.add(body);
    const error = errorResponses.read(response, step);
    if (status >= 200 && status <= 299 && !error) return;
    const ownError = request.parseErrorResponse?.(text, status);
    if (ownError) throw ownError;
    if (!error && !isObject(body) && status !== 429) {
      throw unreadable(response, provider, step, 'a response or an error');
    }
    const { networkCode, networkMessage, requestId, retryAfter, rateLimited, hint } = error ?? {};
    const hidden = this.secretsOf(request);
    throw new RefusedError({
      provider,
      step,
      networkStatus: status,
      networkCode: cleanIdentifier(networkCode, hidden),
      networkMessage: cleanText(networkMessage, hidden),
      requestId: cleanIdentifier(requestId, hidden),
      retryAfter: retryAfter ?? retryAfterSeconds(headers),
      hint:
        hint ??
        hintFor(networkCode, step, errorResponses.hints) ??
        (networkCode === undefined ? `HTTP ${status}.` : undefined),
      accessTokenSpent: error?.accessTokenSpent,
      tokenSpent: error?.tokenSpent,
      rateLimited: rateLimited ?? status === 429,
    });
  }

  private throwRedirect(request: NetworkRequest, { status, headers }: HTTPResponse): void {
    if (status < 300 || status > 399) return;
    const { location = '' } = headers;
    const host = URL.canParse(location, request.url)
      ? (cleanText(new URL(location, request.url).host, this.secretsOf(request)) ?? 'no host')
      : 'an unreadable address';
    throw new UnreachableError({
      provider: this.options.provider,
      step: request.step,
      code: 'redirected',
      message: `HTTP ${status} redirects to ${host}, and no redirect is followed with credentials.`,
      hint: 'Check the address in the options: a missing slash or an old host is the usual cause.',
    });
  }

  private unreachable(request: NetworkRequest, error: unknown): UnreachableError {
    const failure = asFailure(error);
    const cause = failure.cause as Partial<NodeJS.ErrnoException> | undefined;
    const secrets = this.secretsOf(request);
    const code = systemErrorCode(cause?.code, secrets);
    // An application's agent may put the password of a proxy anywhere into its messages, and in any form.
    const quoted = this.agent ? (code ?? 'the agent failed') : cleanText(cause?.message, secrets);
    const reason = failure.message || (quoted ?? 'no reason given');
    return new UnreachableError({
      provider: this.options.provider,
      step: request.step,
      code: failure.code,
      message: `no usable response from ${new URL(request.url).host}: ${reason}${code && !reason.includes(code) ? ` (${code})` : ''}.`,
      hint: this.hintForFailure(failure, code),
      // Never the original error, for the same reason.
      ...(cause && { cause: Object.assign(new Error(reason), code === undefined ? {} : { code }) }),
    });
  }

  private hintForFailure(failure: RequestFailure, code: string | undefined): string | undefined {
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

  private secretsOf({ secrets }: NetworkRequest): string[] {
    return [...this.options.secrets, ...secrets.list()];
  }
}

/**
 * Lets idle connections be read. What a network sent on one without a request, or twice, closes it then. Written first, a request would take
 * it for its own response.
 */
async function readIdleConnections(): Promise<void> {
  // Sockets are read between two turns; the rest of the current one may come without.
  await nextTurn();
  await nextTurn();
}

/** An error code as Node's own are, such as `ECONNRESET`; `undefined` for anything else. */
function systemErrorCode(code: unknown, secrets: readonly string[]): string | undefined {
  if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]{1,49}$/.test(code)) return undefined;
  return cleanIdentifier(code, secrets) === code ? code : undefined;
}

/** Why a request got no complete response. The message is ours; it is empty if only the cause has one. */
class RequestFailure extends Error {
  readonly code: UnreachableCode;

  constructor(code: UnreachableCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** Maximum size of a response body in bytes, before and after decompression. The largest documented record has a few kilobytes. */
const SIZE_LIMIT = 1_048_576;

/** The deadline of a request with its retries. */
class Deadline {
  /** By the clock of `performance.now()`. */
  readonly end: number;
  isOver = false;
  /** Called when the time is up; set by the attempt under way. */
  expire = () => {};
  /** How much of the response has been read: the attempt under way counts it. */
  progress = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(timeout: number) {
    this.end = performance.now() + timeout;
    this.timer = setTimeout(() => this.giveUp(), timeout);
  }

  clear(): void {
    clearTimeout(this.timer);
  }

  /**
   * What arrived while the process was busy has not been read yet, although it was in time: timers run before sockets are read.
   *
   * @param turns - How often sockets are read at most: enough for the largest response. A network that drips cannot extend its deadline.
   */
  private giveUp(turns = 32): void {
    const { progress } = this;
    setImmediate(() => {
      if (this.progress > progress && turns > 1) return this.giveUp(turns - 1);
      this.isOver = true;
      return this.expire();
    });
  }
}

/**
 * Sends one request over `node:http` or `node:https`. Follows no redirect and repeats nothing.
 *
 * @param deadline - Ends the request as a timeout.
 * @throws {@link RequestFailure} if there is no complete response.
 */
function sendRequest(
  options: RequestOptions,
  body: string | undefined,
  deadline: Deadline,
): Promise<HTTPResponse> {
  return new Promise((resolve, reject) => {
    let request: ClientRequest | undefined;
    let isSettled = false;
    const settle = (): boolean => {
      if (isSettled) return false;
      isSettled = true;
      deadline.expire = () => {};
      return true;
    };
    const fail = (error: unknown) => {
      if (!settle()) return;
      reject(asFailure(error));
      try {
        request?.destroy();
      } catch {
        // The socket of an application's agent can throw. The request has failed already.
      }
    };
    const abort = () => fail(new RequestFailure('timeout', 'no complete response in time'));
    const receive = (message: IncomingMessage) => {
      const received = new BodyBuffer();
      message.on('error', (error) => fail(cutShort(error)));
      message.on('close', () => isSettled || fail(cutShort()));
      if (Number(message.headers['content-length']) > SIZE_LIMIT) {
        fail(tooLarge());
        return;
      }
      message.on('data', (chunk: Buffer) => {
        deadline.progress += 1;
        if (received.add(chunk) > SIZE_LIMIT) fail(tooLarge());
      });
      // The request is not destroyed, so that the next one can use its connection.
      message.on('end', () => settle() && resolve(decode(message, received.bytes())));
    };
    try {
      let hasResponse = false;
      request = (options.protocol === 'https:' ? https : http).request(options);
      // Never removed: a destroyed socket can still report an error, and without a listener that ends the process.
      request.on('error', (error) => fail(hasResponse ? cutShort(error) : error));
      request.on('upgrade', (_message, socket) => {
        socket.destroy();
        fail(new RequestFailure('connection_failed', 'the response switches to another protocol'));
      });
      request.on('response', (message) => {
        hasResponse = true;
        deadline.progress += 1;
        receive(message);
      });
      request.end(body);
      deadline.expire = abort;
      if (deadline.isOver) abort();
    } catch (error) {
      fail(error);
    }
  });
}

/** Collects a body in one growing buffer. Kept as separate chunks of one byte, it would take up hundreds of times its size. */
class BodyBuffer {
  private buffer: Buffer = Buffer.alloc(0);
  private size = 0;

  /** @returns The size so far. */
  add(chunk: Buffer): number {
    const begin = this.size;
    this.size += chunk.length;
    if (begin === 0) this.buffer = chunk;
    else if (this.size <= SIZE_LIMIT) {
      if (this.size > this.buffer.length) {
        this.buffer = Buffer.concat([this.buffer], Math.max(this.size, this.buffer.length * 2, 16_384));
      }
      chunk.copy(this.buffer, begin);
    }
    return this.size;
  }

  bytes(): Buffer {
    return this.buffer.subarray(0, this.size);
  }
}

function cutShort(cause?: unknown): RequestFailure {
  return new RequestFailure('response_cut_short', 'the response was cut short', cause);
}

function tooLarge(): RequestFailure {
  return new RequestFailure('response_too_large', `a response of more than ${SIZE_LIMIT} bytes`);
}

async function decode(message: IncomingMessage, bytes: Buffer): Promise<HTTPResponse> {
  const body = await decompress(message, bytes);
  // Decoded in one piece: chunk by chunk, a character that is split between two chunks would be lost.
  const text = body.toString().replace(/^\uFEFF/, '');
  const wellFormed = !text.includes('\uFFFD') || isUtf8(body);
  return { status: message.statusCode ?? 0, headers: message.headers, text, wellFormed };
}

/** Content encoding -> the function of `node:zlib` that undoes it. */
const DECOMPRESSORS = {
  gzip: 'gunzip',
  'x-gzip': 'gunzip',
  deflate: 'inflate',
  br: 'brotliDecompress',
} as const;

/** Requests ask for uncompressed responses; some networks compress them anyway. */
async function decompress({ headers }: IncomingMessage, bytes: Buffer): Promise<Buffer> {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity' || bytes.length === 0) return bytes;
  if (!Object.hasOwn(DECOMPRESSORS, encoding)) {
    throw new RequestFailure('response_cut_short', 'a response in an unknown content encoding');
  }
  const zlib = await import('node:zlib');
  const expand = promisify<Buffer, ZlibOptions, Buffer>(
    zlib[DECOMPRESSORS[encoding as keyof typeof DECOMPRESSORS]],
  );
  return expand(bytes, { maxOutputLength: SIZE_LIMIT }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge()
      : new RequestFailure('response_cut_short', 'a compressed response that cannot be expanded', error);
  });
}

const TLS_CODES = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH)/;

function asFailure(error: unknown): RequestFailure {
  if (error instanceof RequestFailure) return error;
  const { code = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  return new RequestFailure(TLS_CODES.test(code) ? 'tls_failed' : 'connection_failed', '', error);
}

const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 2_000;

/**
 * Milliseconds to wait before a request is sent again: what the network asked for, otherwise growing with each attempt; up to a quarter
 * is added at random, so that clients do not retry in step.
 *
 * @returns `undefined` if a retry cannot help, or the network asks for a longer pause than a login can wait.
 */
function retryPause(
  attempt: number,
  response: HTTPResponse | undefined,
  failure: unknown,
): number | undefined {
  const mayHelp = response
    ? [502, 503, 504].includes(response.status)
    : failure instanceof RequestFailure && ['connection_failed', 'response_cut_short'].includes(failure.code);
  if (!mayHelp) return undefined;
  const asked = response && retryAfterSeconds(response.headers);
  const pause = (asked === undefined ? FIRST_PAUSE * 2 ** attempt : asked * 1_000) * (1 + Math.random() / 4);
  return pause > LONGEST_PAUSE ? undefined : pause;
}

/**
 * Reads `Retry-After`, seconds or a date (RFC 9110 section 10.2.3).
 *
 * @returns Seconds from now, never negative; `undefined` if absent or unreadable.
 */
export function retryAfterSeconds({ 'retry-after': value }: IncomingHttpHeaders): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1_000));
}

/** The error for a response in the wrong format. It does not quote the body, which may hold a token anywhere. */
export function unreadable(
  response: HTTPResponse,
  provider: string,
  step: LoginStep,
  expected: string,
): MalformedError {
  return new MalformedError({
    provider,
    step,
    code: 'unreadable_response',
    networkStatus: response.status,
    message: `expected ${expected}, but HTTP ${response.status} returned ${describe(response)}.`,
    hint:
      response.status >= 500
        ? 'The network has a fault; try again later.'
        : 'Check the address in the options, and for a proxy or a captive page in between.',
  });
}

function describe(response: HTTPResponse): string {
  const text = response.text.trim();
  if (text === '') return 'an empty body';
  const length = `${response.text.length} characters`;
  if (!response.wellFormed) return `text that is not UTF-8 (${length})`;
  if (text.startsWith('<')) return `a page (HTML or XML, ${length})`;
  const parsed = parseJSON(text);
  if (parsed === null) return 'JSON null';
  if (Array.isArray(parsed)) return `a JSON array (${length})`;
  return parsed === undefined ? `text (${length})` : `a JSON ${typeof parsed} (${length})`;
}

/**
 * What the base packages' clients pass to a callback: the body, and status and headers in place of a response.
 *
 * @throws Their kind of error, an object with status and body, for any status but 2xx.
 */
function baseClientValues({ status, text, headers }: HTTPResponse): unknown[] {
  if (status >= 200 && status <= 299) return [text, { statusCode: status, headers }];
  throw { statusCode: status, data: text };
}
