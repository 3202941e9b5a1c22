// The responses of the three networks, by method and path. Bodies are like those in the networks' documentation. A request without its
// credential gets an error response, so that a client cannot look fast by leaving it out.

const OPEN_ID = '723f24d7-e717-40f8-a2b6-cb8464cd23b4';
const NUMBER = 743784474;
const DIGITS = '2244994945';

const shortVideoUser = {
  open_id: OPEN_ID,
  union_id: 'c9c60f44-a68e-4f5d-84dd-ce22faeb0ba1',
  display_name: 'Somebody',
  avatar_url:
    'https://p19-sign.tiktokcdn-us.com/tos-avt-0068-tx/b17f0e4b3a4f4a50993cf72cda8b88b8~c5_168x168.jpeg',
  avatar_url_100:
    'https://p19-sign.tiktokcdn-us.com/tos-avt-0068-tx/b17f0e4b3a4f4a50993cf72cda8b88b8~c5_100x100.jpeg',
  avatar_large_url:
    'https://p19-sign.tiktokcdn-us.com/tos-avt-0068-tx/b17f0e4b3a4f4a50993cf72cda8b88b8~c5_1080x1080.jpeg',
  username: 'somebody',
  profile_deep_link: 'https://www.tiktok.com/@somebody',
};

const microblogUser = {
  id: DIGITS,
  name: 'X Developers',
  username: 'XDevelopers',
  created_at: '2013-12-14T04:35:55.000Z',
  description:
    'The voice of the developer community and your source for updates, news and events about the API.',
  location: '127.0.0.1',
  protected: false,
  verified: true,
  verified_type: 'business',
  url: 'https://t.co/3ZX3TNiZCY',
  profile_image_url: 'https://pbs.twimg.com/profile_images/1683501992314798080/normal.jpg',
  entities: {
    url: {
      urls: [{ start: 0, end: 23, url: 'https://t.co/3ZX3TNiZCY', expanded_url: 'https://docs.x.com' }],
    },
  },
};

const credentialsRecord = {
  id: Number(DIGITS),
  id_str: DIGITS,
  name: 'X Developers',
  screen_name: 'XDevelopers',
  location: '127.0.0.1',
  description: microblogUser.description,
  url: microblogUser.url,
  entities: { ...microblogUser.entities, description: { urls: [] } },
  protected: false,
  followers_count: 583423,
  friends_count: 2048,
  listed_count: 1672,
  created_at: 'Sat Dec 14 04:35:55 +0000 2013',
  favourites_count: 2074,
  utc_offset: null,
  time_zone: null,
  geo_enabled: true,
  verified: true,
  statuses_count: 14052,
  lang: null,
  contributors_enabled: false,
  is_translator: false,
  profile_background_color: 'FFFFFF',
  profile_image_url: 'http://pbs.twimg.com/profile_images/1683501992314798080/normal.jpg',
  profile_image_url_https: microblogUser.profile_image_url,
  profile_link_color: '0084B4',
  default_profile: false,
  default_profile_image: false,
  suspended: false,
  needs_phone_verification: false,
};

const socialNetworkUser = {
  id: NUMBER,
  first_name: 'Персик',
  last_name: 'Рыжий',
  can_access_closed: true,
  is_closed: false,
  screen_name: 'persik',
  sex: 2,
  photo_100:
    'https://sun9-21.userapi.com/s/v1/ig2/photo.jpg?size=100x100&quality=95&crop=0,0,1000,1000&ava=1',
  photo_200:
    'https://sun9-21.userapi.com/s/v1/ig2/photo.jpg?size=200x200&quality=95&crop=0,0,1000,1000&ava=1',
};

const vkIdUser = {
  user_id: String(NUMBER),
  first_name: 'Персик',
  last_name: 'Рыжий',
  avatar: 'https://sun9-21.userapi.com/s/v1/ig2/photo.jpg?size=200x200&ava=1',
  sex: 2,
  verified: false,
  birthday: '21.12.2000',
};

/**
 * @typedef {object} StubRequest
 * @property {string | undefined} authorization
 * @property {URLSearchParams} query
 * @property {URLSearchParams} form
 */
/**
 * @typedef {object} StubResponse
 * @property {string} body
 * @property {string} [type]
 * @property {number} [status]
 */

const FORM = 'text/html; charset=utf-8';

