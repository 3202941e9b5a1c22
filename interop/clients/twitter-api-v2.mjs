import { TwitterApi } from 'twitter-api-v2';
import { CALLBACK, consent, readPin } from '../browser.mjs';

/** @type {import('../main.mjs').Client} */
export const twitterApiV2 = {
  package: 'twitter-api-v2',
  logins: ({ x, xConsumer }) => ({
    'X 2.0': () => logIn2({ clientId: x.id, clientSecret: x.secret }),
    'X 2.0, public client': () => logIn2({ clientId: x.publicId }),
    async 'X 1.0a'() {
      const consumer = { appKey: xConsumer.id, appSecret: xConsumer.secret };
      const link = await new TwitterApi(consumer).generateAuthLink(CALLBACK);
      const response = await consent(link.url);
      return logIn1(consumer, link, response.searchParams.get('oauth_verifier') ?? '');
    },
    async 'X 1.0a, PIN'() {
      const consumer = { appKey: xConsumer.id, appSecret: xConsumer.secret };
      const link = await new TwitterApi(consumer).generateAuthLink();
      return logIn1(consumer, link, await readPin(link.url));
    },
  }),
};

/** @param {{ clientId: string, clientSecret?: string }} credentials */
async function logIn2(credentials) {
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
async function logIn1(consumer, { oauth_token, oauth_token_secret }, verifier) {
  const withRequestToken = new TwitterApi({
    ...consumer,
    accessToken: oauth_token,
    accessSecret: oauth_token_secret,
  });
  const { client } = await withRequestToken.login(verifier);
  return (await client.v1.verifyCredentials()).id_str;
}
