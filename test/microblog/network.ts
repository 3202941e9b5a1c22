import { MicroblogStrategy } from '../../lib/index.js';
import type { NamedStrategy } from '../support/login-app.js';
import { playing } from '../support/played.js';
import { formReply } from '../support/server.js';
import type { AnyFunction } from '../support/verification.js';

export const TOKEN_ANSWER = {
  token_type: 'bearer',
  expires_in: 7_200,
  access_token: 'the-access-token',
  scope: 'users.read tweet.read',
};

export const USER = { id: '1823456789012345679', name: 'Anna', username: 'anna' };

/** The record of API version 1.1; JavaScript has already rounded its number `id`. */
const CREDENTIALS_RECORD = {
  id: Number('1823456789012345679'),
  id_str: '1823456789012345679',
  name: 'Anna',
  screen_name: 'anna',
};

const make = (options: never, verify: AnyFunction): NamedStrategy => new MicroblogStrategy(options, verify);

export const oauth2 = playing({
  make,
  options: { clientID: 'the-client', clientSecret: 'the-client_secret' },
  urls: { authorizationURL: '/authorize', tokenURL: '/token', profileURL: '/profile' },
  replies: { '/token': { body: TOKEN_ANSWER }, '/profile': { body: { data: USER } } },
  callback: { code: 'the-code' },
});

export const oauth1 = playing({
  make,
  options: { version: '1.0', consumerKey: 'the-consumer', consumerSecret: 'the-consumer-secret' },
  urls: {
    requestTokenURL: '/request_token',
    accessTokenURL: '/access_token',
    userAuthorizationURL: '/authenticate',
    profileURL: '/credentials',
    lookupURL: '/lookup?x=1',
  },
  replies: {
    '/request_token': formReply({
      oauth_token: 'the-request-token',
      oauth_token_secret: 'the-request-secret',
      oauth_callback_confirmed: 'true',
    }),
    '/access_token': formReply({
      oauth_token: 'the-token',
      oauth_token_secret: 'the-token-secret',
      user_id: USER.id,
      screen_name: 'anna',
    }),
    '/credentials': { body: CREDENTIALS_RECORD },
    '/lookup': { body: { data: USER } },
  },
  callback: { oauth_token: 'the-request-token', oauth_verifier: 'the-verifier' },
});
