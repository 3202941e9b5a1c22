/**
 * The part of a login in which a request to the network failed.
 *
 * - `authorization`: the authorization response, read from the callback request
 * - `request token`: OAuth 1.0a temporary credentials
 * - `token`: the code or request token exchanged for tokens
 * - `profile`: the user's record
 * - `refresh`, `revoke`: calls after the login
 */
export type LoginStep = 'authorization' | 'request token' | 'token' | 'profile' | 'refresh' | 'revoke';

/** What a {@link ProviderError} is made of. Message (without provider and step) and cause are already free of secrets. */
export interface ProviderErrorDetails extends Pick<ProviderError, 'provider' | 'step' | 'message'> {
  /** What usually helps; becomes the last sentence of the message. */
  hint?: string | undefined;
  /** The underlying error. */
  cause?: Error | undefined;
  /** HTTP status of the network's own response. */
  networkStatus?: number | undefined;
}

/**
 * A login, refresh or revocation that failed on the network's side.
 *
 * Message, stack, properties and `cause` never hold a secret, token, authorization code or verifier.
 */
export abstract class ProviderError extends Error {
  /** The strategy's name, for example `short-video`. */
  readonly provider: string;
  /** Where in the login, refresh or revocation it happened. */
  readonly step: LoginStep;
  /** Stable code for programs; each subclass lists its own. */
  readonly code: string;
  /** HTTP status for the response to the browser: 502, 503 or 504. */
  readonly status: number;
  /** HTTP status of the network's own response; absent when there was none. */
  declare readonly networkStatus?: number;
  /** Equal to `status`: Express reads either, Fastify reads this one. */
  readonly statusCode: number;
  /** Whether frameworks may show `message` to the browser. Always `false`: the message is written for developers. */
  readonly expose: boolean = false;

  constructor(details: ProviderErrorDetails & { code: string }, status: number) {
    const { provider, step, code, message, hint = '', cause, networkStatus } = details;
    super(`${provider}, ${step}: ${message} ${hint}`.trimEnd(), cause && { cause });
    this.name = new.target.name;
    this.provider = provider;
    this.step = step;
    this.code = code;
    this.status = status;
    this.statusCode = status;
    if (networkStatus !== undefined) this.networkStatus = networkStatus;
  }
}

/** Why there was no usable response. */
export type UnreachableCode =
  | 'connection_failed'
  | 'tls_failed'
  | 'timeout'
  | 'response_cut_short'
  | 'response_too_large'
  | 'redirected';

/** No usable response: DNS, TLS, a reset connection, a redirect, a response that is cut short or too large; status 502. A timeout has status 504. */
export class UnreachableError extends ProviderError {
  declare readonly code: UnreachableCode;

  constructor(details: ProviderErrorDetails & { code: UnreachableCode }) {
    super(withSpentTokenWarning(details), details.code === 'timeout' ? 504 : 502);
  }
}

/** The network's error response. Every field may be missing; most become those of a {@link RefusedError}. */
export interface ErrorResponse {
  /** The network's own code, always a string: `invalid_grant`, `453`, `scope_not_authorized`. */
  networkCode?: string | undefined;
  /** The network's own message. */
  networkMessage?: string | undefined;
  /** The network's ID of the request, to quote in a support case. */
  requestId?: string | undefined;
  /** Seconds until the network accepts requests again. */
  retryAfter?: number | undefined;
  /** Whether the network rejected an access token as expired or revoked. */
  accessTokenSpent?: boolean | undefined;
  /** Whether the network rejected a refresh token as expired, revoked or used. */
  tokenSpent?: boolean | undefined;
  /** Whether the network asked for fewer requests. Default: whether its status is 429. */
  rateLimited?: boolean | undefined;
  /** What usually helps. */
  hint?: string | undefined;
}

/** The network sent an error response. `code` is `rate_limited` (status 503) if it asked for fewer requests, otherwise `refused` (status 502). */
export class RefusedError extends ProviderError {
  declare readonly code: 'refused' | 'rate_limited';
  /** The network's own code, always a string: `invalid_grant`, `453`; absent when it sent none. */
  declare readonly networkCode?: string;
  /** The network's own message, cleaned and cut short. It is untrusted text: escape it before you put it into a page. */
  declare readonly networkMessage?: string;
  /** The network's ID of the request, to quote in a support case. */
  declare readonly requestId?: string;
  /** Seconds until the network accepts requests again. */
  declare readonly retryAfter?: number;
  /**
   * `true` when the network does not accept the access token: it is expired or revoked. Refresh it and try again, once. The user has to log
   * in again where there is no refresh token, or if the refresh fails with `tokenSpent`.
   */
  readonly accessTokenSpent: boolean;
  /** `true` when the refresh token is expired, revoked or used: the user has to log in again. */
  readonly tokenSpent: boolean;

