import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { type ErrorRow, hintOf, type LoginStep, lookUp, type RefusalMeaning } from '../facts.js';
import { parseURL } from '../hosts.js';
import { type ErrorResponse, MalformedError, RefusedError, UnreachableError } from './errors.js';
import { cleanIdentifier, cleanText } from './redaction.js';

export interface NetworkResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** `false` if the text had bytes that are not UTF-8. */
  readonly wellFormed: boolean;
  /** The parsed text; `undefined` if it is not JSON, or nested too deep. */
  readonly body: unknown;
}

/** Why a request got no complete response. The message is ours; it is empty if only the cause has one. */
export class RequestFailure extends Error {
  constructor(
    readonly code: UnreachableError['code'],
    message: string,
    override readonly cause?: unknown,
  ) {
    super(message);
  }
}

/** Reads an error response that the network documents, whatever its status: some networks report errors with 200. */
export type ReadErrorResponse = (response: NetworkResponse) => ErrorResponse | undefined;

export interface FailedRequest {
  readonly provider: string;
  readonly step: LoginStep;
  readonly url: string;
  readonly timeout: number;
  readonly usesOwnAgent: boolean;
  readonly secrets: readonly string[];
}

export function unreachable(request: FailedRequest, failure: RequestFailure): UnreachableError {
  const { provider, step, url, timeout, usesOwnAgent, secrets } = request;
  const cause = failure.cause as Partial<NodeJS.ErrnoException> | undefined;
  const code = systemErrorCode(cause?.code, secrets);
  // An application's agent may put the password of a proxy anywhere into its messages, and in any form.
  const quoted = usesOwnAgent ? (code ?? 'the agent failed') : cleanText(cause?.message, secrets);
  const reason = failure.message || (attemptsOf(cause) ?? quoted ?? 'no reason given');
  return new UnreachableError({
    provider,
    step,
    code: failure.code,
    message: `no usable response from ${new URL(url).host}: ${reason}${code && !reason.includes(code) ? ` (${code})` : ''}.`,
    hint:
      failure.code === 'timeout'
        ? `The deadline is the option timeout, now ${timeout} milliseconds.`
        : (HINTS[code ?? ''] ?? HINTS[failure.code]),
    retryable: ['timeout', 'connection_failed', 'response_cut_short'].includes(failure.code),
    // Never the original error, for the same reason.
    ...(cause && { cause: Object.assign(new Error(reason), code === undefined ? {} : { code }) }),
  });
}

/** An error code as Node's own are, such as `ECONNRESET`; `undefined` for anything else. */
function systemErrorCode(code: unknown, secrets: readonly string[] = []): string | undefined {
  if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]{1,49}$/.test(code)) return undefined;
  return cleanIdentifier(code, secrets) === code ? code : undefined;
}

/** The addresses that failed where Node tried several: `ETIMEDOUT 192.0.2.1:443, ENETUNREACH 2001:db8::1:443`. Nothing in it can be confidential. */
export function attemptsOf(error: unknown): string | undefined {
  const { errors = [error] } = (error ?? {}) as { errors?: unknown };
  if (!Array.isArray(errors)) return undefined;
  const attempts = (errors as (Partial<NodeJS.ErrnoException> & { address?: string; port?: number })[])
    .filter((attempt) => systemErrorCode(attempt?.code) !== undefined && isIP(attempt.address ?? '') !== 0)
    .map(({ code, address, port }) => `${code} ${address}:${Number(port)}`);
  return attempts.length > 0 ? attempts.join(', ') : undefined;
}

const CLOCK_HINT =
  "Compare this machine's clock: the certificate's time is over or has not begun. A proxy may have an old certificate, too.";
const OTHER_SERVER_HINT =
  'Another server answers in place of the host: check the address and its port, and for a proxy or a captive page in between.';
const DNS_HINT = 'Check the host name and DNS; behind a proxy pass the option agent.';
const CONNECT_HINT =
  'Check that this machine may connect to that host and port: a firewall, a proxy (option agent) or IPv6 without a route is the usual cause.';

const HINTS: Readonly<Record<string, string>> = {
  connection_failed:
    'Try again later. If it stays so, look at the option agent, and for a proxy or a firewall in between.',
  response_cut_short: 'Try again later. If it stays so, look for a proxy in between.',
  response_too_large: 'Check the address in the options.',
  tls_failed:
    'If the network or a proxy uses a private certificate authority, name it in NODE_EXTRA_CA_CERTS or in the option agent.',
  CERT_HAS_EXPIRED: CLOCK_HINT,
  CERT_NOT_YET_VALID: CLOCK_HINT,
  ERR_TLS_CERT_ALTNAME_INVALID: OTHER_SERVER_HINT,
  EPROTO: OTHER_SERVER_HINT,
  ERR_SSL_WRONG_VERSION_NUMBER: OTHER_SERVER_HINT,
  ECONNREFUSED: CONNECT_HINT,
  EHOSTUNREACH: CONNECT_HINT,
  ENETUNREACH: CONNECT_HINT,
  ETIMEDOUT: CONNECT_HINT,
  ENOTFOUND: DNS_HINT,
  EAI_AGAIN: DNS_HINT,
};

