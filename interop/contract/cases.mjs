// What the tests of passport-oauth2 and passport-oauth1 check, written again.
import { hash } from 'node:crypto';
import { ORIGIN } from '../browser.mjs';
import { accept, storeFor } from './trial.mjs';

/** @typedef {import('./trial.mjs').Method} Method */
/** @typedef {import('./trial.mjs').Protocol} Protocol */
/** @typedef {(seen: import('./trial.mjs').Seen) => unknown} See */
/** `see`: unlike the others of its part. @typedef {import('./trial.mjs').Login & { see?: See }} Login */

/** @param {string} part @param {See} see - What of the logins is compared. @param {Record<string, Login>} logins - By behaviour. */
const group = (part, see, logins) => ({ part, see, logins });

/** @satisfies {Record<string, See>} */
const see = {
  query: ({ query, end }) => query ?? end,
  end: ({ end }) => end,
  failure: ({ end }) => (typeof end === 'string' ? end.split(', ', 2).join(', ') : end),
  token: ({ verified }) => verified[0],
  session: ({ session }) => session,
  name: ({ name }) => name,
};

/** @param {string} name @param {unknown} [value] @returns {Login} */
const option = (name, value) => ({ options: { [name]: value } });
/** @param {Record<string, unknown>} given @param {Record<string, unknown>} [options] @returns {Login} */
const giving = (given, options = {}) => ({ given, options });
/** An overridden method that adds a parameter. @param {string} method @returns {Login} */
const adding = (method) => ({ overrides: { [method]: ({ own }) => ({ own }) }, given: { own: 'yes' } });
/** @param {string} path @param {number} status @param {string} body @returns {Login} */
const answering = (path, status, body) => ({ answers: { [path]: [status, body] } });
/** @param {Record<string, string>} error @returns {Login} */
const refusing = (error) => ({ response: ({ state }) => ({ state, ...error }) });

const error = new Error('the application failed');
const broken = () => {
  throw error;
};
/** @type {Method} */
const failing = (...args) => args.at(-1)(error);
/** In place of the base client's. @type {Record<string, Method>} */
const replaced = { getOAuthAccessToken: (...args) => args.at(-1)(null, 'mine', 'a-secret', {}) };
const state = { page: '/' };
const denied = { error: 'access_denied', error_description: 'No' };
const options = { passReqToCallback: true };

/** @param {Login} answer @param {See} [end] @returns {Record<string, Login>} */
const parsing = (answer, end = see.end) => {
  const refused = { ...answer, see: end };
  return {
    refused,
    '`parseErrorResponse` throws': { ...refused, overrides: { parseErrorResponse: broken } },
    '`parseErrorResponse` returns an error': { ...refused, overrides: { parseErrorResponse: () => error } },
  };
};

/** What both packages have. @param {number} parts - Of a token. @param {Protocol} protocol @param {See} redirectURI - The one that was sent. */
function shared(parts, protocol, redirectURI) {
  const userProfile = (/** @type {any[]} */ ...args) => args.at(-1)(null, args.slice(0, parts));
  const headers = { 'x-forwarded-proto': 'https' };
  const named = { ...headers, 'x-forwarded-host': 'app.example' };
  const relative = option('callbackURL', '/callback');
  const proxied = { options: { callbackURL: '/callback', proxy: true } };
  /** A function that gets the token and calls back. @param {any[]} outcome @returns {Login} */
  const asking = (...outcome) => {
    const ask = (/** @type {any[]} */ ...args) => args.at(-1)(...outcome);
    return option('skipUserProfile', Object.defineProperty(ask, 'length', { value: parts + 1 }));
  };
  return [
    group('`callbackURL`', redirectURI, {
      absolute: {},
      'absolute, given to `authenticate`': giving({ callbackURL: `${ORIGIN}/other` }),
      relative,
      'relative, given to `authenticate`': giving({ callbackURL: '/other' }),
      'relative, over TLS': { ...relative, special: 'over TLS' },
      'relative, behind a proxy that Express trusts': { ...relative, headers, special: 'trusts proxies' },
      'the same with its host': { ...relative, headers: named, special: 'trusts proxies' },
      'relative, behind a proxy': { ...relative, headers },
      'that with its host': { ...relative, headers: named },
      'relative, behind a proxy, with `proxy: true`': { ...proxied, headers },
      'this with its host': { ...proxied, headers: named },
      none: option('callbackURL'),
    }),
    group('verify', ({ verified, end }) => [verified, end], {
      'four parameters': {},
      'five parameters': { verify: (_a, _b, _c, _d, done) => accept(done) },
      '`passReqToCallback`, five': { options, verify: (_r, _a, _b, _c, done) => accept(done) },
      '`passReqToCallback`, six': { options, verify: (_r, _a, _b, _c, _d, done) => accept(done) },
      'user with info': { verify: (_a, _b, _c, done) => done(null, { id: 'user' }, { message: 'hello' }) },
      '`false`': { verify: (_a, _b, _c, done) => done(null, false) },
      '`false` with info': { verify: (_a, _b, _c, done) => done(null, false, { message: 'banned' }) },
      'an error': { verify: failing },
      'an exception': { verify: broken },
    }),
    group('profile', ({ verified, end }) => verified.at(-1) ?? end, {
      '`userProfile` gets the tokens': { overrides: { userProfile } },
      '`userProfile` calls back with an error': { overrides: { userProfile: failing } },
      '`userProfile`, not overridden': { overrides: { userProfile: undefined } },
      '`skipUserProfile: true`': option('skipUserProfile', true),
      'a function that returns `true`': option('skipUserProfile', () => true),
      'a function that returns `false`': option('skipUserProfile', () => false),
      'a function that calls back with `true`': asking(null, true),
      'a function that calls back with `false`': asking(null, false),
      'a function that calls back with an error': asking(error),
    }),
    group('your own store', see.failure, {
      'keeps a login and its state': { store: ['never'], given: { state } },
      'does not find the login': { store: ['lost'] },
      'calls back with an error at the start': { store: ['start'] },
      'calls back with an error at the callback': { store: ['callback'] },
      'throws at the start': { store: ['start', true] },
      'throws at the callback': { store: ['callback', true] },
      'made for the base package': option('store', storeFor(protocol, 'never')),
    }),
  ];
}

