import { Client, generateCodeChallenge, generateCodeVerifier, OAuth1, OAuth2 } from '@xdevplatform/xdk';
import { CALLBACK, consent, readPin } from '../browser.mjs';

/** @type {import('../main.mjs').Client} */
export const xdk = {
  package: '@xdevplatform/xdk',
  logins: ({ x, xConsumer }) => ({
    'X 2.0': () => logIn2({ clientId: x.id, clientSecret: x.secret }),
    'X 2.0, public client': () => logIn2({ clientId: x.publicId }),
    'X 1.0a': () => logIn1(xConsumer, false),
    'X 1.0a, "Log in with X"': () => logIn1(xConsumer, true),
    async 'X 1.0a, PIN'() {
      const oauth1 = client1(xConsumer, 'oob');
      return finish1(xConsumer, oauth1, await readPin(await oauth1.startOAuthFlow()));
    },
  }),
};

/** @param {{ clientId: string, clientSecret?: string }} credentials */
async function logIn2(credentials) {
  const oauth2 = new OAuth2({
    ...credentials,
    redirectUri: CALLBACK,
    scope: ['tweet.read', 'users.read', 'offline.access'],
  });
  const codeVerifier = generateCodeVerifier();
  await oauth2.setPkceParameters(codeVerifier, await generateCodeChallenge(codeVerifier));
  const response = await consent(await oauth2.getAuthorizationUrl('example-state'));
  const tokens = await oauth2.exchangeCode(response.searchParams.get('code') ?? '', codeVerifier);
  const { data } = await new Client({ accessToken: tokens.access_token }).users.getMe();
  return data?.id ?? '';
}

/** @param {import('../main.mjs').Application} consumer @param {boolean} loginWithX */
async function logIn1(consumer, loginWithX) {
  const oauth1 = client1(consumer, CALLBACK);
  const response = await consent(await oauth1.startOAuthFlow(loginWithX));
  return finish1(consumer, oauth1, response.searchParams.get('oauth_verifier') ?? '');
}

/** @param {import('../main.mjs').Application} consumer @param {OAuth1} oauth1 @param {string} verifier */
async function finish1({ id, secret }, oauth1, verifier) {
  const tokens = await oauth1.getAccessToken(verifier);
  const user = new OAuth1({ apiKey: id, apiSecret: secret, callback: CALLBACK, ...tokens });
  const { data } = await new Client({ oauth1: user }).users.getMe();
  return data?.id ?? '';
}

/** @param {import('../main.mjs').Application} consumer @param {string} callback */
const client1 = ({ id, secret }, callback) => new OAuth1({ apiKey: id, apiSecret: secret, callback });
