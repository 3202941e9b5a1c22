// What the networks say when they behave: for the benchmark (stub.mjs) and for the questions to the peers (peers/network.mjs). Bodies are like
// those in the networks' documentation.

/** @typedef {'request token' | 'token' | 'profile'} Step */
/** @typedef {Readonly<{ number: number, name: string }>} Person */
/**
 * `responseParameters`: those of an authorization response that alone are no login; `hasNumericID`: the record's ID is digits without quotes;
 * `requires`: what the token request must carry besides the code.
 *
 * @typedef {object} Network
 * @property {'oauth1' | 'oauth2'} protocol
 * @property {Readonly<Partial<Record<Step, string>>>} paths
 * @property {'hex' | 'base64url' | 'none'} pkce - How it wants the challenge; `none`: it refuses one.
 * @property {readonly string[]} responseParameters
 * @property {boolean} [hasNumericID]
 * @property {string} [requires]
 * @property {(token: string, person: Person) => Record<string, unknown>} tokenResponse
 * @property {(person: Person, id?: unknown) => object} [profileResponse]
 */

export const SOMEBODY = { number: 2244994945, name: 'Somebody' };

const PICTURE =
  'https://p19-sign.tiktokcdn-us.com/tos-avt-0068-tx/b17f0e4b3a4f4a50993cf72cda8b88b8~c5_168x168.jpeg';
const DESCRIPTION =
  'The voice of the developer community and your source for updates, news and events about the API.';
const LINK = { start: 0, end: 23, url: 'https://t.co/3ZX3TNiZCY', expanded_url: 'https://docs.x.com' };
const SMALL_PICTURE = 'https://pbs.twimg.com/profile_images/1683501992314798080/normal.jpg';
const PHOTO =
  'https://sun9-21.userapi.com/s/v1/ig2/photo.jpg?size=100x100&quality=95&crop=0,0,1000,1000&ava=1';

/** The 1.1 record is by far the largest. @type {Record<string, unknown>} */
const CREDENTIALS_RECORD = {
  location: '127.0.0.1',
  description: DESCRIPTION,
  url: LINK.url,
  entities: { url: { urls: [LINK] }, description: { urls: [] } },
  created_at: 'Sat Dec 14 04:35:55 +0000 2013',
  ...membersNamed('followers_count friends_count listed_count favourites_count statuses_count', 583423),
  ...membersNamed('utc_offset time_zone lang contributors_enabled', null),
  ...membersNamed('protected geo_enabled verified is_translator default_profile suspended', false),
  ...membersNamed('profile_background_color profile_link_color', '0084B4'),
  ...membersNamed('profile_image_url profile_image_url_https', SMALL_PICTURE),
};

/** @param {string} names @param {unknown} value */
function membersNamed(names, value) {
  return Object.fromEntries(names.split(' ').map((name) => [name, value]));
}