/** @type {Protocol} */
const protocol2 = {
  options: {
    authorizationURL: 'NETWORK/authorize',
    tokenURL: 'NETWORK/token',
    profileURL: 'NETWORK/profile',
    clientID: 'client',
    clientSecret: 'a-secret_of-the-application',
    scope: 'tweet.read users.read',
    state: true,
    pkce: true,
  },
  answers: {
    '/token': [200, '{"access_token":"a-token","refresh_token":"another","token_type":"bearer"}'],
    '/profile': [200, '{"data":{"id":"42","name":"Al","username":"al"}}'],
  },
  response: (redirect) => ({ code: 'a-code', state: redirect.state }),
  store: (save, take) => ({
    store: (_req, verifier, given, _meta, done) => save([verifier, given], done, 'a-handle'),
    verify: (_req, _handle, done) => take(done),
  }),
};

/** @type {See} */
const isS256 = ({ challenge, received: { token } }) =>
  challenge === hash('sha256', token.form.code_verifier, 'base64url');
/** @type {See} */
const clientOf = ({ received: { token } }) => [
  token.headers.authorization?.slice(0, 5),
  token.form.client_id,
];

const groups2 = [
  group('constructor', see.name, {
    name: {},
    'no verify': { verify: null },
    'no `clientID`': option('clientID'),
    'no `clientSecret`': option('clientSecret'),
    'no `authorizationURL`': option('authorizationURL'),
    '`pkce` without `state`': option('state'),
  }),
  group('authorization request', see.query, {
    parameters: {},
    '`scope`, an array': option('scope', ['tweet.read', 'users.read', 'likes']),
    '`scope`, given to `authenticate`': giving({ scope: 'one' }),
    '`scope`, an array given to `authenticate`': giving({ scope: ['one', 'two'] }),
    '`scopeSeparator`': giving({ scope: ['one', 'two'] }, { scopeSeparator: ',' }),
    'a query in `authorizationURL`': option('authorizationURL', 'NETWORK/authorize?lang=en'),
    'a scope in that query': option('authorizationURL', 'NETWORK/authorize?scope=other'),
    'a state in that query': option('authorizationURL', 'NETWORK/authorize?state=other'),
    '`authorizationParams`': adding('authorizationParams'),
  }),
  group('state and PKCE', ({ query, end }) => (query ? [query.state, query.code_challenge_method] : end), {
    'not in the options': { options: { state: undefined, pkce: undefined } },
    '`state`, a string': giving({ state: 'mine' }),
    '`state`, an object': giving({ state }),
    '`pkce: "plain"`': option('pkce', 'plain'),
    'another `pkce`': option('pkce', 'other'),
    '`pkce: "S256"`': { ...option('pkce', 'S256'), see: isS256 },
    '`store: true`: `state` becomes `info.state`': { ...giving({ state }, { store: true }), see: see.end },
    '`store: true`: `state: false`': { ...giving({ state: false }, { store: true }), see: see.end },
    'no session': { special: 'no session', see: see.end },
    'another state comes back': { ...refusing({ code: 'a-code', state: 'another' }), see: see.failure },
    'no state comes back': { response: () => ({ code: 'a-code' }), see: see.failure },
    session: { see: see.session },
    '`sessionKey`': { ...option('sessionKey', 'mine'), see: see.session },
  }),
  group('authorization response', see.end, {
    posted: { special: 'posts' },
    '`access_denied` with a description': refusing(denied),
    '`access_denied` without a login': { response: () => denied },
    'another error': refusing({ error: 'invalid_scope', error_description: 'Bad scope' }),
    '`temporarily_unavailable`': refusing({ error: 'temporarily_unavailable' }),
  }),
  group('token request', ({ received: { token } }) => [token.headers.own, token.form.own, token.form.code], {
    form: {},
    '`tokenParams`': adding('tokenParams'),
    '`customHeaders`': option('customHeaders', { own: 'yes' }),
    client: { see: clientOf },
    ...parsing(answering('/token', 400, '{"error":"invalid_grant","error_description":"Too old"}')),
    'no connection': { ...option('tokenURL', 'http://127.0.0.1:1/'), see: see.end },
    'no access token': { ...answering('/token', 200, '{"token_type":"bearer"}'), see: see.end },
  }),
  ...shared(1, protocol2, ({ query, received: { token } }) => [query.redirect_uri, token.form.redirect_uri]),
  group('strategy', see.token, {
    '`_oauth2.getOAuthAccessToken`, replaced': { change: ({ _oauth2 }) => Object.assign(_oauth2, replaced) },
  }),
];

