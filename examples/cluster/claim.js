// @ts-check
import { connectRedis } from 'login-example/sessions.js';

/**
 * Makes a login single-use across all instances: two that get the same authorization response at once can both read the pending
 * login before either removes it, and a pending login in a cookie can be copied. Redis lets only one of them have it.
 *
 * @param {string} redisURL
 * @returns {Promise<(id: string, expiresAt: number) => Promise<boolean>>} The option `claim` of a login store
 */
export async function createClaim(redisURL) {
  const redis = await connectRedis(redisURL);
  return async (id, expiresAt) =>
    (await redis.set(`used-login:${id}`, '1', { NX: true, PXAT: expiresAt })) === 'OK';
}
