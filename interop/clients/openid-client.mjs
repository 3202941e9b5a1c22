import * as client from 'openid-client';
import { CALLBACK, consent, tiktokUser, vkIdUser, vkUser, xUser } from '../browser.mjs';

/** @type {import('../main.mjs').Client} */
export const openidClient = {
  package: 'openid-client',
  logins: ({ tiktok, x, vk, vkId }) => ({
    async TikTok() {
      const server = {
        issuer: 'https://www.tiktok.com',
        authorization_endpoint: 'https://www.tiktok.com/v2/auth/authorize/',
        token_endpoint: 'https://open.tiktokapis.com/v2/oauth/token/',
      };
      /** @type {client.ClientAuth} */
      const authenticate = (_server, _client, body) => {
        body.set('client_key', tiktok.id);
        body.set('client_secret', tiktok.secret);
      };
      const config = new client.Configuration(server, tiktok.id, undefined, authenticate);
      const parameters = { scope: 'user.info.basic', client_key: tiktok.id };
      const { tokens } = await logIn(config, parameters);
      return tiktokUser(tokens.access_token);
    },
    'X 2.0': () => logInToX(x.id, client.ClientSecretBasic(x.secret)),
    'X 2.0, public client': () => logInToX(x.publicId, client.None()),
    async VK() {
      const server = {
        issuer: 'https://oauth.vk.ru',
        authorization_endpoint: 'https://oauth.vk.ru/authorize',
        token_endpoint: 'https://oauth.vk.ru/access_token',
      };
      const config = new client.Configuration(server, vk.id, undefined, client.ClientSecretPost(vk.secret));
      const { tokens } = await logIn(config, { scope: 'email', v: '5.199' }, { pkce: false });
      return vkUser(tokens.access_token);
    },
    async 'VK ID'() {
      const server = {
        issuer: 'https://id.vk.ru',
        authorization_endpoint: 'https://id.vk.ru/authorize',
        token_endpoint: 'https://id.vk.ru/oauth2/auth',
      };
      const config = new client.Configuration(server, vkId.id, undefined, client.None());
      const { tokens } = await logIn(config, { scope: 'vkid.personal_info email' }, { device: true });
      return vkIdUser(tokens.access_token, vkId.id);
    },
  }),
};

/** @param {string} id @param {client.ClientAuth} authentication */
async function logInToX(id, authentication) {
  const server = {
    issuer: 'https://x.com',
    authorization_endpoint: 'https://x.com/i/oauth2/authorize',
    token_endpoint: 'https://api.x.com/2/oauth2/token',
  };
  const config = new client.Configuration(server, id, undefined, authentication);
  const { tokens } = await logIn(config, { scope: 'tweet.read users.read' });
  return xUser(tokens.access_token);
}

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
  return { tokens: await client.authorizationCodeGrant(config, response, checks, extra) };
}