let issued = 0;
/** A new token each time: clients reject a request token that they have seen before. */
const fresh = (/** @type {string} */ kind) => `${kind}.${process.pid}.${++issued}.Zk3vWqT9x2LmPs7RbYcUdHnEa`;

const json = (/** @type {object} */ body) => ({ body: JSON.stringify(body) });
const form = (/** @type {Record<string, string>} */ parameters) => ({
  body: new URLSearchParams(parameters).toString(),
  type: FORM,
});
const UNAUTHORIZED = {
  status: 401,
  ...json({ error: 'invalid_request', error_description: 'a credential is missing' }),
};

const hasCode = (/** @type {StubRequest} */ { form }) => form.get('code') !== null;
const isBearer = (/** @type {StubRequest} */ { authorization, query }) =>
  authorization?.startsWith('Bearer ') || query.has('access_token');
const isSigned = (/** @type {StubRequest} */ { authorization }) =>
  authorization?.startsWith('OAuth ') && authorization.includes('oauth_signature=');

/** @type {Record<string, { accepts: (request: StubRequest) => unknown, respond: (request: StubRequest) => StubResponse }>} */
const RESPONSES = {
  'POST /short-video/token/': {
    accepts: (request) => hasCode(request) && request.form.get('client_key'),
    respond: () =>
      json({
        access_token: fresh('act'),
        expires_in: 86400,
        open_id: OPEN_ID,
        refresh_expires_in: 31536000,
        refresh_token: fresh('rft'),
        scope: 'user.info.basic,user.info.profile,user.info.stats',
        token_type: 'Bearer',
      }),
  },
  'GET /short-video/user/': {
    accepts: isBearer,
    respond: () =>
      json({
        data: {
          user: shortVideoUser,
        },
        error: { code: 'ok', message: '', log_id: '20220829194722CBE87ED59D524E727021' },
      }),
  },
  'POST /microblog/token': {
    accepts: hasCode,
    respond: () =>
      json({
        token_type: 'bearer',
        expires_in: 7200,
        access_token: fresh('mat'),
        scope: 'users.read tweet.read',
      }),
  },
  'GET /microblog/me': { accepts: isBearer, respond: () => json({ data: microblogUser }) },
  'POST /microblog/request_token': {
    accepts: isSigned,
    respond: () =>
      form({ oauth_token: fresh('req'), oauth_token_secret: fresh('rqs'), oauth_callback_confirmed: 'true' }),
  },
  'POST /microblog/access_token': {
    accepts: isSigned,
    respond: () =>
      form({
        oauth_token: fresh(DIGITS),
        oauth_token_secret: fresh('ats'),
        user_id: DIGITS,
        screen_name: 'XDevelopers',
      }),
  },
  'GET /microblog/verify_credentials.json': { accepts: isSigned, respond: () => json(credentialsRecord) },
  'POST /social-network/access_token': {
    accepts: hasCode,
    // Without token_type, like the network.
    respond: () => json({ access_token: fresh('vk1.a'), expires_in: 86400, user_id: NUMBER }),
  },
  'GET /social-network/users.get': {
    accepts: isBearer,
    respond: () => json({ response: [socialNetworkUser] }),
  },
  'POST /social-network/users.get': {
    accepts: isBearer,
    respond: () => json({ response: [socialNetworkUser] }),
  },
  'POST /vk-id/auth': {
    accepts: (request) => hasCode(request) && request.form.get('device_id'),
    respond: (request) =>
      json({
        refresh_token: fresh('vk2.r'),
        access_token: fresh('vk2.a'),
        token_type: 'Bearer',
        expires_in: 3600,
        user_id: NUMBER,
        state: request.form.get('state'),
        scope: 'vkid.personal_info',
      }),
  },
  'POST /vk-id/user_info': {
    accepts: (request) => request.form.get('access_token'),
    respond: () =>
      json({
        user: vkIdUser,
      }),
  },
};

/**
 * @param {string} method
 * @param {string} url - Path and query.
 * @param {string | undefined} authorization
 * @param {string} body
 * @returns {StubResponse}
 */
export function responseTo(method, url, authorization, body) {
  const [path = '', query = ''] = url.split('?', 2);
  const known = RESPONSES[`${method} ${path}`];
  if (!known) return { status: 404, ...json({ error: 'not_found', error_description: `${method} ${path}` }) };
  const request = { authorization, query: new URLSearchParams(query), form: new URLSearchParams(body) };
  return known.accepts(request) ? known.respond(request) : UNAUTHORIZED;
}
