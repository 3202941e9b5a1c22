import type { OAuth1Settings } from '../core/credentials-request.js';
import {
  type ClientID,
  COMMON_ALIASES,
  COMMON_OPTIONS,
  type LoginOptions,
  readLoginSettings,
} from '../core/login-options.js';
import { OptionReader } from '../core/options.js';
import type { OAuth1StoreOption } from '../core/request-token-store.js';
import * as endpoints from './endpoints.js';
import {
  CALLBACK_DEMAND,
  type MicroblogFieldOptions,
  type MicroblogSettings,
  readFields,
  SHARED_OPTIONS,
} from './options.js';
import type { MicroblogProfile } from './record.js';

/** Options of the OAuth 1.0a version. There are no scopes: the application's permissions decide. */
export type MicroblogOAuth1Options = Omit<LoginOptions<MicroblogProfile>, 'scope' | 'pkce'> &
  OAuth1StoreOption &
  MicroblogFieldOptions &
  ({ consumerKey: string } | ClientID) &
  ({ consumerSecret: string } | { clientSecret: string }) & {
    /** What selects OAuth 1.0a. */
    version?: '1.0';
    /** Also accepted for `clientID`: OAuth 1.0a's own word. */
    consumerKey?: string;
    /** Also accepted for `clientSecret`: OAuth 1.0a's own word. */
    consumerSecret?: string;
    /** @default 'https://api.x.com/oauth/request_token' */
    requestTokenURL?: string;
    /** Another spelling of `requestTokenURL`. */
    requestTokenUrl?: string;
    /** @default 'https://api.x.com/oauth/access_token' */
    accessTokenURL?: string;
    /** Another spelling of `accessTokenURL`. */
    accessTokenUrl?: string;
    /** @default 'https://api.x.com/oauth/authenticate' */
    userAuthorizationURL?: string;
    /** Another spelling of `userAuthorizationURL`. */
    authorizationUrl?: string;
    /** The users lookup, asked when the application may not use `profileURL`. @default 'https://api.x.com/2/users/me' */
    lookupURL?: string;
    /** @default 'https://api.x.com/1.1/oauth/invalidate_token.json' */
    revocationURL?: string;
  };

const OPTIONS = [
  ...COMMON_OPTIONS.filter((name) => name !== 'scope' && name !== 'pkce'),
  ...SHARED_OPTIONS,
  'requestTokenURL',
  'accessTokenURL',
  'userAuthorizationURL',
  'lookupURL',
];

const ALIASES = {
  ...COMMON_ALIASES,
  consumerKey: 'clientID',
  consumerSecret: 'clientSecret',
  requestTokenUrl: 'requestTokenURL',
  accessTokenUrl: 'accessTokenURL',
  authorizationUrl: 'userAuthorizationURL',
};

const NOTES = {
  scope: 'OAuth 1.0a has no scopes; set the permissions of the application at the network',
  pkce: 'OAuth 1.0a has no PKCE; its requests are signed',
  tokenURL: 'it belongs to OAuth 2.0; in 1.0 it is accessTokenURL',
  signatureMethod: 'the network documents HMAC-SHA1 only',
};

/** @throws TypeError for every option that cannot be used. */
export function readOAuth1Options(given: unknown): MicroblogSettings<OAuth1Settings> & { lookupURL: string } {
  const options = new OptionReader('MicroblogStrategy', given, OPTIONS, ALIASES, NOTES);
  options.oneOf('version', ['1.0']);
  const userAuthorizationURL = options.endpoint('userAuthorizationURL') ?? endpoints.USER_AUTHORIZATION_URL;
  const demand = { text: CALLBACK_DEMAND, loopback: true, authorizationURL: userAuthorizationURL };
  return {
    protocol: {
      ...readLoginSettings(options, 'microblog', demand),
      consumerKey: options.requiredCredential('clientID', "It is the application's API key (consumer key)"),
      consumerSecret: options.requiredCredential('clientSecret', "It is the application's API key secret"),
      requestTokenURL: options.endpoint('requestTokenURL') ?? endpoints.REQUEST_TOKEN_URL,
      accessTokenURL: options.endpoint('accessTokenURL') ?? endpoints.ACCESS_TOKEN_URL,
      userAuthorizationURL,
    },
    profileURL: options.endpoint('profileURL') ?? endpoints.VERIFY_CREDENTIALS_URL,
    revocationURL: options.endpoint('revocationURL') ?? endpoints.INVALIDATE_TOKEN_URL,
    lookupURL: options.endpoint('lookupURL') ?? endpoints.LOOKUP_URL,
    ...readFields(options, false),
  };
}
