// @ts-check

/**
 * A network in one version, as the rest of the application knows it.
 *
 * @typedef {object} Network
 * @property {string} name Of the strategy; also part of its addresses here and the `provider` of its accounts
 * @property {'short-video' | 'microblog' | 'social-network'} family
 * @property {string} title
 * @property {string} version What tells it from others of its family
 * @property {string} variable First part of the names under which the environment has its credentials
 * @property {boolean} hasSecret Whether its applications have a client secret
 * @property {readonly string[]} hosts Where a login can lead the browser, for the Content-Security-Policy
 * @property {(sandbox: import('passport-social-networks/sandbox').Sandbox) => object} sandboxOptions
 * @property {(options: any) => Connection} connect
 */

/**
 * A network with credentials.
 *
 * @typedef {object} Connection
 * @property {import('passport').Strategy} strategy
 * @property {Addresses} addresses
 * @property {(tokens: Tokens) => Promise<Tokens>} [refresh] Absent where tokens do not expire, or cannot be renewed
 * @property {(tokens: Tokens) => Promise<void>} [revoke] Absent where the network has no such thing
 */

/**
 * @typedef {object} Addresses
 * @property {string} [requestToken] Only in OAuth 1.0a
 * @property {string} authorization
 * @property {string} token
 * @property {string} profile
 */

/**
 * What a network hands out for later calls.
 *
 * @typedef {object} Tokens
 * @property {string} [accessToken]
 * @property {string} [refreshToken]
 * @property {string} [oauthToken]
 * @property {string} [oauthTokenSecret]
 * @property {string} [deviceID]
 * @property {Date} [expiresAt]
 * @property {readonly string[]} [scope] The granted ones; absent where the network does not say
 */

/**
 * A person, as a network tells it at the end of a login. Whose account that is here is decided later.
 *
 * @typedef {object} Login
 * @property {string} provider
 * @property {string} identifier
 * @property {AccountProfile} profile
 * @property {object} record What the network sent
 * @property {Tokens} tokens
 * @property {readonly string[]} answer Names of the members of the token answer
 */

/** @typedef {Omit<import('passport-social-networks').Profile<unknown>, 'provider' | 'id' | '_raw' | '_json'>} AccountProfile */

/**
 * @param {import('passport-social-networks').Profile<any>} person
 * @param {Tokens} tokens
 * @param {object} params The token answer
 * @returns {Login}
 */
export function readLogin({ provider, id, _raw, _json, ...profile }, tokens, params) {
  return { provider, identifier: id, profile, record: _json, tokens, answer: Object.keys(params) };
}

/**
 * @param {import('passport-social-networks').Tokens} renewed
 * @returns {Tokens}
 */
export function readRenewedTokens({ accessToken, refreshToken, expiresAt, scope }) {
  return {
    accessToken,
    refreshToken,
    ...(expiresAt && { expiresAt }),
    // An empty list means that the answer did not say: the scopes of the login still hold.
    ...(scope.length > 0 && { scope }),
  };
}
