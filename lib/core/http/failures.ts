import type { IncomingHttpHeaders } from 'node:http';
import {
  cleanIdentifier,
  cleanText,
  type ErrorResponse,
  type LoginStep,
  MalformedError,
  RefusedError,
  UnreachableError,
} from '../errors/index.js';
import { isObject, stringProperty } from './encoding.js';
import type { NetworkResponse, RequestFailure } from './transport.js';

/** How a network reports errors. */
export interface ErrorResponses {
  /** Reads an error response that the network documents, whatever its status: some networks report errors with 200. */
  read(response: NetworkResponse, step: LoginStep): ErrorResponse | undefined;
  readonly hints: Hints;
}

/** What usually helps, by error code: for all steps, and for single steps where a code means something else. */
export interface Hints {
  readonly byCode: Readonly<Record<string, string>>;
  readonly byStep?: Readonly<Partial<Record<LoginStep, Readonly<Record<string, string>>>>>;
}

export function hintFor(code = '', step: LoginStep, { byCode, byStep }: Hints): string | undefined {
  return stringProperty(byStep?.[step], code) ?? stringProperty(byCode, code);
}

/** The request that an error is about. */
export interface FailedRequest {
  readonly provider: string;
  readonly step: LoginStep;
  readonly url: string;
  readonly timeout: number;
  readonly usesOwnAgent: boolean;
  readonly secrets: readonly string[];
}

/** The error for a request without a complete response. */
export function unreachable(request: FailedRequest, failure: RequestFailure): UnreachableError {
  const { provider, step, url, timeout, usesOwnAgent, secrets } = request;
  const cause = failure.cause as Partial<NodeJS.ErrnoException> | undefined;
  const code = systemErrorCode(cause?.code, secrets);
  // An application's agent may put the password of a proxy anywhere into its messages, and in any form.
  const quoted = usesOwnAgent ? (code ?? 'the agent failed') : cleanText(cause?.message, secrets);
  const reason = failure.message || (quoted ?? 'no reason given');
  return new UnreachableError({
    provider,
    step,
    code: failure.code,
    message: `no usable response from ${new URL(url).host}: ${reason}${code && !reason.includes(code) ? ` (${code})` : ''}.`,
    hint:
      failure.code === 'timeout'
        ? `The deadline is the option timeout, now ${timeout} milliseconds.`
        : (HINTS[failure.code] ?? HINTS[code ?? '']),
    // Never the original error, for the same reason.
    ...(cause && { cause: Object.assign(new Error(reason), code === undefined ? {} : { code }) }),
  });
}

/** An error code as Node's own are, such as `ECONNRESET`; `undefined` for anything else. */
function systemErrorCode(code: unknown, secrets: readonly string[]): string | undefined {
  if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]{1,49}$/.test(code)) return undefined;
  return cleanIdentifier(code, secrets) === code ? code : undefined;
}

const DNS_HINT = 'Check the host name and DNS; behind a proxy pass the option agent.';

/** What usually helps, by our code or the system's. */
const HINTS: Readonly<Record<string, string>> = {
  tls_failed:
    'If the network or a proxy uses a private certificate authority, name it in NODE_EXTRA_CA_CERTS or in the option agent.',
  ENOTFOUND: DNS_HINT,
  EAI_AGAIN: DNS_HINT,
};

/** The error for a redirect. It names the host only. */
export function redirected(
  { provider, step, url, secrets }: FailedRequest,
  { status, headers: { location = '' } }: NetworkResponse,
): UnreachableError {
  const target = URL.canParse(location, url) ? new URL(location, url) : undefined;
  const host = target ? (cleanText(target.host, secrets) ?? 'no host') : 'an unreadable address';
  const message = `HTTP ${status} redirects to ${host}, and no redirect is followed with credentials.`;
  const hint = 'Check the address in the options: a missing slash or an old host is the usual cause.';
  return new UnreachableError({ provider, step, code: 'redirected', message, hint });
}

/** The error for an error response. @param error - Absent if it is no error response that the network documents. */
export function refused(
  { provider, step, secrets }: FailedRequest,
  response: NetworkResponse,
  error: ErrorResponse | undefined,
  hints: Hints,
): RefusedError | MalformedError {
  const { status, body, headers } = response;
  if (!error && !isObject(body) && status !== 429) {
    return unreadable(response, provider, step, 'a response or an error');
  }
  const code = error?.networkCode;
  const statusHint = code === undefined ? `HTTP ${status}.` : undefined;
  return new RefusedError({
    ...error,
    provider,
    step,
    networkStatus: status,
    networkCode: cleanIdentifier(code, secrets),
    networkMessage: cleanText(error?.networkMessage, secrets),
    requestId: cleanIdentifier(error?.requestId, secrets),
    retryAfter: error?.retryAfter ?? retryAfterSeconds(headers),
    hint: error?.hint ?? hintFor(code, step, hints) ?? statusHint,
    rateLimited: error?.rateLimited ?? status === 429,
  });
}

/** Seconds from now in `Retry-After` (RFC 9110 section 10.2.3), never negative; `undefined` if it is absent or unreadable. */
export function retryAfterSeconds({ 'retry-after': value }: IncomingHttpHeaders): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1_000));
}

/** The error for a response in the wrong format. It does not quote the body, which may hold a token anywhere. */
export function unreadable(
  response: NetworkResponse,
  provider: string,
  step: LoginStep,
  expected: string,
): MalformedError {
  const { status: networkStatus } = response;
  const message = `expected ${expected}, but HTTP ${networkStatus} returned ${describe(response)}.`;
  const hint =
    networkStatus >= 500
      ? 'The network has a fault; try again later.'
      : 'Check the address in the options, and for a proxy or a captive page in between.';
  return new MalformedError({ provider, step, code: 'unreadable_response', networkStatus, message, hint });
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
