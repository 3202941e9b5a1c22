import * as client from 'openid-client';
import { CALLBACK, consent, tiktokUser, vkIdUser, vkUser, xUser } from '../browser.mjs';

/** Issuer, authorization endpoint and token endpoint of each network. */
const SERVERS = /** @type {const} */ ({
  TikTok: ['https://www.tiktok.com', '/v2/auth/authorize/', 'https://open.tiktokapis.com/v2/oauth/token/'],
  X: ['https://x.com', '/i/oauth2/authorize', 'https://api.x.com/2/oauth2/token'],
  VK: ['https://oauth.vk.ru', '/authorize', 'https://oauth.vk.ru/access_token'],
  'VK ID': ['https://id.vk.ru', '/authorize', 'https://id.vk.ru/oauth2/auth'],
});

/** @param {keyof typeof SERVERS} network @param {string} id @param {client.ClientAuth} authenticate */
function configure(network, id, authenticate) {
  const [issuer, authorize, token_endpoint] = SERVERS[network];
  const server = { issuer, authorization_endpoint: `${issuer}${authorize}`, token_endpoint };
  return new client.Configuration(server, id, undefined, authenticate);
}

/** @type {import('../main.mjs').Client} */
export const openidClient = {
  package: 'openid-client',
  logins: ({ tiktok, x, vk, vkId }) => ({
    async TikTok() {
      const config = configure('TikTok', tiktok.id, (_server, _client, body) => {
        body.set('client_key', tiktok.id);
        body.set('client_secret', tiktok.secret);
      });
      return tiktokUser(await logIn(config, { scope: 'user.info.basic', client_key: tiktok.id }));
    },
    'X 2.0': () => logInToX(x.id, client.ClientSecretBasic(x.secret)),
    'X 2.0, public client': () => logInToX(x.publicId, client.None()),
    async VK() {
      const config = configure('VK', vk.id, client.ClientSecretPost(vk.secret));
      return vkUser(await logIn(config, { scope: 'email', v: '5.199' }, { pkce: false }));
    },
    async 'VK ID'() {
      const config = configure('VK ID', vkId.id, client.None());
      const token = await logIn(config, { scope: 'vkid.personal_info email' }, { device: true });
      return vkIdUser(token, vkId.id);
    },
  }),
};

/** @param {string} id @param {client.ClientAuth} authentication */
const logInToX = async (id, authentication) =>
  xUser(await logIn(configure('X', id, authentication), { scope: 'tweet.read users.read' }));

/**
 * @param {client.Configuration} config
 * @param {Record<string, string>} parameters
 * @param {{ pkce?: boolean, device?: boolean }} [quirks] - `device`: the authorization response has a `device_id` for the token request.
 */
async function logIn(config, parameters, { pkce = true, device = false } = {}) {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const challenge = {
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    state,
    ...(pkce && challenge),
    ...parameters,
  });
  const response = await consent(url);
  const checks = { expectedState: state, ...(pkce && { pkceCodeVerifier: verifier }) };
  const extra = device ? { device_id: response.searchParams.get('device_id') ?? '' } : undefined;
  return (await client.authorizationCodeGrant(config, response, checks, extra)).access_token;
}
