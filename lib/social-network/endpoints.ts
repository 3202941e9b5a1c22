/** Default of `apiVersion`. */
export const API_VERSION = '5.126';

/**
 * Where the user logs in. The network moved from vk.com to vk.ru in September 2025.
 * @see https://dev.vk.com/api/access-token/authcode-flow-user (read 2026-11)
 */
export const AUTHORIZATION_URL = 'https://oauth.vk.ru/authorize';

/**
 * Sources for `form-action` of the Content-Security-Policy, both versions: the hosts that a browser may open between the redirect to the
 * network and the way back. Browsers check each redirect of a form. The network does not document to which of its hosts the login page
 * redirects, so these are all of them.
 */
export const FORM_ACTION_SOURCES: readonly string[] = ['https://*.vk.ru', 'https://*.vk.com'];

/** Token requests. @see https://dev.vk.com/api/access-token/authcode-flow-user (read 2026-11) */
export const TOKEN_URL = 'https://oauth.vk.ru/access_token';

/** The user's record. @see https://dev.vk.com/en/api/api-requests (read 2026-11) */
export const PROFILE_URL = 'https://api.vk.ru/method/users.get';

/** VK ID: where the user logs in. @see https://id.vk.ru/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description (read 2026-11) */
export const VK_ID_AUTHORIZATION_URL = 'https://id.vk.ru/authorize';

/** VK ID: token requests and refreshes. @see https://id.vk.ru/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description (read 2026-11) */
export const VK_ID_TOKEN_URL = 'https://id.vk.ru/oauth2/auth';

/** VK ID: the user's record. @see https://id.vk.ru/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description (read 2026-11) */
export const VK_ID_PROFILE_URL = 'https://id.vk.ru/oauth2/user_info';

/** VK ID: withdraws the user's consent; in the sample of the SDK. @see https://github.com/VKCOM/vkid-android-sdk (read 2026-11) */
export const VK_ID_REVOCATION_URL = 'https://id.vk.ru/oauth2/revoke';

/** VK ID: ends the session that belongs to a token. @see https://github.com/VKCOM/vkid-web-sdk (read 2026-11) */
export const VK_ID_LOGOUT_URL = 'https://id.vk.ru/oauth2/logout';

/** VK ID: default of `apiVersion`, for `profileFields`. */
export const VK_ID_API_VERSION = '5.199';