/** Names the host only. */
export function redirected(
  { provider, step, url, secrets }: FailedRequest,
  { status, headers: { location = '' } }: NetworkResponse,
): UnreachableError {
  const target = parseURL(location, url);
  const host = target ? (cleanText(target.host, secrets) ?? 'no host') : 'an unreadable address';
  const message = `HTTP ${status} redirects to ${host}, and no redirect is followed with credentials.`;
  const hint =
    'Check the address in the options: a missing slash, an old host, or the login page of a proxy in between is the usual cause.';
  return new UnreachableError({ provider, step, code: 'redirected', message, hint });
}

/** The error for an error response: what its body says, what the facts know of that, and the status where they know nothing. @param error - Absent if undocumented. */
export function refused(
  { provider, step, secrets }: FailedRequest,
  response: NetworkResponse,
  error: ErrorResponse | undefined,
  rows: readonly ErrorRow[],
): RefusedError | MalformedError {
  const { status, headers } = response;
  const isJSON = typeof response.body === 'object' && response.body !== null && !Array.isArray(response.body);
  const { retryAfter = retryAfterSeconds(headers) } = error ?? {};
  const saysWhen = retryAfter !== undefined && status >= 500;
  if (!error && !isJSON && !saysWhen && status !== 429 && status !== 402) {
    return unreadable(response, provider, step, 'a response or an error');
  }
  const { networkCode: code, networkMessage: description, requestId, userURL } = error ?? {};
  const known = lookUp(rows, { code, description, step });
  // Whoever names a time accepts the same request later.
  const means =
    known?.means ?? meaningOfStatus(status, step) ?? (retryAfter === undefined ? undefined : 'limit');
  const remedy = [404, 405, 410].includes(status)
    ? 'check the addresses in the options'
    : 'look this up at the network';
  const unknown = status < 400 ? 'Look this code up at the network.' : `HTTP ${status}: ${remedy}.`;
  return new RefusedError({
    provider,
    step,
    means,
    hint: means === undefined ? unknown : hintOf(known ?? { means }),
    networkStatus: status,
    networkCode: cleanIdentifier(code, secrets),
    networkMessage: cleanText(description, secrets),
    requestId: cleanIdentifier(requestId, secrets),
    retryAfter,
    userURL: secrets.some((secret) => userURL?.includes(secret)) ? undefined : userURL,
  });
}

/** What a refusal is about that a network's facts do not know. @see RFC 9110 section 15, RFC 6585 section 4, RFC 6749 section 5.2, RFC 6750 section 3.1 */
function meaningOfStatus(status: number, step: LoginStep): RefusalMeaning | undefined {
  if (status === 401 && step === 'profile') return 'access token spent';
  if (status === 401 && step !== 'revoke') return 'client refused';
  if (status === 402) return 'application closed';
  if (status === 429) return 'limit';
  return status >= 500 ? 'network fault' : undefined;
}

/** Seconds from now in `Retry-After` (RFC 9110 section 10.2.3), never negative; `undefined` if it is absent or unreadable. */
export function retryAfterSeconds({ 'retry-after': value }: IncomingHttpHeaders): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1_000));
}

/** The error for a response in the wrong format. It does not quote the body, which may hold a token anywhere. */
export function unreadable(response: NetworkResponse, provider: string, step: LoginStep, expected: string) {
  const { status: networkStatus, headers, text } = response;
  const message = `expected ${expected}, but HTTP ${networkStatus} returned ${describe(response)}.`;
  const retryable = networkStatus >= 500;
  const words = /<title>\s*(?:just a moment|attention required|access denied)|captcha|challenge-platform/i;
  // https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/ (read 2026-11)
  const isChallenge = headers['cf-mitigated'] !== undefined || words.test(text);
  const hint = isChallenge
    ? "The network's content delivery network takes this server for a robot, and asks for a browser: send the requests from another address (option agent), or ask the network to let this one through."
    : retryable
      ? hintOf({ means: 'network fault' })
      : 'Check the address in the options, and for a proxy or a captive page in between.';
  const code = 'unreadable_response';
  return new MalformedError({ provider, step, code, networkStatus, message, hint, retryable });
}

function describe({ text, wellFormed, body }: NetworkResponse): string {
  const begin = text.trimStart();
  if (begin === '') return 'an empty body';
  const length = `${text.length} characters`;
  if (!wellFormed) return `text that is not UTF-8 (${length})`;
  if (begin.startsWith('<')) return `a page (HTML or XML, ${length})`;
  if (body === null) return 'JSON null';
  if (Array.isArray(body)) return `a JSON array (${length})`;
  return body === undefined ? `text (${length})` : `a JSON ${typeof body} (${length})`;
}
