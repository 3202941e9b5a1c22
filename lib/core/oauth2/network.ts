import type { ReadErrorResponse } from '../errors/index.js';
import type { ProtocolFacts } from '../facts.js';
import type { Transaction } from '../http/index.js';
import type { AuthorizationResponse, LoginAuthenticateOptions, PendingLogin } from '../login/index.js';
import type { LoginSettings } from '../options/index.js';

/** The complete options of an OAuth 2 strategy. */
export interface OAuth2Settings extends LoginSettings {
  readonly clientID: string;
  /** Absent for public clients. */
  readonly clientSecret: string | undefined;
  readonly scope: readonly string[];
  readonly authorizationURL: string;
  readonly tokenURL: string;
}

/** Encoding of the code verifier's SHA-256. The standard says base64url. */
export type ChallengeEncoding = 'base64url' | 'hex';

/** A network's deviations from the standard, and its choices where the standard leaves one. */
export interface OAuth2Network {
  /** The network's name for the client ID. */
  readonly clientParameter: string;
  /** The place of the client secret. A client without one sends its ID in the form. */
  readonly clientAuthentication: 'form' | 'basic';
  readonly scopeSeparator: ' ' | ',';
  /** Encoding of the PKCE code challenge; `none` where the network rejects PKCE. */
  readonly codeChallenge: ChallengeEncoding | 'none';
  /** Names of its own options of `authenticate`. */
  readonly authenticateOptions?: readonly string[];
  /** Parameters of an authorization response beyond the standard ones. */
  readonly responseParameters: readonly string[];
  /** Whether a token response must say that the token is a bearer token. */
  readonly tokenTypeRequired: boolean;
  /** URLs that a login requests with its token. */
  readonly profileURLs: readonly string[];
  readonly facts: ProtocolFacts;
  readonly readErrorResponse: ReadErrorResponse;
  /** Secrets of the application besides the client secret. */
  readonly secrets?: readonly string[];
  /** Unpacks an authorization response, for a network that packs its parameters into one. */
  readonly unpackResponse?: (response: AuthorizationResponse) => AuthorizationResponse;
  /** Parameters of the authorization response that the token request repeats. @throws {@link LoginFailure} if one is missing */
  readonly tokenRequestParameters?: (response: AuthorizationResponse) => Readonly<Record<string, string>>;
  /** Adds to the token response what the application needs later. */
  readonly completeTokenResponse?: (params: TokenResponse, response: AuthorizationResponse) => TokenResponse;
}

/** A network's token response, as it sent it. */
export interface TokenResponse {
  /** Goes into the `Authorization` header of requests on the user's behalf. Confidential. */
  readonly access_token: string;
  /** For `strategy.refresh`; absent if the network or the scope provides none. Confidential. */
  readonly refresh_token?: string;
  readonly [name: string]: unknown;
}

/** A login whose token response has arrived. */
export interface CurrentLogin {
  readonly pending: PendingLogin;
  readonly response: AuthorizationResponse;
  readonly params: TokenResponse;
  /** The token response's text, for IDs that are numbers. */
  readonly text: string;
  /** Its requests to the network. */
  readonly transaction: Transaction;
}

/** What `passport.authenticate(name, options)` accepts for all networks. */
export interface OAuth2AuthenticateOptions extends LoginAuthenticateOptions {
  /** Replaces the option of the same name for this login. */
  scope?: string | readonly string[];
}
