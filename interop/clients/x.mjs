// X's own client, and the one that most applications of X use.
import { Client, generateCodeChallenge, generateCodeVerifier, OAuth1, OAuth2 } from '@xdevplatform/xdk';
import { TwitterApi } from 'twitter-api-v2';
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

/** @type {import('../main.mjs').Client} */
export const twitterApiV2 = {
  package: 'twitter-api-v2',
  logins: ({ x, xConsumer }) => ({
    'X 2.0': () => logIn2WithApi({ clientId: x.id, clientSecret: x.secret }),
    'X 2.0, public client': () => logIn2WithApi({ clientId: x.publicId }),
    async 'X 1.0a'() {
      const consumer = { appKey: xConsumer.id, appSecret: xConsumer.secret };
      const link = await new TwitterApi(consumer).generateAuthLink(CALLBACK);
      const response = await consent(link.url);
      return logIn1WithApi(consumer, link, response.searchParams.get('oauth_verifier') ?? '');
    },
    async 'X 1.0a, PIN'() {
      const consumer = { appKey: xConsumer.id, appSecret: xConsumer.secret };
      const link = await new TwitterApi(consumer).generateAuthLink();
      return logIn1WithApi(consumer, link, await readPin(link.url));
    },
  }),
};

/** @param {{ clientId: string, clientSecret?: string }} credentials */
async function logIn2WithApi(credentials) {
  const link = new TwitterApi(credentials).generateOAuth2AuthLink(CALLBACK, {
    scope: ['tweet.read', 'users.read'],
  });
  const response = await consent(link.url);
  const { client } = await new TwitterApi(credentials).loginWithOAuth2({
    code: response.searchParams.get('code') ?? '',
    codeVerifier: link.codeVerifier,
    redirectUri: CALLBACK,
  });
  return (await client.v2.me()).data.id;
}

/**
 * @param {{ appKey: string, appSecret: string }} consumer
 * @param {{ oauth_token: string, oauth_token_secret: string }} link
 * @param {string} verifier
 */
async function logIn1WithApi(consumer, { oauth_token, oauth_token_secret }, verifier) {
  const withRequestToken = new TwitterApi({
    ...consumer,
    accessToken: oauth_token,
    accessSecret: oauth_token_secret,
  });
  const { client } = await withRequestToken.login(verifier);
  return (await client.v1.verifyCredentials()).id_str;
}
