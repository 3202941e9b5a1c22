/** The version of the API that requests name unless `apiVersion` says otherwise. */
export const API_VERSION = '5.126';

/**
 * Where the person logs in. The network moved from vk.com to vk.ru in September 2025.
 * @see https://dev.vk.com/api/access-token/authcode-flow-user (read 2026-11)
 */
export const AUTHORIZATION_URL = 'https://oauth.vk.ru/authorize';

/** Exchange of the code. @see https://dev.vk.com/api/access-token/authcode-flow-user (read 2026-11) */
export const TOKEN_URL = 'https://oauth.vk.ru/access_token';

/** The person's record. @see https://dev.vk.com/en/api/api-requests (read 2026-11) */
export const PROFILE_URL = 'https://api.vk.ru/method/users.get';
