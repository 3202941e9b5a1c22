// The packages that log people in through the same networks with Passport, with the defaults that they ship and the state
// switched on where their default is off.
import { createRequire } from 'node:module';
import { agreeing, agreeingToToken, CALLBACK_URL, passportClient, verify } from './passport-client.mjs';

const require = createRequire(import.meta.url);

/**
 * @param {import('../network/processes.mjs').NetworkAddresses} addresses
 * @returns {import('./passport-client.mjs').Client[]}
 */
export function passportPeers({ token, api }) {
  const TikTok = require('passport-tiktok-auth').Strategy;
  const TwitterOAuth2 = require('@superfaceai/passport-twitter-oauth2').Strategy;
  const Twitter = require('passport-twitter').Strategy;
  const Vkontakte = require('passport-vkontakte').Strategy;
  const authorizationURL = `${token}/authorize`;
  const common = {
    clientID: 'CLIENT-ID',
    clientSecret: 'CLIENT-SECRET',
    callbackURL: CALLBACK_URL,
    authorizationURL,
  };
  return [
    passportClient(
      'passport-tiktok-auth',
      'short-video',
      new TikTok(
        // Without pkce: the network wants its challenge in hex, which passport-oauth2 cannot write.
        {
          ...common,
          state: true,
          tokenURL: `${api}/short-video/token/`,
          profileURL: `${api}/short-video/user/`,
        },
        verify,
      ),
      agreeing,
    ),
    passportClient(
      '@superfaceai/passport-twitter-oauth2',
      'microblog 2.0',
      new TwitterOAuth2(
        {
          ...common,
          clientType: 'confidential',
          tokenURL: `${api}/microblog/token`,
          userProfileURL: `${api}/microblog/me?user.fields=profile_image_url,url`,
        },
        verify,
      ),
      agreeing,
    ),
    passportClient(
      'passport-twitter',
      'microblog 1.0',
      new Twitter(
        {
          consumerKey: 'CLIENT-ID',
          consumerSecret: 'CLIENT-SECRET',
          callbackURL: CALLBACK_URL,
          requestTokenURL: `${api}/microblog/request_token`,
          accessTokenURL: `${api}/microblog/access_token`,
          userAuthorizationURL: authorizationURL,
          userProfileURL: `${api}/microblog/verify_credentials.json`,
        },
        verify,
      ),
      agreeingToToken,
    ),
    passportClient(
      'passport-vkontakte',
      'social-network',
      new Vkontakte(
        {
          ...common,
          state: true,
          tokenURL: `${token}/social-network/access_token`,
          profileURL: `${api}/social-network/users.get`,
        },
        verify,
      ),
      agreeing,
    ),
  ];
}