const CREDENTIALS = 'oauth_token=request-token&oauth_token_secret=a-secret';

/** @type {Protocol} */
const protocol1 = {
  options: {
    requestTokenURL: 'NETWORK/request_token',
    accessTokenURL: 'NETWORK/access_token',
    userAuthorizationURL: 'NETWORK/authorize',
    profileURL: 'NETWORK/profile',
    consumerKey: 'consumer',
    consumerSecret: 'a-secret_of-the-application',
  },
  answers: {
    '/request_token': [200, `${CREDENTIALS}&oauth_callback_confirmed=true`],
    '/access_token': [200, 'oauth_token=a-token&oauth_token_secret=a-secret&user_id=42&screen_name=al'],
    '/profile': [200, '{"id":42,"id_str":"42","name":"Al","screen_name":"al"}'],
  },
  response: ({ oauth_token }) => ({ oauth_token, oauth_verifier: 'a-verifier' }),
  store: (save, take) => ({
    set: (_req, _token, secret, given, _meta, done) => save([secret, given], done),
    get: (_req, _token, done) => take(done),
    destroy: (_req, _token, done) => done(),
  }),
};

/** @type {See} */
const requestOf = ({ received: { request_token: request } }) => [
  request.headers.own,
  request.form,
  request.oauth.oauth_consumer_key,
];
/** @type {See} */
const verifierOf = ({ received: { access_token: request } }) => [
  request.oauth.oauth_token,
  request.oauth.oauth_verifier,
];

const groups1 = [
  group('constructor', see.name, {
    name: {},
    'no verify': { verify: null },
    'no `consumerKey`': option('consumerKey'),
    'no `consumerSecret`': option('consumerSecret'),
    '`consumerSecret: ""`': option('consumerSecret', ''),
    'no `userAuthorizationURL`': option('userAuthorizationURL'),
    '`signatureMethod`': option('signatureMethod', 'HMAC-SHA1'),
    '`sessionKey`': option('sessionKey', 'mine'),
  }),
  group('request token', requestOf, {
    parameters: {},
    '`requestTokenParams`': adding('requestTokenParams'),
    '`customHeaders`': option('customHeaders', { own: 'yes' }),
    ...parsing(answering('/request_token', 401, 'Invalid signature'), see.query),
    'no `oauth_callback_confirmed`': { ...answering('/request_token', 200, CREDENTIALS), see: see.query },
  }),
  group('user authorization', see.query, {
    parameters: {},
    'a query in `userAuthorizationURL`': option('userAuthorizationURL', 'NETWORK/authorize?lang=en'),
    '`userAuthorizationParams`': adding('userAuthorizationParams'),
    'no session': { special: 'no session', see: see.end },
    '`store: true`: `state` becomes `info.state`': { ...giving({ state }, { store: true }), see: see.end },
    '`state` without `store`': { ...giving({ state }), see: see.end },
    '`requestTokenStore`': { ...giving({ state }, { requestTokenStore: true }), see: see.end },
    session: { see: see.session },
  }),
  group('access token', see.end, {
    parameters: { see: verifierOf },
    'no pending login': { special: 'another browser' },
    'another request token': { response: () => ({ oauth_token: 'another', oauth_verifier: 'a-verifier' }) },
    'no `oauth_verifier`': { response: ({ oauth_token }) => ({ oauth_token }) },
    '`denied`': { response: ({ oauth_token }) => ({ denied: oauth_token }) },
    'session, refused': { ...answering('/access_token', 401, 'Invalid signature'), see: see.session },
  }),
  ...shared(2, protocol1, ({ received: { request_token: request } }) => request.oauth.oauth_callback),
  group('strategy', see.token, {
    '`_oauth.getOAuthAccessToken`, replaced': { change: ({ _oauth }) => Object.assign(_oauth, replaced) },
  }),
];

export const CONTRACTS = /** @type {const} */ ([
  { package: 'passport-oauth2', strategy: 'MicroblogOAuth2Strategy', protocol: protocol2, groups: groups2 },
  { package: 'passport-oauth1', strategy: 'MicroblogOAuth1Strategy', protocol: protocol1, groups: groups1 },
]);
