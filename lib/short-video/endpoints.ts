/** Where the user logs in. @see https://developers.tiktok.com/doc/login-kit-web (read 2026-11) */
export const AUTHORIZATION_URL = 'https://www.tiktok.com/v2/auth/authorize/';

/**
 * Sources for `form-action` of the Content-Security-Policy: the hosts that a browser may open between the redirect to the network and the
 * way back. Browsers check each redirect of a form. The network does not document to which of its hosts the login page redirects, so these are
 * all of them.
 */
export const FORM_ACTION_SOURCES: readonly string[] = ['https://*.tiktok.com'];

/**
 * Token requests and refreshes. The trailing slash is part of the URL: without it the network redirects.
 * @see https://developers.tiktok.com/doc/oauth-get-a-user-access-token (read 2026-11)
 */
export const TOKEN_URL = 'https://open.tiktokapis.com/v2/oauth/token/';

/** The user's record. @see https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info (read 2026-11) */
export const PROFILE_URL = 'https://open.tiktokapis.com/v2/user/info/';

/** Revocation: removes the application from the user's list of connected apps. @see https://developers.tiktok.com/docs/en/oauth-revoke-a-user-access-token (read 2026-11) */
export const REVOCATION_URL = 'https://open.tiktokapis.com/v2/oauth/revoke/';
