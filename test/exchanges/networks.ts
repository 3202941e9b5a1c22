import { classOf, isOAuth1, subjects } from '../contract/strategies.js';
import type { NamedStrategy } from '../support/login-app.js';
import type { AfterLogin } from '../support/network-definition.js';
import type { Exchange } from './exchange.js';

/** The form of verify that the logins use. */
export type ExchangeVerify = (
  token: string,
  refreshToken: string | undefined,
  params: object,
  profile: object,
  done: (error: null, user: Express.User) => void,
) => void;

/** How to run the logins of one folder of exchanges, and the calls after them. */
export interface ExchangeNetwork {
  /** The name of the strategy. */
  readonly name: string;
  readonly strategy: (options: object, verify: ExchangeVerify) => AfterLogin;
  /** The fixed values, as listed in the README. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The parameters of the authorization response, besides `key`. */
  readonly callback: Readonly<Record<string, string>>;
  /** The parameter that connects the authorization response to its login. */
  readonly key: 'state' | 'oauth_token';
  /** The fields that the strategy adds to the token response. */
  readonly addedParams: Readonly<Record<string, string>>;
  /** How often a GET that gets 502, 503 or 504 is retried. */
  readonly retries: number;
  /** Headers of every request whose value is not in the exchange. */
  readonly headers: Readonly<Record<string, RegExp>>;
  /** The exchange of a login whose response identifies the user; its body is `_raw`. */
  readonly profileOf: (login: readonly Exchange[]) => Exchange;
  /** The record that verify gets as `_json`. */
  readonly recordOf: (login: readonly Exchange[]) => unknown;
  /** The calls after a login, with the fixed values. */
  readonly calls: Readonly<Record<string, (strategy: AfterLogin) => Promise<unknown>>>;
}

const lastOf = (login: readonly Exchange[]) => login.at(-1) as Exchange;

/** By folder: `<network>/<version>`. */
export const EXCHANGE_NETWORKS: ReadonlyMap<string, ExchangeNetwork> = new Map(
  subjects().map((subject) => {
    const { provider, version, retries, exchanges } = subject;
    const Strategy = classOf(subject);
    const network: ExchangeNetwork = {
      addedParams: {},
      profileOf: lastOf,
      recordOf: (login) => lastOf(login).response,
      ...exchanges,
      name: provider,
      strategy: (options, verify) => new Strategy(options, verify) as NamedStrategy as AfterLogin,
      options: {
        ...(version !== undefined && { version }),
        callbackURL: `https://app.example/api/auth/callback/${provider}`,
        ...exchanges.options,
      },
      key: isOAuth1(subject) ? 'oauth_token' : 'state',
      retries,
      // The OAuth 1.0a header contains a nonce and is not in the exchange; the request must still have one.
      headers: isOAuth1(subject) ? { authorization: /^OAuth / } : {},
    };
    return [`${provider}/${exchanges.folder}`, network];
  }),
);
