import * as client from 'openid-client';
import { CALLBACK, consent, tiktokUser, vkIdUser, vkUser, xUser } from '../browser.mjs';

/** Issuer, authorization endpoint and token endpoint of each network. */
const SERVERS = {
  TikTok: ['https://www.tiktok.com', '/v2/auth/authorize/', 'https://open.tiktokapis.com/v2/oauth/token/'],
  X: ['https://x.com', '/i/oauth2/authorize', 'https://api.x.com/2/oauth2/token'],
  VK: ['https://oauth.vk.ru', '/authorize', 'https://oauth.vk.ru/access_token'],
  'VK ID': ['https://id.vk.ru', '/authorize', 'https://id.vk.ru/oauth2/auth'],
};
const X_SCOPE = { scope: 'tweet.read users.read' };

export const openidClient = {
  package: 'openid-client',
  logins: ({ tiktok, x, vk, vkId }) => ({
    async TikTok() {
      const credentials = { client_key: tiktok.id, client_secret: tiktok.secret };
      const authenticate = (_server, _client, body) => {
        for (const [name, value] of Object.entries(credentials)) body.set(name, value);
      };
      const parameters = { scope: 'user.info.basic', client_key: tiktok.id };
      return tiktokUser(await logIn('TikTok', tiktok.id, authenticate, parameters));
    },
    'X 2.0': async () => xUser(await logIn('X', x.id, client.ClientSecretBasic(x.secret), X_SCOPE)),
    'X 2.0, public client': async () => xUser(await logIn('X', x.publicId, client.None(), X_SCOPE)),
    async VK() {
      const parameters = { scope: 'email', v: '5.199' };
      return vkUser(await logIn('VK', vk.id, client.ClientSecretPost(vk.secret), parameters, false));
    },
    async 'VK ID'() {
      const parameters = { scope: 'vkid.personal_info email' };
      return vkIdUser(await logIn('VK ID', vkId.id, client.None(), parameters), vkId.id);
    },
  }),
};

async function logIn(network, id, authenticate, parameters, pkce = true) {
  const [issuer, authorize, token_endpoint] = SERVERS[network];
  const server = { issuer, authorization_endpoint: `${issuer}${authorize}`, token_endpoint };
  const config = new client.Configuration(server, id, undefined, authenticate);
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const challenge = {
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  const request = { redirect_uri: CALLBACK, state, ...(pkce && challenge), ...parameters };
  const response = await consent(client.buildAuthorizationUrl(config, request));
  const checks = { expectedState: state, ...(pkce && { pkceCodeVerifier: verifier }) };
  // VK ID wants it back.
  const device_id = response.searchParams.get('device_id');
  const extra = device_id === null ? {} : { device_id };
  return (await client.authorizationCodeGrant(config, response, checks, extra)).access_token;
}
