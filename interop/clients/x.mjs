// X's own client, and the one that most applications of X use.
import { Client, generateCodeChallenge, generateCodeVerifier, OAuth1, OAuth2 } from '@xdevplatform/xdk';
import { TwitterApi } from 'twitter-api-v2';
import { CALLBACK, consent } from '../browser.mjs';

const logins = ({ x, xConsumer }, logIn2, logIn1) => ({
  'X 2.0': () => logIn2({ clientId: x.id, clientSecret: x.secret }),
  'X 2.0, public client': () => logIn2({ clientId: x.publicId }),
  'X 1.0a': () => logIn1(xConsumer, CALLBACK, false),
  'X 1.0a, PIN': () => logIn1(xConsumer, 'oob'),
});

const consentTo = async (name, url) => (await consent(url)).searchParams.get(name) ?? '';

export const xdk = {
  package: '@xdevplatform/xdk',
  logins: (given) => ({
    ...logins(given, logIn2WithXdk, logIn1WithXdk),
    'X 1.0a, "Log in with X"': () => logIn1WithXdk(given.xConsumer, CALLBACK, true),
  }),
};

async function logIn2WithXdk(credentials) {
  const scope = ['tweet.read', 'users.read', 'offline.access'];
  const oauth2 = new OAuth2({ ...credentials, redirectUri: CALLBACK, scope });
  const codeVerifier = generateCodeVerifier();
  await oauth2.setPkceParameters(codeVerifier, await generateCodeChallenge(codeVerifier));
  const code = await consentTo('code', await oauth2.getAuthorizationUrl('example-state'));
  const tokens = await oauth2.exchangeCode(code, codeVerifier);
  const { data } = await new Client({ accessToken: tokens.access_token }).users.getMe();
  return data?.id ?? '';
}

async function logIn1WithXdk({ id, secret }, callback, loginWithX) {
  const consumer = { apiKey: id, apiSecret: secret };
  const oauth1 = new OAuth1({ ...consumer, callback });
  const verifier = await consentTo('oauth_verifier', await oauth1.startOAuthFlow(loginWithX));
  const user = new OAuth1({ ...consumer, callback: CALLBACK, ...(await oauth1.getAccessToken(verifier)) });
  const { data } = await new Client({ oauth1: user }).users.getMe();
  return data?.id ?? '';
}

export const twitterApiV2 = {
  package: 'twitter-api-v2',
  logins: (given) => logins(given, logIn2WithApi, logIn1WithApi),
};

async function logIn2WithApi(credentials) {
  const api = new TwitterApi(credentials);
  const { url, codeVerifier } = api.generateOAuth2AuthLink(CALLBACK, { scope: ['tweet.read', 'users.read'] });
  const code = await consentTo('code', url);
  const { client } = await api.loginWithOAuth2({ code, codeVerifier, redirectUri: CALLBACK });
  return (await client.v2.me()).data.id;
}

async function logIn1WithApi({ id, secret }, callback) {
  const consumer = { appKey: id, appSecret: secret };
  const link = await new TwitterApi(consumer).generateAuthLink(callback);
  const requestToken = { accessToken: link.oauth_token, accessSecret: link.oauth_token_secret };
  const verifier = await consentTo('oauth_verifier', link.url);
  const { client } = await new TwitterApi({ ...consumer, ...requestToken }).login(verifier);
  return (await client.v1.verifyCredentials()).id_str;
}
