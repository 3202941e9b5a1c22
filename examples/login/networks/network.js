// @ts-check

/** Begins the keys of accounts at the sandbox. */
export const SANDBOX_PREFIX = 'sandbox:';

/** @param {string} provider Key of an account's network */
export const isOfSandbox = (provider) => provider.startsWith(SANDBOX_PREFIX);

/**
 * One version of a network.
 *
 * @typedef {object} Network
 * @property {string} name Name of the strategy, part of the routes
 * @property {'short-video' | 'microblog' | 'social-network'} family The network. All its versions return the same user IDs
 * @property {string} title What people call the network
 * @property {string} protocol Distinguishes it from others of its family
 * @property {string} variable Prefix of the environment variables with its credentials
 * @property {readonly string[]} hosts Sources for `form-action` of the Content-Security-Policy
 * @property {(sandbox: import('passport-social-networks-sandbox').Sandbox) => object} sandboxOptions
 * @property {object} freshLogin Options that make the network ask users to sign in again, if it has such options
 * @property {(options: any) => Connection} connect
 */

/**
 * A network connected with credentials.
 *
 * @typedef {object} Connection
 * @property {import('passport').Strategy} strategy
 * @property {(tokens: Tokens) => Promise<Tokens>} [refresh] Absent if tokens do not expire or cannot be refreshed
 * @property {(tokens: Tokens) => Promise<void>} [revoke] Absent if the network cannot revoke tokens
 */

/**
 * Tokens for later requests to the network.
 *
 * @typedef {object} Tokens
 * @property {string} [accessToken]
 * @property {string} [refreshToken]
 * @property {string} [oauthToken]
 * @property {string} [oauthTokenSecret]
 * @property {string} [deviceID]
 * @property {Date} [expiresAt]
 * @property {readonly string[]} [scope] Granted scopes; absent if the network does not report them
 */

/**
 * The result of a login: a user's account at a network, not yet assigned to a user of this application.
 *
 * @typedef {object} Login
 * @property {string} provider Key of the network, see `networks/index.js`
 * @property {string} network Name of the strategy
 * @property {string} identifier
 * @property {AccountProfile} profile
 * @property {object} record The record that the network sent
 * @property {Tokens} tokens
 */

/** @typedef {Omit<Login, 'provider'>} VerifiedLogin What a strategy knows about a login */

/** @typedef {Omit<import('passport-social-networks').Profile<unknown>, 'provider' | 'id' | '_raw' | '_json'>} AccountProfile */

/** @param {import('passport-social-networks').Profile<any>} user @param {Tokens} tokens @returns {VerifiedLogin} */
export function readLogin({ provider, id, _raw, _json, ...rest }, tokens) {
  // Users choose names of any length. The database keeps them, and notices in sessions do.
  const profile = { ...rest, displayName: rest.displayName.slice(0, 100) };
  return { network: provider, identifier: id, profile, record: _json, tokens };
}

/** @param {import('passport-social-networks').Tokens} refreshed @returns {Tokens} */
export function readRefreshedTokens({ accessToken, refreshToken, expiresAt, scope }) {
  return {
    accessToken,
    refreshToken,
    ...(expiresAt && { expiresAt }),
    // An empty list means that the response did not report scopes. The scopes of the login remain in effect.
    ...(scope.length > 0 && { scope }),
  };
}
