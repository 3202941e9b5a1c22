// What the three networks answer, by method and path: bodies like those that their documentation shows. A request without
// its credential is refused, so that a client which forgets one cannot look fast.
import {
  credentialsRecord,
  DIGITS,
  microblogUser,
  NUMBER,
  OPEN_ID,
  person,
  shortVideoUser,
  vkIdUser,
} from './records.mjs';

/**
 * @typedef {object} StubRequest
 * @property {string | undefined} authorization
 * @property {URLSearchParams} query
 * @property {URLSearchParams} form
 */
/**
 * @typedef {object} StubAnswer
 * @property {string} body
 * @property {string} [type]
 * @property {number} [status]
 */

const FORM = 'text/html; charset=utf-8';

let issued = 0;
/** Never the same twice: a client refuses a request token that it has had before. */
const fresh = (/** @type {string} */ kind) => `${kind}.${process.pid}.${++issued}.Zk3vWqT9x2LmPs7RbYcUdHnEa`;

const json = (/** @type {object} */ body) => ({ body: JSON.stringify(body) });
const form = (/** @type {Record<string, string>} */ members) => ({
  body: new URLSearchParams(members).toString(),
  type: FORM,
});
const REFUSED = {
  status: 401,
  ...json({ error: 'invalid_request', error_description: 'a credential is missing' }),
};

const hasCode = (/** @type {StubRequest} */ { form }) => form.get('code') !== null;
const isBearer = (/** @type {StubRequest} */ { authorization, query }) =>
  authorization?.startsWith('Bearer ') || query.has('access_token');
const isSigned = (/** @type {StubRequest} */ { authorization }) =>
  authorization?.startsWith('OAuth ') && authorization.includes('oauth_signature=');

/** @type {Record<string, { accepts: (request: StubRequest) => unknown, answer: (request: StubRequest) => StubAnswer }>} */
const ANSWERS = {
  'POST /short-video/token/': {
    accepts: (request) => hasCode(request) && request.form.get('client_key'),
    answer: () =>
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
    answer: () =>
      json({
        data: {
          user: shortVideoUser,
        },
        error: { code: 'ok', message: '', log_id: '20220829194722CBE87ED59D524E727021' },
      }),
  },
  'POST /microblog/token': {
    accepts: hasCode,
    answer: () =>
      json({
        token_type: 'bearer',
        expires_in: 7200,
        access_token: fresh('mat'),
        scope: 'users.read tweet.read',
      }),
  },
  'GET /microblog/me': { accepts: isBearer, answer: () => json({ data: microblogUser }) },
  'POST /microblog/request_token': {
    accepts: isSigned,
    answer: () =>
      form({ oauth_token: fresh('req'), oauth_token_secret: fresh('rqs'), oauth_callback_confirmed: 'true' }),
  },
  'POST /microblog/access_token': {
    accepts: isSigned,
    answer: () =>
      form({
        oauth_token: fresh(DIGITS),
        oauth_token_secret: fresh('ats'),
        user_id: DIGITS,
        screen_name: 'XDevelopers',
      }),
  },
  'GET /microblog/verify_credentials.json': { accepts: isSigned, answer: () => json(credentialsRecord) },
  'POST /social-network/access_token': {
    accepts: hasCode,
    // The network sends no token_type.
    answer: () => json({ access_token: fresh('vk1.a'), expires_in: 86400, user_id: NUMBER }),
  },
  'GET /social-network/users.get': { accepts: isBearer, answer: () => json({ response: [person] }) },
  'POST /social-network/users.get': { accepts: isBearer, answer: () => json({ response: [person] }) },
  'POST /vk-id/auth': {
    accepts: (request) => hasCode(request) && request.form.get('device_id'),
    answer: (request) =>
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
    answer: () =>
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
 * @returns {StubAnswer}
 */
export function answerTo(method, url, authorization, body) {
  const [path = '', query = ''] = url.split('?', 2);
  const known = ANSWERS[`${method} ${path}`];
  if (!known) return { status: 404, ...json({ error: 'not_found', error_description: `${method} ${path}` }) };
  const request = { authorization, query: new URLSearchParams(query), form: new URLSearchParams(body) };
  return known.accepts(request) ? known.answer(request) : REFUSED;
}
