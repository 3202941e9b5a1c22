/**
 * What each network answers when it behaves. The addresses are those of a server on this machine, so only what follows the host
 * matters.
 *
 * @typedef {'request token' | 'token' | 'profile'} Step
 * @typedef {Readonly<{ number: number, name: string }>} Person
 * `numericIdentifier`: the record's `id` is digits without quotes; `loginScopes`: what a login needs, nothing if the network gives it
 * unasked; `scopeOfField`: the fields of a profile request that need another scope.
 *
 * @typedef {{
 *   readonly protocol: 'oauth1' | 'oauth2',
 *   readonly paths: Readonly<Partial<Record<Step | 'authorization', string>>>,
 *   readonly pkce: 'hex' | 'base64url' | 'none',
 *   readonly ownParameters: readonly string[],
 *   readonly numericIdentifier: boolean,
 *   readonly loginScopes?: readonly string[],
 *   readonly scopeOfField?: Readonly<Record<string, string>>,
 *   tokenAnswer(token: string, person: Person): Record<string, unknown>,
 *   profileAnswer?(person: Person, id?: unknown): object,
 * }} Network
 */

/** @type {Readonly<Record<string, Person>>} */
export const PEOPLE = {
  alice: { number: 1001, name: 'Alice Example' },
  anna: { number: 1002, name: 'Анна Ёлкина 🦊' },
  mallory: { number: 1003, name: 'Mallory Example' },
  eve: { number: 1004, name: 'Eve Example' },
};

/** @param {string} name @returns {Person} */
export function personNamed(name) {
  return PEOPLE[name] ?? { number: 2000 + Number(name.replace(/\D/g, '')), name };
}

const bearer = (/** @type {string} */ token) => ({
  access_token: token,
  refresh_token: `refresh-of-${token}`,
  token_type: 'Bearer',
  expires_in: 7200,
});

/** @type {Readonly<Record<string, Network>>} */
export const NETWORKS = {
  'short-video': {
    protocol: 'oauth2',
    paths: { authorization: '/v2/auth/authorize/', token: '/v2/oauth/token/', profile: '/v2/user/info/' },
    pkce: 'hex',
    ownParameters: ['state', 'scopes'],
    numericIdentifier: false,
    loginScopes: ['user.info.basic'],
    // https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info (read 2026-11): one of them without its scope, and there is no profile.
    scopeOfField: {
      username: 'user.info.profile',
      bio_description: 'user.info.profile',
      profile_deep_link: 'user.info.profile',
      is_verified: 'user.info.profile',
      follower_count: 'user.info.stats',
      following_count: 'user.info.stats',
      likes_count: 'user.info.stats',
      video_count: 'user.info.stats',
    },
    tokenAnswer: (token, person) => ({
      ...bearer(token),
      open_id: `open-id-${person.number}`,
      refresh_expires_in: 31536000,
      scope: 'user.info.basic',
    }),
    profileAnswer: (person, id = `open-id-${person.number}`) => ({
      data: {
        user: {
          open_id: id,
          union_id: 'union',
          display_name: person.name,
          avatar_url: 'https://a.example/1',
        },
      },
      error: { code: 'ok', message: '', log_id: '1' },
    }),
  },
  'microblog 2.0': {
    protocol: 'oauth2',
    paths: { authorization: '/i/oauth2/authorize', token: '/2/oauth2/token', profile: '/2/users/me' },
    pkce: 'base64url',
    ownParameters: ['state'],
    numericIdentifier: false,
    loginScopes: ['tweet.read', 'users.read'],
    scopeOfField: { confirmed_email: 'users.email' },
    tokenAnswer: (token) => ({ ...bearer(token), token_type: 'bearer', scope: 'tweet.read users.read' }),
    profileAnswer: (person, id = String(person.number)) => ({
      data: { id, name: person.name, username: 'handle', profile_image_url: 'https://a.example/1' },
    }),
  },
  'microblog 1.0': {
    protocol: 'oauth1',
    paths: {
      'request token': '/oauth/request_token',
      authorization: '/oauth/authenticate',
      token: '/oauth/access_token',
      profile: '/1.1/account/verify_credentials.json',
    },
    pkce: 'none',
    ownParameters: ['oauth_verifier'],
    numericIdentifier: true,
    tokenAnswer: (token, person) => ({
      oauth_token: token,
      oauth_token_secret: `secret-of-${token}`,
      user_id: String(person.number),
      screen_name: 'handle',
    }),
    profileAnswer: (person, id) => ({
      id: id === undefined ? person.number : id,
      id_str: id === undefined ? String(person.number) : id,
      name: person.name,
      screen_name: 'handle',
    }),
  },
  'social-network classic': {
    protocol: 'oauth2',
    paths: { authorization: '/authorize', token: '/access_token', profile: '/method/users.get' },
    pkce: 'none',
    ownParameters: ['state'],
    numericIdentifier: true,
    loginScopes: [],
    tokenAnswer: (token, person) => ({ access_token: token, expires_in: 86400, user_id: person.number }),
    profileAnswer: (person, id = person.number) => ({
      response: [{ id, first_name: person.name, last_name: 'Example', screen_name: 'handle', sex: 1 }],
    }),
  },
  'social-network VK ID': {
    protocol: 'oauth2',
    paths: { authorization: '/authorize', token: '/oauth2/auth', profile: '/oauth2/user_info' },
    pkce: 'base64url',
    ownParameters: ['state', 'device_id'],
    numericIdentifier: false,
    loginScopes: ['vkid.personal_info'],
    tokenAnswer: (token, person) => ({
      ...bearer(token),
      user_id: person.number,
      scope: 'vkid.personal_info',
    }),
    profileAnswer: (person, id = String(person.number)) => ({
      user: { user_id: id, first_name: person.name, last_name: 'Example', avatar: 'https://a.example/1' },
    }),
  },
  plain: {
    protocol: 'oauth2',
    paths: { authorization: '/authorize', token: '/token' },
    pkce: 'base64url',
    ownParameters: ['state'],
    numericIdentifier: false,
    tokenAnswer: (token, person) => ({ ...bearer(token), name: person.name }),
  },
};
