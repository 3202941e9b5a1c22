// @ts-check
import { connectRedis } from 'login-example/sessions.js';

/**
 * Makes a login single-use across all instances. Otherwise two that get the same authorization response at once would both send its code,
 * and the network would accept it once. Redis lets only one of them have it.
 *
 * @param {string} redisURL
 * @returns {Promise<(id: string, expiresAt: number) => Promise<boolean>>} The option `claim` of `cookieLogins`
 */
export async function createClaim(redisURL) {
  const redis = await connectRedis(redisURL);
  return async (id, expiresAt) =>
    (await redis.set(`used-login:${id}`, '1', { NX: true, PXAT: expiresAt })) === 'OK';
}
