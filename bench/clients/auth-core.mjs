// Auth.js without a framework: `Auth(request, config)` starts and finishes a login, seals state and verifier in cookies and
// makes its session token at the end. Those are its defaults, and a part of its login.
import { Auth, skipCSRFCheck } from '@auth/core';
import TikTok from '@auth/core/providers/tiktok';
import Twitter from '@auth/core/providers/twitter';
import Vk from '@auth/core/providers/vk';
import { agreeing } from './passport-client.mjs';

const ORIGIN = 'https://app.example';
const CLIENT = { clientId: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET' };

/**
 * @param {import('../network/processes.mjs').NetworkAddresses} addresses
 * @returns {import('./passport-client.mjs').Client[]}
 */
export function authCore({ token, api }) {
  const userFields = 'open_id,avatar_url,display_name';
  return [
    client('short-video', {
      ...TikTok(CLIENT),
      options: {
        ...CLIENT,
        token: `${api}/short-video/token/`,
        userinfo: `${api}/short-video/user/?fields=${userFields}`,
      },
    }),
    client('microblog 2.0', {
      ...Twitter(CLIENT),
      options: {
        ...CLIENT,
        token: `${api}/microblog/token`,
        userinfo: `${api}/microblog/me?user.fields=profile_image_url`,
      },
    }),
    client('social-network', {
      ...Vk(CLIENT),
      options: {
        ...CLIENT,
        // Its provider names no check at all; without the network's missing token_type no login would end.
        checks: ['state'],
        token: { url: `${token}/social-network/access_token?v=5.131`, conform: addTokenType },
        userinfo: { url: `${api}/social-network/users.get?fields=photo_100&v=5.131` },
      },
    }),
  ];
}

/** @param {Response} answer */
async function addTokenType(answer) {
  return Response.json({ .../** @type {object} */ (await answer.json()), token_type: 'bearer' });
}

/**
 * @param {string} network
 * @param {any} provider
 * @returns {import('./passport-client.mjs').Client}
 */
function client(network, provider) {
  const config = {
    providers: [provider],
    secret: 'a secret of more than thirty-two characters',
    basePath: '/auth',
    trustHost: true,
    skipCSRFCheck,
    // A failure is thrown below; without this it would be printed as well.
    logger: { error: (/** @type {Error} */ error) => failures.push(error) },
  };
  /** @type {Error[]} */
  const failures = [];
  /** @param {Request} request @returns {Promise<any>} A `Response`, as long as `raw` is not asked for. */
  const ask = (request) => Auth(request, /** @type {any} */ (config));
  return {
    name: '@auth/core',
    network,
    async login() {
      const start = new Request(`${ORIGIN}/auth/signin/${provider.id}`, { method: 'POST' });
      const started = await ask(start);
      const query = new URLSearchParams(agreeing(started.headers.get('location') ?? ''));
      // A provider may check nothing but PKCE.
      if (query.get('state') === '') query.delete('state');
      const cookie = started.headers
        .getSetCookie()
        .map((/** @type {string} */ line) => line.split(';', 1)[0]);
      const callback = new Request(`${ORIGIN}/auth/callback/${provider.id}?${query.toString()}`, {
        headers: { cookie: cookie.join('; ') },
      });
      const ended = await ask(callback);
      const isLoggedIn = ended.headers
        .getSetCookie()
        .some((/** @type {string} */ line) => line.includes('session-token='));
      if (!isLoggedIn) throw failures.pop() ?? new Error(`ended at ${ended.headers.get('location')}`);
    },
  };
}
