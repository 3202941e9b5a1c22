import type { Agent } from 'node:http';
import type { ClientCredentials, ProtocolFacts } from './facts.js';
import type { LoginSettings } from './options/index.js';

/**
 * Name of the method by which a strategy shows itself to `passport-social-networks-check`: no login calls it, and it is no part of the public
 * interface. The symbol is registered, so that a check finds it on the strategies of another copy of this package.
 */
export const checked: unique symbol = Symbol.for('passport-social-networks/checked');

/** A strategy, as the check before the first login sees it. */
export interface CheckedStrategy {
  readonly protocol: 'OAuth 1.0a' | 'OAuth 2.0';
  readonly facts: ProtocolFacts;
  readonly settings: LoginSettings;
  readonly credentials: ClientCredentials;
  /** URLs that a login requests, that of `tryCredentials` first. */
  readonly urls: readonly string[];
  /** The application's agent. */
  readonly agent: Agent | undefined;
  /**
   * Sends the first request of a login that has credentials, for a login that nobody began: OAuth 2.0 exchanges a code that the network never
   * issued, OAuth 1.0a requests a request token. An application's own `parseErrorResponse` is left out: it would hide the network's response.
   *
   * @param credentials - The strategy's, or wrong ones to compare.
   * @param redirectURI - An absolute URL. OAuth 1.0a: also `oob`.
   * @throws {@link ProviderError} unless the network accepts it.
   */
  tryCredentials(credentials: ClientCredentials, redirectURI: string): Promise<unknown>;
}