  constructor(details: Omit<ProviderErrorDetails, 'message'> & ErrorResponse) {
    const { networkCode, networkMessage, requestId, retryAfter, rateLimited = false } = details;
    // An authorization response comes in a URL, and anyone can write a URL: its message is not quoted.
    const isQuotable = details.step !== 'authorization';
    const quote = networkMessage && isQuotable ? `"${networkMessage}"` : undefined;
    const shownCode = isQuotable || details.hint !== undefined ? networkCode : undefined;
    const reason = [shownCode, quote].filter(Boolean).join(' ');
    const end = /[.!?]"$/.test(reason) ? '' : '.';
    const hasReason = networkCode !== undefined || networkMessage !== undefined;
    const elsewhere = hasReason ? '; networkCode and networkMessage have its reason' : ' without a reason';
    const message = `the network refused${reason ? `: ${reason}` : elsewhere}${end}`;
    super({ ...details, message, code: rateLimited ? 'rate_limited' : 'refused' }, rateLimited ? 503 : 502);
    this.accessTokenSpent = details.accessTokenSpent ?? false;
    this.tokenSpent = details.tokenSpent ?? false;
    for (const [name, value] of Object.entries({ networkCode, networkMessage, requestId, retryAfter })) {
      if (value !== undefined) Object.assign(this, { [name]: value });
    }
  }
}

/** What is wrong with a response. */
export type MalformedCode =
  | 'unreadable_response'
  | 'token_missing'
  | 'token_type_unknown'
  | 'callback_unconfirmed'
  | 'state_mismatch'
  | 'identifier_missing'
  | 'identifier_mismatch';

/** A response that cannot be used: not JSON, no token, no user ID, another user's ID. Status 502. */
export class MalformedError extends ProviderError {
  declare readonly code: MalformedCode;

  constructor(details: ProviderErrorDetails & { code: MalformedCode }) {
    super(withSpentTokenWarning(details), 502);
  }
}

/** The error for a record that lacks the user's ID or has another user's. @param found - Completes the sentence "the response has ...". */
export function identifierError(
  provider: string,
  step: LoginStep,
  code: 'identifier_missing' | 'identifier_mismatch',
  found: string,
): MalformedError {
  const hint = 'Nobody is logged in unless the identifier is certain. Check the addresses in the options.';
  return new MalformedError({ provider, step, code, message: `the response has ${found}.`, hint });
}

/** The refresh token may be spent although the response could not be read. */
function withSpentTokenWarning<T extends ProviderErrorDetails>(details: T): T {
  if (details.step !== 'refresh') return details;
  const warning =
    'The refresh token may be spent all the same: keep it, and if the next refresh is refused, let the user log in again.';
  return { ...details, hint: `${details.hint ?? ''} ${warning}`.trimStart() };
}

/** Why a login ended in a Passport failure. */
export type LoginFailureCode =
  | 'access_denied'
  | 'account_unusable'
  | 'expired_login'
  | 'malformed_request'
  | 'malformed_response'
  | 'method_not_allowed'
  | 'no_room'
  | 'not_a_navigation'
  | 'unknown_login'
  | 'used_login'
  | 'wrong_issuer';

/** The HTTP status for the user. */
const STATUS: Readonly<Record<LoginFailureCode, number>> = {
  access_denied: 401,
  account_unusable: 403,
  expired_login: 403,
  malformed_request: 400,
  malformed_response: 400,
  method_not_allowed: 405,
  no_room: 431,
  not_a_navigation: 403,
  unknown_login: 403,
  used_login: 403,
  wrong_issuer: 403,
};

/** Ends a login in Passport's `fail({ message, code, networkMessage? }, status)`: the user declined, or the response belongs to no pending login. */
export class LoginFailure extends Error {
  /** The HTTP status for the user: 400, 401, 403, 405 or 431. */
  readonly status: number;
  /** Equal to `status`. */
  readonly statusCode: number;
  /** The message is written for the user. */
  readonly expose: boolean = true;
  /** The network's own words, cleaned and cut short; absent when it sent none. They came in a URL: escape them before you put them into a page. */
  declare readonly networkMessage?: string;

  constructor(
    /** Why the login failed. */
    readonly code: LoginFailureCode,
    message: string,
    networkMessage?: string,
  ) {
    super(message);
    this.name = new.target.name;
    if (networkMessage !== undefined) this.networkMessage = networkMessage;
    this.status = STATUS[code];
    this.statusCode = this.status;
  }
}

/** @throws TypeError for anything that cannot be a token: `undefined` would be "revoked" without an error. */
export function requireToken(strategy: string, method: string, token: unknown): void {
  if (typeof token === 'string' && token !== '') return;
  throw new TypeError(`${strategy}: ${method} needs a token that is a non-empty string.`);
}
