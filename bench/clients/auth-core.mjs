// Auth.js without a framework: `Auth(request, config)` starts and finishes a login. By default it keeps state and code verifier in
// encrypted cookies and makes a session token at the end, so both are part of what is measured.
import { Auth, skipCSRFCheck } from '@auth/core';
import TikTok from '@auth/core/providers/tiktok';
import Twitter from '@auth/core/providers/twitter';
import Vk from '@auth/core/providers/vk';
import { agreeing, NETWORKS } from '../network/networks.mjs';

const ORIGIN = 'https://app.example';
const CLIENT = { clientId: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET' };

/** @param {import('../network/network.mjs').NetworkAddresses} addresses @returns {import('./passport-client.mjs').Client[]} */
export function authCore({ token, api }) {
  /** @param {string} token @param {string} userinfo */
  const at = (token, userinfo) => ({
    options: { ...CLIENT, token: `${api}${token}`, userinfo: `${api}${userinfo}` },
  });
  return [
    client('short-video', {
      ...TikTok(CLIENT),
      ...at('/short-video/token/', '/short-video/user/?fields=open_id,avatar_url,display_name'),
    }),
    client('microblog 2.0', {
      ...Twitter(CLIENT),
      ...at('/microblog/token', '/microblog/me?user.fields=profile_image_url'),
    }),
    client('social-network', {
      ...Vk(CLIENT),
      options: {
        ...CLIENT,
        // The provider sets no check. It also needs a token_type, which the network does not send.
        checks: ['state'],
        token: { url: `${token}/social-network/access_token?v=5.131`, conform: addTokenType },
        userinfo: { url: `${api}/social-network/users.get?fields=photo_100&v=5.131` },
      },
    }),
  ];
}

/** @param {Response} response */
async function addTokenType(response) {
  return Response.json({ .../** @type {object} */ (await response.json()), token_type: 'bearer' });
}

/** @param {string} network @param {any} provider @returns {import('./passport-client.mjs').Client} */
function client(network, provider) {
  const facts = /** @type {import('../network/networks.mjs').Network} */ (NETWORKS[network]);
  const config = {
    providers: [provider],
    secret: 'a secret of more than thirty-two characters',
    basePath: '/auth',
    trustHost: true,
    skipCSRFCheck,
    // Collected instead of printed: `login` throws the error.
    logger: { error: (/** @type {Error} */ error) => failures.push(error) },
  };
  /** @type {Error[]} */
  const failures = [];
  /** @param {Request} request @returns {Promise<any>} A `Response`, because `raw` is not set. */
  const ask = (request) => Auth(request, /** @type {any} */ (config));
  return {
    subject: [network],
    client: '@auth/core',
    async login() {
      const start = new Request(`${ORIGIN}/auth/signin/${provider.id}`, { method: 'POST' });
      const started = await ask(start);
      const query = new URLSearchParams(agreeing(facts, started.headers.get('location') ?? ''));
      const cookie = started.headers.getSetCookie().map(firstPart).join('; ');
      const callback = new Request(`${ORIGIN}/auth/callback/${provider.id}?${query.toString()}`, {
        headers: { cookie },
      });
      const ended = await ask(callback);
      const cookies = ended.headers.getSetCookie().join();
      if (!cookies.includes('session-token='))
        throw failures.pop() ?? new Error(`ended at ${ended.headers.get('location')}`);
    },
  };
}

const firstPart = (/** @type {string} */ line) => line.split(';', 1)[0];
