/**
 * The part of a login in which a request to the network went wrong.
 *
 * - `authorization`: the network's answer to the redirect, read from the callback
 * - `request token`: OAuth 1.0a temporary credentials
 * - `token`: exchange of the code or request token
 * - `profile`: the person's record
 * - `refresh`, `revoke`: calls after the login
 */
export type LoginStep = 'authorization' | 'request token' | 'token' | 'profile' | 'refresh' | 'revoke';

/** What every {@link ProviderError} is made from. Texts are already free of secrets. */
export interface ProviderErrorDetails {
  /** The strategy's name. */
  provider: string;
  /** Where in the login it happened; it is put in front of the message. */
  step: LoginStep;
  /** What happened, without network and step: they are put in front. */
  message: string;
  /** What usually helps; becomes the last sentence of the message. */
  remedy?: string | undefined;
  /** What lies underneath, free of secrets as well. */
  cause?: Error | undefined;
  /** HTTP status of the network's answer, if there was one. */
  networkStatus?: number | undefined;
}

/**
 * A login (or a refresh, or a revocation) that could not be finished because of the network's side.
 *
 * Never holds a secret, token, code or verifier: not in message, stack, properties or `cause`.
 */
export abstract class ProviderError extends Error {
  /** The strategy's name, for example `short-video`. */
  readonly provider: string;
  /** Where in the login, refresh or revocation it happened. */
  readonly step: LoginStep;
  /** Stable word for programs; each subclass lists its own. */
  abstract readonly code: string;
  /** HTTP status for the answer to the browser: 502, 503 or 504. */
  readonly status: number;
  /** HTTP status that the network itself answered with; absent when no answer came. */
  declare readonly networkStatus?: number;
  /** Equal to `status`: Express reads either, Fastify this one. */
  readonly statusCode: number;
  /** Whether frameworks may show `message` to the browser. Always `false`: it is written for the developer. */
  readonly expose: boolean = false;

  constructor(details: ProviderErrorDetails, status: number) {
    const { provider, step, message, remedy, cause, networkStatus } = details;
    super(
      `${provider}, ${step}: ${message}${remedy ? ` ${remedy}` : ''}`,
      cause === undefined ? undefined : { cause },
    );
    this.name = new.target.name;
    this.provider = provider;
    this.step = step;
    this.status = status;
    this.statusCode = status;
    if (networkStatus !== undefined) this.networkStatus = networkStatus;
  }
}

/** Why there was no usable answer. */
export type UnreachableCode =
  | 'connection_failed'
  | 'tls_failed'
  | 'timeout'
  | 'answer_cut_short'
  | 'answer_too_large'
  | 'redirected';

/**
 * No usable answer: name resolution, TLS, a reset, a timeout, an answer cut short or too large, a redirect.
 *
 * `status` is 504 for a timeout and 502 for all else.
 */
export class UnreachableError extends ProviderError {
  readonly code: UnreachableCode;

  constructor(details: ProviderErrorDetails & { code: UnreachableCode }) {
    super(withSpentTokenWarning(details), details.code === 'timeout' ? 504 : 502);
    this.code = details.code;
  }
}

/** A refresh token may be spent although no answer can be read; the caller must neither drop it nor trust it. */
function withSpentTokenWarning<T extends ProviderErrorDetails>(details: T): T {
  if (details.step !== 'refresh') return details;
  const warning =
    'The refresh token may be spent all the same: keep it, and if the next refresh is refused let the person log in again.';
  return { ...details, remedy: [details.remedy, warning].filter(Boolean).join(' ') };
}

/** What the network said when it refused, cleaned and cut short; every part may be missing. */
export interface Refusal {
  /** The network's own code, always as text: `invalid_grant`, `453`, `scope_not_authorized`. */
  networkCode?: string | undefined;
  /** The network's own words. */
  networkMessage?: string | undefined;
  /** The network's identifier of the request, to quote in a support case. */
  requestId?: string | undefined;
  /** Seconds until the network takes requests again. */
  retryAfter?: number | undefined;
  /** Whether it refused a refresh token as expired, revoked or used. */
  tokenSpent?: boolean | undefined;
  /** What usually helps. */
  remedy?: string | undefined;
}

/**
 * The network said no.
 *
 * `code` is `rate_limited` (status 503) when the network asked for fewer requests, else `refused` (status 502).
 */
export class RefusedError extends ProviderError {
  readonly code: 'refused' | 'rate_limited';
  /** The network's own code, always as text: `invalid_grant`, `453`; absent where it gave none. */
  declare readonly networkCode?: string;
  /** The network's own words, cleaned and cut short. Data, not markup: escape them before they reach a page. */
  declare readonly networkMessage?: string;
  /** The network's identifier of the request, to quote in a support case. */
  declare readonly requestId?: string;
  /** Seconds until the network takes requests again. */
  declare readonly retryAfter?: number;
  /** `true` when a refresh token is expired, revoked or used: only a new login helps. */
  readonly tokenSpent: boolean;

  constructor(details: Omit<ProviderErrorDetails, 'message'> & Refusal & { rateLimited?: boolean }) {
    const { networkCode, networkMessage, requestId, retryAfter, rateLimited = false } = details;
    // Text of the address line stays out of the message: whoever made the link wrote it.
    const isQuotable = details.step !== 'authorization';
    const quote = networkMessage && isQuotable ? `"${networkMessage}"` : undefined;
    const code = isQuotable || details.remedy !== undefined ? networkCode : undefined;
    const reason = [code, quote].filter(Boolean).join(' ');
    // The network's own sentence has its own full stop.
    const end = /[.!?]"$/.test(reason) ? '' : '.';
    super(
      { ...details, message: `the network refused${reason ? `: ${reason}` : ' without a reason'}${end}` },
      rateLimited ? 503 : 502,
    );
    this.code = rateLimited ? 'rate_limited' : 'refused';
    this.tokenSpent = details.tokenSpent ?? false;
    if (networkCode !== undefined) this.networkCode = networkCode;
    if (networkMessage !== undefined) this.networkMessage = networkMessage;
    if (requestId !== undefined) this.requestId = requestId;
    if (retryAfter !== undefined) this.retryAfter = retryAfter;
  }
}

/** What an answer lacks. */
export type MalformedCode =
  | 'unreadable_answer'
  | 'token_missing'
  | 'token_type_unknown'
  | 'callback_unconfirmed'
  | 'state_mismatch'
  | 'identifier_missing'
  | 'identifier_mismatch';

/** An answer that cannot be read: not JSON, no token, no identifier, another person's identifier. Status 502. */
export class MalformedError extends ProviderError {
  readonly code: MalformedCode;

  constructor(details: ProviderErrorDetails & { code: MalformedCode }) {
    super(withSpentTokenWarning(details), 502);
    this.code = details.code;
  }
}

/** Why a callback ended in a Passport failure. */
export type LoginFailureCode =
  | 'access_denied'
  | 'account_unusable'
  | 'malformed_callback'
  | 'unknown_login'
  | 'used_login'
  | 'expired_login'
  | 'wrong_issuer';

/**
 * Thrown inside a login to end it in Passport's `fail({ message, code }, status)`: the person's "no", or a callback
 * that belongs to no pending login. An application meets it only when it calls `userProfile` itself.
 */
export class LoginFailure extends Error {
  readonly code: LoginFailureCode;
  readonly status: number;
  readonly statusCode: number;
  /** The message is written for the person. */
  readonly expose: boolean = true;

  constructor(code: LoginFailureCode, status: number, message: string) {
    super(message);
    this.name = new.target.name;
    this.code = code;
    this.status = status;
    this.statusCode = status;
  }
}
