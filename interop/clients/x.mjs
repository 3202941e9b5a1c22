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
    'X 1.0a': () => logIn1(xConsumer, CALLBACK, verifierAt, false),
    'X 1.0a, "Log in with X"': () => logIn1(xConsumer, CALLBACK, verifierAt, true),
    'X 1.0a, PIN': () => logIn1(xConsumer, 'oob', readPin),
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

/** @param {string} url */
const verifierAt = async (url) => (await consent(url)).searchParams.get('oauth_verifier') ?? '';

/** @param {import('../main.mjs').Application} consumer @param {string} callback @param {typeof verifierAt} authorize @param {boolean} [loginWithX] */
async function logIn1({ id, secret }, callback, authorize, loginWithX) {
  const consumer = { apiKey: id, apiSecret: secret };
  const oauth1 = new OAuth1({ ...consumer, callback });
  const tokens = await oauth1.getAccessToken(await authorize(await oauth1.startOAuthFlow(loginWithX)));
  const user = new OAuth1({ ...consumer, callback: CALLBACK, ...tokens });
  const { data } = await new Client({ oauth1: user }).users.getMe();
  return data?.id ?? '';
}

/** @type {import('../main.mjs').Client} */
export const twitterApiV2 = {
  package: 'twitter-api-v2',
  logins: ({ x, xConsumer }) => ({
    'X 2.0': () => logIn2WithApi({ clientId: x.id, clientSecret: x.secret }),
    'X 2.0, public client': () => logIn2WithApi({ clientId: x.publicId }),
    'X 1.0a': () => logIn1WithApi(xConsumer, CALLBACK, verifierAt),
    'X 1.0a, PIN': () => logIn1WithApi(xConsumer, undefined, readPin),
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

/** @param {import('../main.mjs').Application} application @param {string | undefined} callback @param {typeof verifierAt} authorize */
async function logIn1WithApi({ id, secret }, callback, authorize) {
  const consumer = { appKey: id, appSecret: secret };
  const link = await new TwitterApi(consumer).generateAuthLink(callback);
  const requestToken = { accessToken: link.oauth_token, accessSecret: link.oauth_token_secret };
  const { client } = await new TwitterApi({ ...consumer, ...requestToken }).login(await authorize(link.url));
  return (await client.v1.verifyCredentials()).id_str;
}
