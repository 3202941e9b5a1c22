import type { LoginStep, RefusalMeaning } from '../facts.js';

/** What a {@link ProviderError} is made of. Message (without provider and step) and cause are already free of secrets. */
export interface ProviderErrorDetails extends Pick<ProviderError, 'provider' | 'step' | 'message'> {
  /** What usually helps; becomes the last sentence of the message. */
  hint?: string | undefined;
  /** The underlying error. */
  cause?: Error | undefined;
  /** HTTP status of the network's own response. */
  networkStatus?: number | undefined;
  /** See {@link ProviderError.retryable}. Default: `false`. */
  retryable?: boolean | undefined;
}

/** A login, refresh or revocation that failed on the network's side. Nothing in it holds a secret, token, authorization code or verifier. */
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
  /**
   * `true` for a fault of the network or the way to it, and for a limit that ends by itself: the same can succeed later. `false` for what will
   * fail again until somebody changes something. A login begins anew either way: its code is spent.
   */
  readonly retryable: boolean;
  /** Whether frameworks may show `message` to the browser. Always `false`: the message is written for developers. */
  readonly expose: boolean = false;

  constructor(details: ProviderErrorDetails & { code: string }, status: number) {
    const { provider, step, code, message, hint = '', cause, networkStatus, retryable = false } = details;
    super(`${provider}, ${step}: ${message} ${hint}`.trimEnd(), cause && { cause });
    this.retryable = retryable;
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
    this.name = 'UnreachableError';
  }
}

/** What a network's error response says, as it was read. Every field may be missing; {@link RefusedError} has most of them, cleaned. */
export type ErrorResponse = { -readonly [Name in keyof Said]?: Said[Name] | undefined };
type Said = Pick<RefusedError, 'networkCode' | 'networkMessage' | 'requestId' | 'retryAfter' | 'userURL'>;

/** The network sent an error response. `code` is `rate_limited` if it asked for fewer requests, otherwise `refused`. Status 503 if it is retryable, otherwise 502. */
export class RefusedError extends ProviderError {
  declare readonly code: 'refused' | 'rate_limited';
  /** What the refusal is about; absent if nobody knows. */
  declare readonly means?: RefusalMeaning;
  /** The network's own code, always a string: `invalid_grant`, `453`, `scope_not_authorized`; absent when it sent none. */
  declare readonly networkCode?: string;
  /** The network's own message, cleaned and cut short. It is untrusted text: escape it before you put it into a page. */
  declare readonly networkMessage?: string;
  /** The network's ID of the request, to quote in a support case. */
  declare readonly requestId?: string;
  /** Seconds until the network accepts requests again. */
  declare readonly retryAfter?: number;
  /**
   * Page of the network that the user has to open, to solve a captcha or to confirm who they are: redirect them there, and let them log in again
   * afterwards. https, on a host of the network. Not enumerable, so that no log shows it: it works for this user.
   */
  declare readonly userURL?: string;
  /**
   * `true` when the network does not accept the access token: it is expired or revoked. Refresh it and try again, once. The user has to log
   * in again where there is no refresh token, or if the refresh fails with `tokenSpent`.
   */
  readonly accessTokenSpent: boolean;
  /** `true` when the refresh token is expired, revoked or used: the user has to log in again. */
  readonly tokenSpent: boolean;

  constructor(
    details: Omit<ProviderErrorDetails, 'message' | 'retryable'> &
      ErrorResponse & { means?: RefusalMeaning | undefined },
  ) {
    const { means, networkCode, networkMessage, requestId, retryAfter, userURL } = details;
    const retryable = means === 'limit' || means === 'network fault';
    // An authorization response comes in a URL, and anyone can write a URL: its message is not quoted.
    const isQuotable = details.step !== 'authorization';
    const quote = networkMessage && isQuotable ? `"${networkMessage}"` : undefined;
    const shownCode = isQuotable || means !== undefined ? networkCode : undefined;
    const reason = [shownCode, quote].filter(Boolean).join(' ');
    const end = /[.!?]"$/.test(reason) ? '' : '.';
    const hasReason = networkCode !== undefined || networkMessage !== undefined;
    const elsewhere = hasReason ? '; networkCode and networkMessage have its reason' : ' without a reason';
    const message = `the network refused${reason ? `: ${reason}` : elsewhere}${end}`;
    const code = means === 'limit' ? 'rate_limited' : 'refused';
    super({ ...details, message, code, retryable }, retryable ? 503 : 502);
    this.name = 'RefusedError';
    this.accessTokenSpent = means === 'access token spent';
    this.tokenSpent = means === 'refresh token spent';
    const known = { means, networkCode, networkMessage, requestId, retryAfter };
    for (const [name, value] of Object.entries(known)) {
      if (value !== undefined) Object.assign(this, { [name]: value });
    }
    Object.defineProperty(this, 'userURL', { value: userURL });
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

/** A response that cannot be used: not JSON, no token, no user ID, another user's ID. Status 502, or 503 for a page in place of a response while the network has a fault. */
export class MalformedError extends ProviderError {
  declare readonly code: MalformedCode;

  constructor(details: ProviderErrorDetails & { code: MalformedCode }) {
    super(withSpentTokenWarning(details), details.retryable ? 503 : 502);
    this.name = 'MalformedError';
  }
}

/** The error for a response that lacks the user's ID or has another user's. @param found - Completes the sentence "the response has ...". */
export function identifierError(
  provider: string,
  step: LoginStep,
  code: 'identifier_missing' | 'identifier_mismatch',
  found: string,
): MalformedError {
  const outcome = step === 'refresh' ? 'No token is handed out' : 'Nobody is logged in';
  const hint = `${outcome} unless the identifier is certain. Check the addresses in the options.`;
  return new MalformedError({ provider, step, code, message: `the response has ${found}.`, hint });
}

/** The refresh token may be spent although the response could not be read. */
function withSpentTokenWarning<T extends ProviderErrorDetails>(details: T): T {
  if (details.step !== 'refresh') return details;
  const warning =
    'The refresh token may be spent all the same: keep it, and if the next refresh is refused, let the user log in again.';
  return { ...details, hint: `${details.hint ?? ''} ${warning}`.trimStart() };
}

/** The HTTP status for the user. */
const STATUS = {
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

/**
 * Why a login ended in a Passport failure: `access_denied`, `account_unusable`, `expired_login`, `malformed_request`, `malformed_response`,
 * `method_not_allowed`, `no_room`, `not_a_navigation`, `unknown_login`, `used_login` or `wrong_issuer`.
 */
export type LoginFailureCode = keyof typeof STATUS;

/** Ends a login in Passport's `fail({ message, code, networkMessage? }, status)`: the user declined, or the response belongs to no pending login. */
export class LoginFailure extends Error {
  /** The HTTP status for the user: 400, 401, 403, 405 or 431. */
  readonly status: number;
  /** Equal to `status`. */
  readonly statusCode: number;
  /** The message is written for the user. */
  readonly expose: boolean = true;
  /** The network's own words, cleaned and cut short; absent when it sent none. Anyone can have written them: escape them before you put them into a page. */
  declare readonly networkMessage?: string;

  constructor(
    /** Why the login failed. */
    readonly code: LoginFailureCode,
    message: string,
    networkMessage?: string,
  ) {
    super(message);
    this.name = 'LoginFailure';
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
