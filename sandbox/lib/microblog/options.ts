import { words } from '../core/checks.js';
import type { Appearance, Client } from '../core/network.js';

export const APPEARANCE: Appearance = {
  brand: 'X',
  scopes: words`users.read users.email tweet.read tweet.write tweet.moderate.write follows.read follows.write offline.access
    space.read mute.read mute.write like.read like.write list.read list.write block.read block.write bookmark.read
    bookmark.write dm.read dm.write media.write broadcast.read broadcast.write timeline.read`,
};

/** OAuth 1.0a has no scopes: the application's settings at the network decide. */
export const OAUTH1_APPEARANCE: Appearance = {
  brand: 'X',
  always: [
    'Your user ID and handle',
    'Your name, picture, description and location',
    'Your e-mail address, if the application may ask for it',
    'Access that does not expire until you revoke it',
  ],
  scopes: [],
};

/** OAuth 2.0 client with a secret. The hyphen and underscore are there because the network does not encode them. */
export const CONFIDENTIAL = {
  clientID: 'c2FuZGJveC1jb25maWRlbnRpYWw6MTpjaQ',
  clientSecret: 'microblog-sandbox_client-secret_with-both',
};

export const PUBLIC = { name: 'Sandbox application (public)', clientID: 'c2FuZGJveC1wdWJsaWM6MTpuYQ' };

export const CONSUMER = {
  clientID: 'sandboxConsumerKey000001',
  clientSecret: 'microblog-sandbox-consumer-secret-for-oauth1',
};

const TRIAL = {
  authorization: { scope: 'tweet.read users.read users.email' },
  challenge: 'base64url',
  profileQuery: { 'user.fields': 'profile_image_url,confirmed_email' },
} as const;

export const CLIENTS = [
  {
    title: 'microblog, OAuth 2.0',
    version: '2.0',
    kind: 'confidential',
    trial: { ...TRIAL, basic: true },
    options: (url) => ({ ...CONFIDENTIAL, ...oauth2URLs(url) }),
  },
  {
    title: 'microblog, OAuth 2.0, public client',
    version: '2.0',
    kind: 'public',
    trial: TRIAL,
    options: (url) => ({ clientID: PUBLIC.clientID, ...oauth2URLs(url) }),
  },
  {
    title: 'microblog, OAuth 1.0a',
    version: '1.0',
    kind: 'confidential',
    options: (url) => ({
      ...CONSUMER,
      version: '1.0' as const,
      requestTokenURL: `${url}/microblog/oauth/request_token`,
      accessTokenURL: `${url}/microblog/oauth/access_token`,
      userAuthorizationURL: `${url}/microblog/oauth/authenticate`,
      profileURL: `${url}/microblog/1.1/account/verify_credentials.json`,
      lookupURL: `${url}/microblog/2/users/me`,
      revocationURL: `${url}/microblog/1.1/oauth/invalidate_token.json`,
    }),
  },
] as const satisfies readonly Client[];

function oauth2URLs(url: string) {
  return {
    authorizationURL: `${url}/microblog/i/oauth2/authorize`,
    tokenURL: `${url}/microblog/2/oauth2/token`,
    profileURL: `${url}/microblog/2/users/me`,
    revocationURL: `${url}/microblog/2/oauth2/revoke`,
  };
}
