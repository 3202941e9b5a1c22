// @ts-check
import { createSessionlessApp } from 'express-example/sessionless.js';

/**
 * The sessionless example as one of several processes. They share nothing but secrets: the client secrets, which encrypt the cookies of
 * logins in progress, and the one that signs the tokens of the application.
 *
 * @param {string} secret
 * @param {Pick<import('passport-social-networks-sandbox').Sandbox, 'options'>} sandbox
 */
export function createStatelessApp(secret, { options }) {
  return createSessionlessApp({
    networks: {
      'short-video': options('short-video'),
      microblog: options('microblog'),
      'microblog-1.0': options('microblog', { version: '1.0' }),
      'social-network': options('social-network'),
      'social-network-2.1': options('social-network', { version: '2.1' }),
    },
    secret,
    // The redirect URI uses the balancer's address.
    trustProxy: true,
  });
}
