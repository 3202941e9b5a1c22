import type { Callback } from './callback.js';
import type { LoginSettings } from './login-options.js';
import type { RefusalReader, Remedies } from './network-client.js';
import type { PendingLogin } from './pending-login.js';
import type { ChallengeEncoding } from './proof.js';

/** The complete options of an OAuth 2 strategy. */
export interface OAuth2Settings extends LoginSettings {
  readonly clientID: string;
  /** Absent for public clients. */
  readonly clientSecret: string | undefined;
  readonly scope: readonly string[];
  readonly authorizationURL: string;
  readonly tokenURL: string;
}

/** Where a network departs from the standard, or decides what the standard leaves open. */
export interface OAuth2Network {
  /** What the network calls the client's identifier. */
  readonly clientParameter: string;
  /** Where the client's secret goes. A client without one sends its identifier in the form. */
  readonly clientAuthentication: 'form' | 'basic';
  readonly scopeSeparator: ' ' | ',';
  /** How the code challenge is written; `none` where the network refuses PKCE. */
  readonly codeChallenge: ChallengeEncoding | 'none';
  /** Every parameter that a callback may bring. */
  readonly callbackParameters: readonly string[];
  /** Whether a token answer must say that the token is a bearer token. */
  readonly tokenTypeRequired: boolean;
  /** What a login asks with its token. Where that is another host, the connection is opened while the token is on its way. */
  readonly profileAddresses: readonly string[];
  readonly readRefusal: RefusalReader;
  readonly remedies: Remedies;
  /** Where the network packs its parameters in a way of its own: makes the usual ones of them. */
  readonly unpackCallback?: (callback: Callback) => Callback;
  /** What the exchange repeats from the callback. @throws {@link LoginFailure} when the callback lacks it */
  readonly exchangeParameters?: (callback: Callback) => Readonly<Record<string, string>>;
  /** Checks a token answer against the callback, and adds what the application needs later. */
  readonly completeTokenAnswer?: (answer: TokenAnswer, callback: Callback) => TokenAnswer;
}

/** A network's token answer, as it sent it. */
export interface TokenAnswer {
  /** Goes into the `Authorization` header of requests for the person. Confidential. */
  readonly access_token: string;
  /** For `strategy.refresh`; absent where network or scope give none. Confidential. */
  readonly refresh_token?: string;
  readonly [name: string]: unknown;
}

/** The login of the request at hand, known from the exchange on. */
export interface CurrentLogin {
  readonly pending: PendingLogin;
  readonly callback: Callback;
  readonly params: TokenAnswer;
  /** The token answer's exact text, for identifiers that are numbers. */
  readonly text: string;
  /** Everything of this login that no error may repeat. */
  readonly secrets: () => readonly string[];
}

/** What `passport.authenticate(name, options)` may bring for all networks. */
export interface OAuth2AuthenticateOptions {
  /** In place of the option of that name, for this login. */
  scope?: string | readonly string[];
  /** The application's own state; comes back as `info.state`. */
  state?: unknown;
  /** In place of the option of that name, for this login. */
  callbackURL?: string;
}
