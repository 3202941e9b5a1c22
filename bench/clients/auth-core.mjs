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
  const tiktok = { token: `${api}/short-video/token/`, userinfo: `${api}/short-video/user/` };
  const x = { token: `${api}/microblog/token`, userinfo: `${api}/microblog/me` };
  const vk = {
    // The provider sets no check. It also needs a token_type, which the network does not send.
    checks: ['state'],
    token: { url: `${token}/social-network/access_token?v=5.131`, conform: addTokenType },
    userinfo: { url: `${api}/social-network/users.get?fields=photo_100&v=5.131` },
  };
  return [
    client('short-video', { ...TikTok(CLIENT), options: { ...CLIENT, ...tiktok } }),
    client('microblog 2.0', { ...Twitter(CLIENT), options: { ...CLIENT, ...x } }),
    client('social-network', { ...Vk(CLIENT), options: { ...CLIENT, ...vk } }),
  ];
}

/** @param {Response} response */
async function addTokenType(response) {
  return Response.json({ .../** @type {object} */ (await response.json()), token_type: 'bearer' });
}

/** @param {string} network @param {any} provider @returns {import('./passport-client.mjs').Client} */
function client(network, provider) {
  const facts = /** @type {import('../network/networks.mjs').Network} */ (NETWORKS[network]);
  /** @type {Error[]} */
  const failures = [];
  const config = {
    providers: [provider],
    secret: 'a secret of more than thirty-two characters',
    basePath: '/auth',
    trustHost: true,
    skipCSRFCheck,
    // Collected instead of printed: `login` throws the error.
    logger: { error: (/** @type {Error} */ error) => failures.push(error) },
  };
  /** @param {string} path @param {RequestInit} init @returns {Promise<any>} A `Response`, because `raw` is not set. */
  const ask = (path, init) => Auth(new Request(`${ORIGIN}/auth/${path}`, init), /** @type {any} */ (config));
  return {
    subject: [network],
    client: '@auth/core',
    async login() {
      const { headers } = await ask(`signin/${provider.id}`, { method: 'POST' });
      const query = new URLSearchParams(agreeing(facts, headers.get('location') ?? ''));
      const cookies = headers.getSetCookie().map((/** @type {string} */ line) => line.split(';', 1)[0]);
      const cookie = cookies.join('; ');
      const ended = await ask(`callback/${provider.id}?${query.toString()}`, { headers: { cookie } });
      if (!ended.headers.getSetCookie().join().includes('session-token='))
        throw failures.pop() ?? new Error(`ended at ${ended.headers.get('location')}`);
    },
  };
}
