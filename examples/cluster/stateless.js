// @ts-check
import { createApp } from 'sessionless-example/app.js';

/**
 * The sessionless example as one of several processes: a pending login is in a sealed cookie (`cookieLogins`), whoever is
 * logged in has a token. The processes share their secret, and nothing else.
 *
 * @param {string} secret
 * @param {Pick<import('passport-social-networks/sandbox').Sandbox, 'options'>} sandbox
 */
export function createStatelessApp(secret, { options }) {
  return createApp({
    networks: {
      'short-video': options('short-video'),
      microblog: options('microblog'),
      'microblog-1.0': options('microblog', { version: '1.0' }),
      'social-network': options('social-network'),
      'social-network-2.1': options('social-network', { version: '2.1' }),
    },
    secret,
    // The callback's address is that of the balancer.
    trustProxy: true,
  });
}