/** @type {Readonly<Record<string, Network>>} */
export const NETWORKS = {
  'short-video': {
    protocol: 'oauth2',
    paths: { token: '/short-video/token/', profile: '/short-video/user/' },
    pkce: 'hex',
    responseParameters: ['state', 'scopes'],
    requires: 'client_key',
    tokenResponse: (token, { number }) => ({
      access_token: token,
      expires_in: 86400,
      open_id: `open-id-${number}`,
      refresh_expires_in: 31536000,
      refresh_token: `refresh-of-${token}`,
      scope: 'user.info.basic,user.info.profile,user.info.stats',
      token_type: 'Bearer',
    }),
    profileResponse: ({ number, name }, id = `open-id-${number}`) => ({
      data: {
        user: {
          open_id: id,
          union_id: 'c9c60f44-a68e-4f5d-84dd-ce22faeb0ba1',
          display_name: name,
          avatar_url: PICTURE,
          avatar_url_100: PICTURE.replace('168x168', '100x100'),
          avatar_large_url: PICTURE.replace('168x168', '1080x1080'),
          username: 'somebody',
          profile_deep_link: 'https://www.tiktok.com/@somebody',
        },
      },
      error: { code: 'ok', message: '', log_id: '20220829194722CBE87ED59D524E727021' },
    }),
  },
  'microblog 2.0': {
    protocol: 'oauth2',
    paths: { token: '/microblog/token', profile: '/microblog/me' },
    pkce: 'base64url',
    responseParameters: ['state'],
    tokenResponse: (token) => ({
      token_type: 'bearer',
      expires_in: 7200,
      access_token: token,
      scope: 'users.read tweet.read',
    }),
    profileResponse: ({ number, name }, id = String(number)) => ({
      data: {
        id,
        name,
        username: 'somebody',
        created_at: '2013-12-14T04:35:55.000Z',
        description: DESCRIPTION,
        location: '127.0.0.1',
        protected: false,
        verified: true,
        verified_type: 'business',
        url: LINK.url,
        profile_image_url: SMALL_PICTURE,
        entities: { url: { urls: [LINK] } },
      },
    }),
  },
  'microblog 1.0': {
    protocol: 'oauth1',
    paths: {
      'request token': '/microblog/request_token',
      token: '/microblog/access_token',
      profile: '/microblog/verify_credentials.json',
    },
    pkce: 'none',
    responseParameters: ['oauth_verifier'],
    hasNumericID: true,
    tokenResponse: (token, { number }) => ({
      oauth_token: token,
      oauth_token_secret: secretOf(token),
      user_id: String(number),
      screen_name: 'somebody',
    }),
    profileResponse: ({ number, name }, id) => ({
      ...CREDENTIALS_RECORD,
      id: id === undefined ? number : id,
      id_str: id === undefined ? String(number) : id,
      name,
      screen_name: 'somebody',
    }),
  },
  'social-network': {
    protocol: 'oauth2',
    paths: { token: '/social-network/access_token', profile: '/social-network/users.get' },
    pkce: 'none',
    responseParameters: ['state'],
    hasNumericID: true,
    // Without token_type, like the network.
    tokenResponse: (token, { number }) => ({ access_token: token, expires_in: 86400, user_id: number }),
    profileResponse: ({ number, name }, id = number) => ({
      response: [
        {
          id,
          first_name: name,
          last_name: 'Рыжий',
          can_access_closed: true,
          is_closed: false,
          screen_name: 'persik',
          sex: 2,
          photo_100: PHOTO,
          photo_200: PHOTO.replace('100x100', '200x200'),
        },
      ],
    }),
  },
  'VK ID': {
    protocol: 'oauth2',
    paths: { token: '/vk-id/auth', profile: '/vk-id/user_info' },
    pkce: 'base64url',
    responseParameters: ['state', 'device_id'],
    requires: 'device_id',
    tokenResponse: (token, { number }) => ({
      refresh_token: `refresh-of-${token}`,
      access_token: token,
      token_type: 'Bearer',
      expires_in: 3600,
      user_id: number,
      scope: 'vkid.personal_info',
    }),
    profileResponse: ({ number, name }, id = String(number)) => ({
      user: {
        user_id: id,
        first_name: name,
        last_name: 'Рыжий',
        avatar: PHOTO,
        sex: 2,
        verified: false,
        birthday: '21.12.2000',
      },
    }),
  },
  /** Of passport-oauth2, which belongs to no network. */
  plain: {
    protocol: 'oauth2',
    paths: { token: '/plain/token' },
    pkce: 'base64url',
    responseParameters: ['state'],
    tokenResponse: (token, { name }) => ({
      access_token: token,
      refresh_token: `refresh-of-${token}`,
      token_type: 'Bearer',
      expires_in: 7200,
      name,
    }),
  },
};

/** @param {string} token */
export const secretOf = (token) => `secret-of-${token}`;

/** The response to a request for a request token. @param {string} token @returns {Record<string, string>} */
export const requestTokenResponse = (token) => ({
  oauth_token: token,
  oauth_token_secret: secretOf(token),
  oauth_callback_confirmed: 'true',
});

/** What a path is for. @param {string} path @returns {{ network: Network, step: Step } | undefined} */
export function endpointAt(path) {
  for (const network of Object.values(NETWORKS)) {
    const found = Object.entries(network.paths).find(([, known]) => known === path);
    if (found) return { network, step: /** @type {Step} */ (found[0]) };
  }
  return undefined;
}

/** OAuth 1.0a answers the first two steps with forms. @param {Network} network @param {Step} step */
export const isForm = ({ protocol }, step) => protocol === 'oauth1' && step !== 'profile';

/** @param {Readonly<Record<string, unknown>>} members */
export const encodeForm = (members) =>
  new URLSearchParams(Object.entries(members).map(([name, value]) => [name, String(value)])).toString();
