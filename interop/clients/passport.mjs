import { createRequire } from 'node:module';
import { CALLBACK } from '../browser.mjs';
import { getJSON, postForm, textAt } from '../http.mjs';
import { logInWith } from '../passport-application.mjs';

const require = createRequire(import.meta.url);

/** @typedef {new (options: object, verify: Verify) => import('passport').Strategy} StrategyClass */
/** @typedef {(token: string, refreshToken: string, profile: { id: string }, done: (error: null, user: { id: string }) => void) => void} Verify */

/** @type {{ Strategy: StrategyClass }} */
const { Strategy: TiktokStrategy } = require('passport-tiktok-auth');
/** @type {{ Strategy: StrategyClass }} */
const { Strategy: SuperfaceStrategy } = require('@superfaceai/passport-twitter-oauth2');
/** @type {{ Strategy: StrategyClass }} */
const { Strategy: TwitterStrategy } = require('passport-twitter');
/** @type {{ Strategy: StrategyClass }} */
const { Strategy: VKontakteStrategy } = require('passport-vkontakte');
/** @type {typeof import('passport-oauth2')} */
const OAuth2Strategy = require('passport-oauth2');

/** @type {Verify} */
const verify = (_token, _refreshToken, profile, done) => done(null, { id: profile.id });

/** @type {import('../main.mjs').Client} */
export const passportTiktokAuth = {
  package: 'passport-tiktok-auth',
  logins: ({ tiktok }) => {
    const options = { clientID: tiktok.id, clientSecret: tiktok.secret, callbackURL: CALLBACK };
    return {
      TikTok: () => logInWith(new TiktokStrategy({ ...options, scope: ['user.info.basic'] }, verify)),
      'TikTok, every scope': () => {
        const scope = ['user.info.basic', 'user.info.profile', 'user.info.stats'];
        return logInWith(new TiktokStrategy({ ...options, scope }, verify));
      },
    };
  },
};

/** @type {import('../main.mjs').Client} */
export const superface = {
  package: '@superfaceai/passport-twitter-oauth2',
  logins: ({ x }) => {
    const scope = { scope: ['tweet.read', 'users.read'] };
    const options = { clientID: x.id, clientSecret: x.secret, callbackURL: CALLBACK };
    return {
      'X 2.0': () =>
        logInWith(new SuperfaceStrategy({ ...options, clientType: 'confidential' }, verify), scope),
      'X 2.0, public client': () => {
        const isPublic = { clientID: x.publicId, clientSecret: '', clientType: 'public' };
        return logInWith(new SuperfaceStrategy({ ...options, ...isPublic }, verify), scope);
      },
    };
  },
};

/** @type {import('../main.mjs').Client} */
export const passportTwitter = {
  package: 'passport-twitter',
  logins: ({ xConsumer }) => ({
    'X 1.0a': () =>
      logInWith(
        new TwitterStrategy(
          { consumerKey: xConsumer.id, consumerSecret: xConsumer.secret, callbackURL: CALLBACK },
          verify,
        ),
      ),
  }),
};

/** @type {import('../main.mjs').Client} */
export const passportVkontakte = {
  package: 'passport-vkontakte',
  logins: ({ vk }) => ({
    VK: () =>
      logInWith(
        new VKontakteStrategy({ clientID: vk.id, clientSecret: vk.secret, callbackURL: CALLBACK }, verify),
      ),
  }),
};

/** Configured by hand: the options, and methods that its documentation lets a strategy override. @type {import('../main.mjs').Client} */
export const passportOAuth2 = {
  package: 'passport-oauth2',
  logins: ({ tiktok, x, vk, vkId }) => ({
    TikTok: () =>
      logInWith(
        byHand(
          {
            clientID: tiktok.id,
            clientSecret: tiktok.secret,
            authorizationURL: 'https://www.tiktok.com/v2/auth/authorize/',
            tokenURL: 'https://open.tiktokapis.com/v2/oauth/token/',
            scope: ['user.info.basic'],
          },
          async (token) => {
            const url = 'https://open.tiktokapis.com/v2/user/info/?fields=open_id,avatar_url,display_name';
            return textAt(await getJSON(url, token), 'data', 'user', 'open_id');
          },
          { client_key: tiktok.id },
        ),
      ),
    'X 2.0': () =>
      logInWith(
        byHand(
          {
            clientID: x.id,
            clientSecret: x.secret,
            authorizationURL: 'https://x.com/i/oauth2/authorize',
            tokenURL: 'https://api.x.com/2/oauth2/token',
            scope: ['tweet.read', 'users.read'],
            pkce: true,
            customHeaders: {
              Authorization: `Basic ${Buffer.from(`${x.id}:${x.secret}`).toString('base64')}`,
            },
          },
          async (token) => textAt(await getJSON('https://api.x.com/2/users/me', token), 'data', 'id'),
        ),
      ),
    VK: () =>
      logInWith(
        byHand(
          {
            clientID: vk.id,
            clientSecret: vk.secret,
            authorizationURL: 'https://oauth.vk.ru/authorize',
            tokenURL: 'https://oauth.vk.ru/access_token',
          },
          async (token) => {
            return textAt(
              await getJSON('https://api.vk.ru/method/users.get?v=5.199', token),
              'response',
              0,
              'id',
            );
          },
        ),
      ),
    'VK ID': () =>
      logInWith(
        byHand(
          {
            clientID: vkId.id,
            clientSecret: '',
            authorizationURL: 'https://id.vk.ru/authorize',
            tokenURL: 'https://id.vk.ru/oauth2/auth',
            pkce: true,
          },
          async (token) => {
            const form = { client_id: vkId.id, access_token: token };
            return textAt(await postForm('https://id.vk.ru/oauth2/user_info', form), 'user', 'user_id');
          },
        ),
      ),
  }),
};

/**
 * @param {Omit<import('passport-oauth2').StrategyOptions, 'callbackURL'> & { pkce?: boolean }} options
 * @param {(token: string) => Promise<string>} idOf
 * @param {object} [parameters] - Of the authorization request and of the token request.
 */
function byHand(options, idOf, parameters = {}) {
  const strategy = new OAuth2Strategy({ ...options, callbackURL: CALLBACK, state: true }, verify);
  strategy.authorizationParams = () => parameters;
  strategy.tokenParams = () => parameters;
  strategy.userProfile = (token, done) => {
    idOf(token).then(
      (id) => done(null, { id }),
      (error) => done(error),
    );
  };
  return strategy;
}
