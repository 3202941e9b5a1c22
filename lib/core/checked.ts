import type { Agent } from 'node:http';

/** Name of the method by which a strategy shows `passport-social-networks/check` what its logins use. Applications cannot reach it. */
export const checked: unique symbol = Symbol('passport-social-networks/check');

/** What tells the network which application asks. */
export interface Credentials {
  readonly clientID: string;
  /** The client secret, or the service key of a protocol without client secrets; absent for public clients. */
  readonly secret: string | undefined;
}

/** A request that a login sends with its credentials, for a login that nobody began. */
export interface CredentialsAttempt {
  readonly credentials: Credentials;
  /** An absolute URL. OAuth 1.0a: also `oob`. */
  readonly callbackURL: string;
  /** An authorization code that the network never issued. OAuth 1.0a has none. */
  readonly code: string;
}

/** A strategy, as `passport-social-networks/check` sees it. */
export interface CheckedStrategy {
  /** The strategy's name. */
  readonly name: string;
  /** Version of the protocol, where one class has several. */
  readonly version?: string;
  readonly credentials: Credentials;
  /** The option; absolute, or resolved against each request. */
  readonly callbackURL: string;
  /** URLs that a login requests, that of {@link tryCredentials} first. */
  readonly urls: readonly string[];
  /** The application's agent. */
  readonly agent: Agent | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  /**
   * OAuth 2.0: exchanges the code. OAuth 1.0a: requests a request token.
   *
   * @throws {@link ProviderError} unless the network accepts it.
   */
  tryCredentials(attempt: CredentialsAttempt): Promise<void>;
}
