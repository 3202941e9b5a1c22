/** Where the person logs in. @see https://developers.tiktok.com/doc/login-kit-web (read 2026-11) */
export const AUTHORIZATION_URL = 'https://www.tiktok.com/v2/auth/authorize/';

/**
 * Exchange and refresh. The slash at the end is part of the address: without it the network redirects.
 * @see https://developers.tiktok.com/doc/oauth-get-a-user-access-token (read 2026-11)
 */
export const TOKEN_URL = 'https://open.tiktokapis.com/v2/oauth/token/';

/** The person's record. @see https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info (read 2026-11) */
export const PROFILE_URL = 'https://open.tiktokapis.com/v2/user/info/';

/** Takes the application off the person's list. @see https://developers.tiktok.com/docs/en/oauth-revoke-a-user-access-token (read 2026-11) */
export const REVOCATION_URL = 'https://open.tiktokapis.com/v2/oauth/revoke/';
