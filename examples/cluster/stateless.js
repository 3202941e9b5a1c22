// @ts-check
import { cookieLogins } from 'passport-social-networks';
import { createApp } from 'sessionless-example/app.js';
import { createClaim } from './claim.js';

/**
 * The sessionless example as one of several processes. Pending logins are in encrypted cookies (`cookieLogins`), and users
 * identify themselves with a token. The processes share their secret, and a list of used logins in Redis.
 *
 * @param {string} secret
 * @param {string} redisURL
 * @param {Pick<import('passport-social-networks-sandbox').Sandbox, 'options'>} sandbox
 */
export async function createStatelessApp(secret, redisURL, { options }) {
  return createApp({
    networks: {
      'short-video': options('short-video'),
      microblog: options('microblog'),
      'microblog-1.0': options('microblog', { version: '1.0' }),
      'social-network': options('social-network'),
      'social-network-2.1': options('social-network', { version: '2.1' }),
    },
    secret,
    store: cookieLogins({ secrets: [secret], claim: await createClaim(redisURL) }),
    // The redirect URI uses the balancer's address.
    trustProxy: true,
  });
}
