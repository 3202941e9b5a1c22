import { classOf, isOAuth1, subjects } from '../contract/strategies.js';
import type { NamedStrategy } from '../support/login-app.js';
import type { AfterLogin, ExchangeDefinition } from '../support/network-definition.js';
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
export interface ExchangeNetwork extends Required<Omit<ExchangeDefinition, 'folder'>> {
  /** The name of the strategy. */
  readonly name: string;
  readonly strategy: (options: object, verify: ExchangeVerify) => AfterLogin;
  /** The parameter that connects the authorization response to its login. */
  readonly key: 'state' | 'oauth_token';
  /** How often a GET that gets 502, 503 or 504 is retried. */
  readonly retries: number;
  /** Headers of every request whose value is not in the exchange. */
  readonly headers: Readonly<Record<string, RegExp>>;
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
      recordOf: (login, record) => record ?? lastOf(login).response,
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
