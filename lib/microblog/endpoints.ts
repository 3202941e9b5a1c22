/**
 * OAuth 2.0: where the user logs in. The old twitter.com address does not see logins on x.com.
 * @see https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code (read 2026-11)
 */
export const AUTHORIZATION_URL = 'https://x.com/i/oauth2/authorize';

/**
 * Sources for `form-action` of the Content-Security-Policy, both versions: the hosts that a browser may open between the redirect to the
 * network and the way back. Browsers check each redirect of a form. The network does not document to which of its hosts the login page
 * redirects, so these are all of them.
 */
export const FORM_ACTION_SOURCES: readonly string[] = [
  'https://x.com',
  'https://*.x.com',
  'https://*.twitter.com',
];

/** OAuth 2.0: token requests and refreshes. @see https://docs.x.com/fundamentals/authentication/oauth-2-0/user-access-token (read 2026-11) */
export const TOKEN_URL = 'https://api.x.com/2/oauth2/token';

/** OAuth 2.0: revocation. @see https://docs.x.com/fundamentals/authentication/oauth-2-0/user-access-token (read 2026-11) */
export const REVOCATION_URL = 'https://api.x.com/2/oauth2/revoke';

/** The users lookup: the record in OAuth 2.0, the fallback in 1.0. @see https://docs.x.com/x-api/users/lookup (read 2026-11) */
export const LOOKUP_URL = 'https://api.x.com/2/users/me';

/** OAuth 1.0a: temporary credentials. @see https://docs.x.com/fundamentals/authentication/api-reference (read 2026-11) */
export const REQUEST_TOKEN_URL = 'https://api.x.com/oauth/request_token';

/** OAuth 1.0a: token credentials. @see https://docs.x.com/fundamentals/authentication/api-reference (read 2026-11) */
export const ACCESS_TOKEN_URL = 'https://api.x.com/oauth/access_token';

/**
 * OAuth 1.0a: where the user logs in. `authenticate` skips the question if the user allowed the application before;
 * `https://api.x.com/oauth/authorize` always asks.
 * @see https://docs.x.com/fundamentals/authentication/guides/log-in-with-x (read 2026-11)
 */
export const USER_AUTHORIZATION_URL = 'https://api.x.com/oauth/authenticate';

/** OAuth 1.0a: the record. @see https://developer.x.com/en/docs/x-api/v1/accounts-and-users/manage-account-settings/api-reference/get-account-verify_credentials (read 2026-11) */
export const VERIFY_CREDENTIALS_URL = 'https://api.x.com/1.1/account/verify_credentials.json';

/** OAuth 1.0a: revocation. @see https://docs.x.com/fundamentals/authentication/api-reference (read 2026-11) */
export const INVALIDATE_TOKEN_URL = 'https://api.x.com/1.1/oauth/invalidate_token.json';
