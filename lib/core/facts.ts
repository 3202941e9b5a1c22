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

/**
 * What a network's error response is about.
 *
 * - `client refused`: client ID or secret
 * - `redirect URI refused`, `scope refused`: not what the application has at the network
 * - `user declined`
 * - `code spent`: the code or request token is expired, used, or another login's
 * - `access token spent`, `refresh token spent`: expired, revoked or used
 * - `account unusable`: suspended, banned, deactivated
 * - `user has to act`: at the network, before they can log in
 * - `application closed`: switched off, suspended, without the right or the money
 * - `clock refused`: this machine's
 * - `request refused`: an option is wrong
 * - `limit`: too many requests, for now
 * - `network fault`
 */
export type RefusalMeaning = keyof typeof HINTS;

/** What is known of some error responses. The first row that fits counts, so rows with a step or with words stand before the general ones. */
export interface ErrorRow {
  /** The network's codes; absent: any code, or none. */
  readonly code?: string | readonly string[];
  /** Absent: every step. */
  readonly step?: LoginStep;
  /** In lower case. One of them is in the network's description, in any letter case. */
  readonly words?: readonly string[];
  readonly means: RefusalMeaning;
  /** What usually helps, as a sentence for the developer. Default: what usually helps against such refusals. */
  readonly hint?: string;
  /** What the response says of the credentials: completes "BRAND ...". For the check before the first login. */
  readonly says?: string;
  /** `documented: <page>`, `observed: <report>` or `supposed`. */
  readonly source: string;
}

/** Rows that one source has, found by their codes alone: codes, meaning and `hint`. */
export function rowsFrom(
  source: string,
  rows: readonly (readonly [code: ErrorRow['code'] & {}, means: RefusalMeaning, hint?: string])[],
): ErrorRow[] {
  return rows.map(([code, means, hint]) => ({ code, means, ...(hint !== undefined && { hint }), source }));
}

/** The credentials of an application. */
export interface ClientCredentials {
  readonly clientID: string;
  /** The client secret, or the service key of a protocol without client secrets; absent for public clients. */
  readonly secret: string | undefined;
}

/** Whether a network accepts a redirect URI, from its form alone. */
export interface RedirectURIVerdict {
  /** `undefined`: nobody knows. */
  readonly isAccepted: boolean | undefined;
  /** Completes "BRAND ...". */
  readonly says: string;
  /** What to use instead. */
  readonly remedy?: string;
}

/** An authority that signs certificates of a network's hosts, and is in no list that Node ships. */
export interface KnownAuthority {
  /** Common name of its root certificate. */
  readonly name: string;
  /** SHA-256 of the root certificate, as Node writes it. */
  readonly fingerprint: string;
  /** Where the root certificate is published. */
  readonly download: string;
}

/** What is known about one protocol of a network. */
export interface ProtocolFacts {
  /** What users call the network. */
  readonly brand: string;
  /** Brand and protocol, which tells the protocols of a network apart: `X, OAuth 1.0a`. */
  readonly title: string;
  /** Host of the pages on which applications are registered. */
  readonly portal: string;
  /** What that portal calls ID and secret. */
  readonly credentialNames: readonly [id: string, secret: string];
  /** @param written - The redirect URI as it is sent: `url` leaves out a default port. */
  readonly judgeRedirectURI: (url: URL, written: string) => RedirectURIVerdict;
  /** The mistake that the form of refused credentials points at. */
  suspect(credentials: ClientCredentials): string | undefined;
  /** An authorization code in the network's form; absent where there are none. @param random - 43 characters. */
  inventCode?(random: string): string;
  /** A client ID in the network's form that belongs to nobody; absent where every client has a secret. @param random - 43 characters. */
  inventClientID?(random: string): string;
  /** What to beware of with the URL of a callback, as a sentence; absent where a code is bound to its login. */
  readonly callbackCaution?: string;
  readonly authorities?: readonly KnownAuthority[];
  readonly errorRows: readonly ErrorRow[];
}

/** What usually helps, by meaning, where a row says nothing more. */
const HINTS = {
  'client refused': 'Check clientID and clientSecret.',
  'redirect URI refused':
    'Register exactly this callbackURL with the application at the network, slash for slash.',
  'scope refused': 'Check scope against the rights of the application at the network.',
  'user declined': 'The user declined; let them start again.',
  'code spent':
    'The code is expired, was used before, or belongs to another login; let the user log in again.',
  'access token spent': 'The access token is expired or revoked; refresh it or let the user log in again.',
  'refresh token spent':
    'The refresh token is expired, revoked or was used before; let the user log in again.',
  'account unusable':
    'The account is suspended, banned or deactivated; its owner has to sort that out at the network.',
  'user has to act':
    'The network wants the user to confirm something; let them log in at the network, and here again.',
  'application closed': "Look at the application's state, package and rights at the network.",
  'clock refused': "Set this machine's clock.",
  'request refused': 'Check the options against what the network documents.',
  limit: 'Too many requests: try again later, after retryAfter if the network says how long.',
  'network fault': 'The network has a fault; try again later.',
};

/** Hints that more than one network has. */
export const OTHER_REDIRECT_URI =
  'The redirect URI of the token request is not that of the start: give one callbackURL, slash for slash the registered one.';
export const OTHER_VERIFIER = "The code verifier is another login's; let the user log in again.";

/** What usually helps against the refusal of a revocation. */
const REFRESH_FIRST =
  'The token is expired or was revoked already. An access token that has expired must be refreshed first: the grant stays otherwise.';

/** What networks say that take plain http on this machine only. */
export const NO_PLAIN_HTTP =
  'takes plain http on this machine only, because a browser sends the code in the clear';

/** The parts of an error response by which rows are found. */
export interface Refusal {
  readonly code: string | undefined;
  readonly description: string | undefined;
  readonly step: LoginStep;
}

/** The first row that fits an error response; `undefined` if nothing is known of it. */
export function lookUp(rows: readonly ErrorRow[], { code = '', description = '', step }: Refusal) {
  const text = description.toLowerCase();
  return rows.find(
    ({ code: codes = code, step: only = step, words }) =>
      only === step &&
      (typeof codes === 'string' ? codes === code : codes.includes(code)) &&
      (words?.some((word) => text.includes(word)) ?? true),
  );
}

/** What usually helps. */
export function hintOf({ hint, means, step }: Pick<ErrorRow, 'hint' | 'means' | 'step'>): string {
  return hint ?? (step === 'revoke' ? REFRESH_FIRST : HINTS[means]);
}
