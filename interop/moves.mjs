// What docs/migrating.md says of other packages: logs people in at the sandbox with these packages and with ours, and compares what is seen.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { runInNewContext } from 'node:vm';
import { socialProviders } from 'better-auth/social-providers';
import express from 'express';
import session from 'express-session';
import { Browser, CALLBACK, consent, PERSON, serve } from './browser.mjs';
import { betterAuthAccounts } from './clients/web-libraries.mjs';
import { inFolder } from './rewrite.mjs';

const require = createRequire(import.meta.url);
const { AuthorizationCode } = require('simple-oauth2');
const { DataSource, EntitySchema } = require('typeorm');
const ours = require('../dist/index.js');
const { TOKEN_URL, VERIFY_CREDENTIALS_URL } = require('../dist/microblog/index.js').endpoints;
const PAGE = readFileSync(new URL('../docs/migrating.md', import.meta.url), 'utf8');
export const GUIDE = PAGE.replaceAll(/\s+/g, ' ');

/** What applications have that move, as the guide's diffs leave it. */
export function applications({ tiktok, x, xConsumer, vk, vkId }) {
  const keys = ({ id: clientID = '', secret: clientSecret = 'the-protected-key' }) => ({
    clientID,
    clientSecret,
  });
  const consumer = { consumerKey: xConsumer.id, consumerSecret: xConsumer.secret, includeEmail: true };
  const older = { ...consumer, userProfileURL: VERIFY_CREDENTIALS_URL };
  const x2 = { ...keys(x), scope: ['tweet.read', 'users.read'] };
  const open = { clientID: x.publicId, scope: x2.scope };
  const store = ours.cookieLogins({ secrets: ['a secret of thirty-two bytes, say'] });
  const video = { ...keys(tiktok), scope: ['user.info.basic', 'user.info.profile', 'user.info.stats'] };
  const profileFields = ['screen_name', 'sex', 'photo_200', 'nickname', 'city', 'bdate'];
  const classic = { ...keys(vk), scope: ['email'], profileFields };
  const recent = { ...classic, apiVersion: '5.131' };
  const openId = { ...keys(tiktok), clientKey: tiktok.id, scope: ['user.info.basic', 'user.info.profile'] };
  const [, userFields] = /`userFields: \[(.*?)\]`/.exec(GUIDE).map((list) => list.match(/\w+/g));
  const id = { ...keys(vkId), scope: ['vkid.personal_info', 'email', 'phone'] };
  return {
    twitter01: ['twitter01', 'MicroblogStrategy', older, { version: '1.0', name: 'twitter' }],
    twitter: ['passport-twitter', 'MicroblogStrategy', consumer, { version: '1.0', name: 'twitter' }],
    X: ['@passport-js/passport-twitter', 'MicroblogStrategy', consumer, { version: '1.0', name: 'twitter' }],
    superface: ['@superfaceai/passport-twitter-oauth2', 'MicroblogStrategy', x2, { name: 'twitter' }],
    tiktok: ['passport-tiktok-auth', 'ShortVideoStrategy', video, { name: 'tiktok' }],
    public: ['@superfaceai/passport-twitter-oauth2', 'MicroblogStrategy', open, { name: 'twitter', store }],
    vk: ['passport-vkontakte', 'SocialNetworkStrategy', classic, { name: 'vkontakte', lang: 'en' }],
    vk03: ['vkontakte03', 'SocialNetworkStrategy', recent, { name: 'vkontakte' }],
    vk1: ['passport-vk', 'SocialNetworkStrategy', recent, { name: 'vkontakte' }],
    vkStrategy: ['passport-vk-strategy', 'SocialNetworkStrategy', recent, { name: 'vkontakte' }],
    vk04: ['vkontakte04', 'SocialNetworkStrategy', recent, { name: 'vkontakte' }],
    openId: ['passport-tiktok-oauth2', 'ShortVideoStrategy', openId, { name: 'tiktok' }],
    spread: ['passport-twitter-oauth2.0', 'MicroblogStrategy', keys(x), { name: 'twitter', userFields }],
    vkId: ['passport-vk-id', 'SocialNetworkStrategy', id, { version: '2.1', name: 'vkid' }],
  };
}

/** Options that one of the other packages has. */
const THEIRS = {
  clientType: 'confidential',
  fields: ['bio_description', 'profile_deep_link', 'is_verified'],
};

/** As passport-oauth2 takes it, with PKCE: it counts the parameters. */
const OLD_STORE = {
  store: ({ session }, verifier, _s, _m, done) => done(null, 'STATE', Object.assign(session, { verifier })),
  verify: ({ session }, _state, done) => done(null, session.verifier),
};

/** What a subclass overrides. */
const overrides = (seen) => ({
  authorizationParams: () => ({ own: 'yes' }),
  userAuthorizationParams: () => ({ own: 'yes' }),
  tokenParams() {
    seen.called = 'tokenParams';
    return {};
  },
  parseErrorResponse: () => new RangeError('mine'),
  userProfile: (...args) => args.at(-1)(null, { id: 'mine' }),
});
const WRONG_SECRET = { clientSecret: 'a-wrong-secret-of-some-length' };
const CLOSED = 'https://api.twitter.com/1.1/closed.json';
/** In place of the base client's. */
const getOAuthAccessToken = (...args) => args.at(-1)(null, 'mine', 'a-secret', {});

/**
 * How a login differs from the usual one, by its name or by what follows the application in it. `all`, `there`, `here`: options of both strategies
 * or of one; `start`: given to passport.authenticate; `arity`: parameters of verify; `passport`: the package used there; `elsewhere`: the URL to
 * which the application itself leads.
 */
const LOGINS = {
  ...Object.fromEntries(['layla', 'anna', 'boris', 'max'].map((person) => [person, { person }])),
  denied: { decision: 'deny' },
  stray: { isStray: true },
  elsewhere: { elsewhere: 'https://oauth.vk.ru/authorize?response_type=code&scope=email' },
  fetch: { headers: { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' } },
  closed: { all: { userProfileURL: CLOSED } },
  refused: { all: { userProfileURL: CLOSED }, here: { lookupURL: CLOSED } },
  link: { via: 'authorize' },
  frame: { headers: { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' } },
  subclass: { overrides },
  'twitter, subclass': { overrides, strategy: 'MicroblogOAuth1Strategy' },
  'own error': { overrides, all: WRONG_SECRET },
  'wrong secret': { all: WRONG_SECRET },
  replaced: { change: ({ _oauth2, _oauth = _oauth2 }) => Object.assign(_oauth, { getOAuthAccessToken }) },
  member: { change: (one) => Object.assign(one, { _callbackURL: 'https://else.example/' }) },
  renamed: { change: (one) => Object.assign(one, { name: 'mine' }) },
  back: { change: ({ _oauth }) => Object.assign(_oauth, { _authorize_callback: `${CALLBACK}?own` }) },
  assigned: { start: { assignProperty: 'federatedUser' } },
  'superface, options': {
    all: { customHeaders: { 'X-Own': 'mine' }, proxy: true, state: true, pkce: true, includeEmail: true },
    here: { userFields: ['location'], tweetFields: ['text'] },
  },
  URL: { all: { userProfileURL: 'https://api.x.com/2/users/me?user.fields=public_metrics' } },
  params: { arity: 5 },
  offline: { all: { scope: ['users.read', 'tweet.read', 'offline.access'] }, arity: 5 },
  start: { start: { forceLogin: true, screenName: 'alice' } },
  'twitter, no profile': { there: { skipExtendedUserProfile: true }, here: { skipUserProfile: true } },
  status: { here: { profileURL: `${VERIFY_CREDENTIALS_URL}?skip_status=false` } },
  state: { start: { state: 'mine' } },
  'Passport 0.5': { passport: 'passport05' },
  kept: { start: { keepSessionInfo: true } },
  public: { there: { clientType: 'public' } },
  'own Authorization': { all: { customHeaders: { Authorization: 'mine' } } },
  'no profile': { all: { skipUserProfile: true } },
  'no URL': { all: { callbackURL: undefined } },
  'twitter, URL': { all: { userProfileURL: 'https://api.twitter.com/1.1/users/show.json' } },
  'no scope': { all: { scope: undefined } },
  least: { all: { scope: ['user.info.basic'] } },
  videos: { all: { scope: ['user.info.basic', 'video.list'] } },
  'tiktok, options': {
    there: { state: true, fields: ['is_verified'], disableAutoAuth: '1' },
    here: { profileFields: ['is_verified'], disableAutoAuth: true },
  },
  prompt: { there: { prompt: 'login' }, start: { prompt: 'login' } },
  spread: { there: { clientType: 'private' } },
  'spread, defaults': { there: { clientType: 'private' }, here: { userFields: undefined } },
  size: { there: { photoSize: 200 }, here: { profileFields: ['photo_200'] } },
  'vk, options': {
    all: { callbackURL: `${CALLBACK}?page=mine`, scope: '4194304', profileFields: ['photo_50'] },
    there: { state: true },
    here: { lang: undefined },
    start: { display: 'popup' },
  },
  'option removed': { there: { passReqToCallback: true }, arity: 5 },
  'five parameters': { all: { passReqToCallback: true }, arity: 5 },
  vk1: { all: { passReqToCallback: true }, here: { passParamsToCallback: true }, arity: 6 },
  'long state': { start: { state: 'x'.repeat(1023) } },
  'start with state': { path: '/login?state=mine' },
  'six parameters': { here: { passReqToCallback: true, passParamsToCallback: true }, arity: 6 },
};

/** Words of the guide, an application, and options with which logins succeed with the other package. Ours refuses them. */
const REFUSED = [
  ['older stores are a `TypeError`', 'superface', { store: OLD_STORE }],
  ["VK's names: `gender` is `sex`", 'vk', { profileFields: ['email', 'name', 'own'] }],
  ['`?state=` in a callback URL', 'vk', { callbackURL: `${CALLBACK}?state=mine` }],
  ['`sessionKey`, `scopeSeparator`', 'tiktok', { sessionKey: 'mine' }],
  ['`scopeSeparator`, `signatureMethod`', 'tiktok', { scopeSeparator: ',' }],
  ['`signatureMethod`, `version` of TikTok', 'twitter', { signatureMethod: 'HMAC-SHA1' }],
  ['`version` of TikTok | none', 'tiktok', { version: 'v2' }],
  ['adds `users.read` to an array', 'superface', { scope: ['tweet.read'] }],
  ['not the number', 'vk', { scope: 4194304 }],
];

const FOUR = 'string,string,profile,function';
const FIVE = 'string,undefined,params,profile,function';
const WITH_REQUEST = 'req,string,undefined,profile,function';
const SIX = 'req,string,undefined,params,profile,function';

const ALICE = 'truealice';
const ADDRESS = 'alice@example.com';
const PICTURES = 'profile.photos.length + profile.photos.findIndex(({ type }) => type === "photo_50")';
const FORM = 'screen_name,user_id';
const NO_FAMILY = 'profile.displayName.at(-1) + profile.name.familyName';
const OWN = 'yestokenParamsmine';
const POLICIES = 'replies.map((reply) => reply.getHeader("referrer-policy")).join()';
const DECLINED = 'The user declined the login at the network.';
const HOME = '/api/auth/callback/twitter';
const VK_NAME = 'profile.username ?? profile.profileUrl';
const X_PAGE = 'https://x.com/alice_example';
const OPEN_ID = '723f24d7-e717-40f8-a2b6-cb8464cd23b4';

/** Words of the guide, a login, and an expression with its value with the other package and with ours, or the name of its error. */
const ROWS = [
  [['reads a field that', 'passport-tiktok-oauth2 |'], 'openId', 'profile.openId', OPEN_ID, undefined],
  ["and the others of X's record", 'spread', 'profile.public_metrics?.tweet_count', 567, undefined],
  ['three of its fields must', 'spread, defaults', '/pinned_tw.*withheld/.test(sent)', true, false],
  [["VK's `username`", 'at VK with'], 'vk, options', VK_NAME, 'alice_example', 'https://vk.ru/id1000000001'],
  [['`profile.email`, ', 'none with pass'], 'vkId', 'profile.email ?? profile.emails.length', ADDRESS, 1],
  ['`profile.email`, `unionId`', 'tiktok', 'typeof profile.unionId', 'string', 'undefined'],
  ['0.3.3 and 0.5.0 and passport-vk-strategy', 'vk03, five parameters', 'kinds.join()', FIVE, WITH_REQUEST],
  ['with other versions as here', 'vk04, five parameters', 'kinds.join()', WITH_REQUEST, WITH_REQUEST],
  ['Remove the option for 0.3.3, 0.5.0', 'vk03, option removed', 'kinds.join()', FIVE, FIVE],
  ['and passport-vk-strategy `(', 'vkStrategy, five parameters', 'kinds.join()', FIVE, WITH_REQUEST],
  ['that the user chose, with', 'spread', 'profile.displayName', undefined, 'Alice Example'],
  ['better-auth or passport-twitter-oauth2.0', 'spread', 'kinds[1]', 'string', 'undefined'],
  ['`provider=vkid` | without', 'vkId', 'query.provider', 'vkid', undefined],
  ['missing at TikTok', 'tiktok', 'profile.photos?.length', undefined, 1],
  ['but 0.3.3 and 0.5.0)', 'vk04, denied', 'outcome', 'VkontakteAuthorizationError', 'access_denied'],
  [['such as `access_denied`', 'as its `failureR'], 'vk, denied', 'outcome', 'failure', 'access_denied'],
  ['otherwise as VK chooses', 'vk04', 'sent.includes("lang=")', false, false],
  ['with passport-vkontakte 0.3.3 and 0.5.0, with', 'vk03', 'sent.includes("lang=en")', true, false],
  ['with passport-vk and passport-vk-strategy', 'vkStrategy', 'sent.includes("lang=en")', true, false],
  ['reads `profile.emails`, such as', 'vk04', 'profile.emails?.[0].value', undefined, ADDRESS],
  ['passport-twitter 0.1, and passport', 'twitter01', 'profile.emails?.[0].value', undefined, ADDRESS],
  ['there, as the network writes it', 'vk03', 'profile.emails?.[0].value', ADDRESS, ADDRESS],
  ['0.3.2 and 0.4.0, `_json.photo`', 'vk04', '/photo%2C/.test(sent)', true, false],
  ['More than 1,024 bytes', 'vk, long state', 'outcome', 'success', 'TypeError'],
  ['in a link to your sign-in', 'superface, start with state', 'outcome', 'success', 'unknown_login'],
  [['`results` of `oauth', 'Another parsed response'], 'twitter, params', 'params', FORM, FORM],
  ["verify's `token` and `tokenSecret`", 'twitter', 'kinds.join()', FOUR, FOUR],
  [['emails?.[0]?.verified`', '`verified` beside'], 'twitter', 'profile.emails[0].verified', undefined, true],
  ["reads VK's `birthday`", 'vk', 'profile.birthday', '1990-05-17', undefined],
  ['or take `3.7.1990` for', 'vk, anna', 'new Date(profile._json.bdate + ".1990").getMonth()', 2, 2],
  ['not one that was requested', 'superface, URL', '"public_metrics" in profile._json', true, false],
  ['account is banned or deleted', 'vk, boris', 'outcome', 'success', 'account_unusable'],
  ['begins logins elsewhere', 'vk, elsewhere', 'outcome', 'success', 'unknown_login'],
  ['or gets it by `fetch`', 'vk, fetch', 'outcome', 'success', 'not_a_navigation'],
  ['uses passport-twitter where', 'twitter, closed', 'profile.emails', 'TypeError', undefined],
  ['If X refuses', 'twitter, refused', 'profile.displayName + profile.photos', 'TypeError', 'undefined'],
  [', is in a frame, or is prefetched', 'vk, frame', 'outcome', 'success', 'not_a_navigation'],
  ['stores, sends or logs `params`', 'superface, offline', 'params.includes("refresh_token")', false, true],
  ['stores, sends or logs `params`', 'vkId, params', '/device_id.*refresh_token/.test(params)', false, true],
  ['| but for passport-tiktok-auth, w', 'tiktok, params', 'params.includes("refresh_token")', true, true],
  [['shows `info.message`', 'calls `req.f'], 'twitter, denied', 'info?.message', undefined, DECLINED],
  [['such as `id`', 'keeps the old form'], 'superface', 'profile._json.id', '2244994945', 'TypeError'],
  ['copies or stores `_json`', 'superface', '({ ...profile._json }).id', '2244994945', undefined],
  ["X's OAuth 2.0 and VK ID throw", 'vkId', 'profile._json.user_id', '1000000001', 'TypeError'],
  ['reads `profile.profileUrl`', 'superface', 'profile.profileUrl', 'https://t.co/3ZX3TNiZCY', X_PAGE],
  [["reads TikTok's", '`username` and three'], 'tiktok, least', 'profile.username', 'TypeError', undefined],
  ['before the login, such as `returnTo`', 'superface, Passport 0.5', 'kept', 'mine', undefined],
  ['before the login, such as `returnTo`', 'superface, kept', 'kept', 'mine', 'mine'],
  ['which has saved nothing when it', 'superface, Passport 0.5', 'isSaved', true, false],
  ['text: `id_str`, `id`, the `open_id`', 'twitter', 'profile.id', '2244994945', '2244994945'],
  ['the `open_id`, `user_id` |', 'tiktok', 'profile.id', OPEN_ID, OPEN_ID],
  ['passport-vk-id | `profile.id`, text', 'vkId', 'profile.id', '1000000001', '1000000001'],
  ['`/api/auth/callback/<name>`', 'superface, no URL', 'query.redirect_uri?.slice(-26)', undefined, HOME],
  ['both are always on, PKCE', 'superface, options', 'query.code_challenge_method', 'S256', 'S256'],
  ['`customHeaders`, `passReqToCallback`, `proxy`', 'superface, options', 'headers["x-own"]', 'mine', 'mine'],
  ['`proxy`, `skipUserProfile`', 'superface, no profile', 'profile ?? outcome', 'success', 'success'],
  ['Leave `Authorization` out', 'superface, own Authorization', 'outcome', 'TokenError', 'success'],
  ['`users/show.json` is not a special case', 'twitter, URL', '/user_id=/.test(sent)', true, false],
  ['| defaults on `api.x.com`', 'twitter', 'sent.split("/")[0]', ' api.twitter.com', ' api.x.com'],
  ['leave it out for a public client', 'public', 'headers.authorization.slice(0, 6)', 'Bearer', 'Bearer'],
  ['or `postFields` say what', 'superface, options', '/tweet.fields=text/.test(sent)', false, true],
  ['`tokenURL` | defaults on `x.com`', 'superface', '/ api.x.com.2.oauth2.token/.test(sent)', false, true],
  ['without it, only the scopes', 'tiktok, no scope', 'query.scope', 'user.info.basic', 'user.info.basic'],
  ['`photoSize: 200` | `profileFields', 'vk, size', '/size=200/.test(profile.photos[0].value)', true, true],
  [['default `en` in 0.3.3', 'in English, otherwise'], 'vk, options', '/lang=en/.test(sent)', true, false],
  ['`profileURL` | defaults on `vk.ru`', 'vk', '/ oauth.vk.ru/.test(sent)', false, true],
  ['is an option of `passport.authenticate`, too', 'vkId, prompt', 'query.prompt', 'login', 'login'],
  ['`{ photos: [], ...profile }`', 'twitter, layla', '({ photos: [], ...profile }).photos.length', 1, 0],
  ['there are no `photos`', 'twitter, layla', 'profile.photos?.length', 1, undefined],
  [['one picture, the largest', 'returned, without', "searches VK's"], 'vk, options', PICTURES, 2, 0],
  ["first and last name, and `'female'`", 'vkId', 'profile.gender', 1, 'female'],
  ['set it for six arguments', 'vk, six parameters', 'kinds.join()', SIX, SIX],
  ['none with OAuth 1.0a | random', 'superface, state', 'query.state === "mine"', true, false],
  ['Yours is at [`req.authInfo.state`]', 'superface, state', 'info.state', undefined, 'mine'],
  ['In a session 1,500 bytes', 'superface', 'Math.round(size / 100)', 6, 15],
  ['send no `state` unless told to', 'tiktok', 'query.state?.length > 20', false, true],
  ['send no `state` unless told to', 'vk', 'query.state?.length > 20', false, true],
  ['Other parameters may stay', 'vk, options', 'outcome', 'success', 'success'],
  ['`authorizationParams`, `tokenP', 'superface, subclass', 'query.own + called + profile.id', OWN, OWN],
  [['subclass ov', 'on a proto'], 'twitter, subclass', 'query.own + profile.id', 'yesmine', 'yesmine'],
  ['`parseErrorResponse`', 'superface, own error', 'outcome', 'RangeError', 'RangeError'],
  ['replaces such a method', 'superface, replaced', 'outcome', 'InternalOAuthError', 'success'],
  ['sets `_callbackURL`', 'superface, member', 'query.redirect_uri', 'https://else.example/', CALLBACK],
  ['sets the callback URL on', 'twitter, back', '"own" in replies[1].req.query', true, false],
  ['sets `strategy.name`', 'twitter, renamed', 'profile.provider', 'twitter', 'mine'],
  ['the error as JSON', 'superface, wrong secret', '/"message"/.test(said)', true, false],
  ['uses `user` in a callback', 'twitter, stray', 'String(user)', 'undefined', 'false'],
  ['has `assignProperty`, or', 'superface, assigned', 'outcome', 'success', 'unknown_login'],
  ['tests `error.name`', 'superface, wrong secret', 'outcome', 'TokenError', 'RefusedError'],
  [['reads `Referer` in', 'renders a page in'], 'superface', POLICIES, ',', 'no-referrer,no-referrer'],
  ['`this` in verify', 'superface', 'self', 'twitter', undefined],
  ['may also end in the `authenticate`', 'twitter, link', 'outcome', 'success', 'success'],
  ['or `0` if unknown', 'vkId, boris', 'profile.gender', 0, undefined],
  ['whose `user.fields` stay', 'superface, URL', '/_metrics/.test(JSON.stringify(profile))', true, true],
  ['`forceLogin`, `screenName` and', 'twitter, start', 'query.force_login + query.screen_name', ALICE, ALICE],
  ['there it is ID and handle', 'twitter, no profile', 'profile?.username', 'alice_example', undefined],
  ['which brings `_json.status`', 'twitter, status', '"status" in profile._json', true, true],
  [['scope `users.email`', 'a left-over'], 'superface, options', '/email/.test(query.scope)', false, true],
  ['replaces the default list', 'tiktok, options', '"avatar_url" in profile._json.data.user', true, false],
  ['| `disableAutoAuth` |', 'tiktok, options', 'query.disable_auto_auth', '1', '1'],
  ['`video.list`, stay', 'tiktok, videos', 'query.scope.includes("video.list")', true, true],
  [['ends in a space', 'that may be empty'], 'vk, layla', NO_FAMILY, ' ', 'ىundefined'],
  [['or a bit', 'and `disp'], 'vk, options', 'query.scope + query.display', '4194304popup', '4194304popup'],
  ['default `5.126` instead of `5.110`', 'vk', 'sent.match(/get.*[?&]v=([0-9.]+)/)[1]', '5.110', '5.126'],
  ['`profile.user_id`, which is `undefined`', 'vkId', 'profile.user_id', undefined, undefined],
  ['there is no refresh token', 'superface, offline', 'kinds[1]', 'string', 'string'],
  ['without the last', 'superface', 'kinds[1]', 'undefined', 'undefined'],
  [['0.1 | a number, with', '0.1 | `profile.id`'], 'twitter01', 'profile.id', 2244994945, '2244994945'],
  [['`profile.id` of VK', 'the same digits as text'], 'vk', 'profile.id', 1000000001, '1000000001'],
  [["`'twitter'`: keep both", 'stores `profile.provider`'], 'X', 'profile.provider', 'twitter', 'twitter'],
  ["X's is rounded", 'twitter01, max', 'String(profile.id)', '1823456789012345600', '1823456789012345679'],
];

/** Further rows of the guide, by where they are run. */
const ELSEWHERE = {
  'checkAlone()': [
    'an app posts an access token',
    'in lower case with passport-vk-strategy',
    'the profile is `{}`',
    'the handle or, without one, the display name',
    'or `[]`',
    'and so does passport-oauth 0.1',
    'Write `req.logout((error)',
  ],
  'checkRefresh(), checkConditions()': ['takes tokens, or when', 'such as `{ where: { email } }`'],
  'checkAuth()': [
    "keeps X's refresh token, with Auth.js",
    'lets better-auth link',
    'more than the least scopes from better-auth',
    '`providerAccountId`, text',
    '`version: "2.0"` of Twitter',
    '`checks`, `client`',
    '`account.providerAccountId`, `user.name`',
    '`user.image` of TikTok',
  ],
  '../test/package.test.ts': ['Otherwise npm ends with ERESOLVE'],
  '../test/contract/options.test.ts': ['`clientId`, `clientSecret` |', '`authorization`, `token`'],
  '../test/core/profile.test.ts': ['`profile(profile)`'],
  '../test/core/oauth2/strategy.test.ts': ['`strategy._oauth2.get(...)`'],
  '../test/sandbox/rehearsal/logins.test.ts': ['cookie-session 1 and 2 need', 'decides in the callback'],
  '../test/examples/frameworks/rehearsal.test.ts': ['answers the callback URL without parameters'],
  '../test/security/wrong-person.test.ts': ['begins a login with one strategy'],
  '../test/sandbox/faults.test.ts': ['whose account at X is suspended', 'its request for the profile'],
  '../test/core/http/connections.test.ts': ['| `agent` |'],
  '../test/types/bodies.test.ts': [
    '`refreshToken: string` |',
    'of a `userProfile` of your own',
    '`params` before `profile`',
    '`ProfileWithMetaData`',
    '`Params` of passport-vkontakte',
    '`VerifyFunction`',
    '`IStrategyOption`',
  ],
};

/** Fields in the guide's tables that have another value here. */
const DIFFERENT = [
  'passport-vkontakte profile.profileUrl',
  'passport-vkontakte profile.birthday',
  'passport-vk-id profile.displayName',
];

const loginOf = (name) => LOGINS[name] ?? LOGINS[name.split(', ').at(-1) ?? ''] ?? {};

/** Of an argument of verify. */
function kindOf(value) {
  if (value?.socket) return 'req';
  return (value?.access_token ?? value?.user_id) ? 'params' : typeof value;
}

async function logIn(options, Base, login = {}, library = 'passport') {
  const { start = {}, person = PERSON, arity = 4, path = '/login', via } = login;
  const { decision, elsewhere, headers, isStray } = login;
  const seen = { kinds: [], profile: undefined, query: {}, sent: '', headers: {}, replies: [] };
  const verify = function (...args) {
    const profile = args.at(-2);
    const kinds = args.map(kindOf).with(-2, 'profile');
    const size = JSON.stringify({ passport: { user: profile } }).length;
    const params = String(Object.keys(args[kinds.indexOf('params')] ?? {}).toSorted());
    Object.assign(seen, { kinds, profile, size, params, refreshToken: args[1], self: this?.name });
    args.at(-1)(null, { id: '1' });
  };
  const passport = new (require(library).Passport)();
  passport.serializeUser((_user, done) => done(null, '1'));
  try {
    const own = { callbackURL: CALLBACK, ...options };
    // One package adds to the list that it gets.
    if (Array.isArray(own.scope)) own.scope = [...own.scope];
    const Strategy = login.overrides ? class extends Base {} : Base;
    Object.assign(Strategy.prototype, login.overrides?.(seen));
    const strategy = new Strategy(own, Object.defineProperty(verify, 'length', { value: arity }));
    login.change?.(strategy);
    Object.assign(seen, { strategy });
    passport.use('theirs', strategy);
  } catch (error) {
    return { ...seen, outcome: error.name };
  }
  const app = express().use(session({ secret: 'SECRET', resave: false, saveUninitialized: false }));
  app.use(passport.initialize(), (req, res, next) => {
    const kept = req.session;
    seen.replies.push(req.res);
    if (req.path === '/login') kept.returnTo = 'mine';
    if (req.path === '/login' && elsewhere !== undefined)
      return res.redirect(`${elsewhere}&client_id=${options.clientID}&redirect_uri=${CALLBACK}`);
    const ended = (error, user, info) => {
      const outcome = error?.name ?? (user ? 'success' : (info?.code ?? 'failure'));
      Object.assign(seen, { said: JSON.stringify(error), info, outcome, user });
      if (!user) return res.end();
      req.logIn(user, { session: true, ...start }, () => {
        seen.kept = req.session.returnTo;
        res.end();
      });
      seen.isSaved = req.session.passport !== undefined;
    };
    const route = (req.path === '/login' && via) || 'authenticate';
    return passport[route]('theirs', { ...start }, ended)(req, res, next);
  });
  const record = ({ request }) => {
    seen.sent += ` ${request.host}${request.path}`;
    Object.assign(seen.headers, request.getHeaders());
  };
  subscribe('http.client.request.start', record);
  await serve(app, async (application) => {
    const authorize = (url) => {
      seen.query = Object.fromEntries(url.searchParams);
      return consent(url, person, decision);
    };
    const open = (at) => new Browser(application, authorize).open(at, { headers });
    await open(path).catch(({ message }) => Object.assign(seen, { outcome: message }));
    if (isStray) await open(seen.replies.at(-1).req.url);
    return '';
  });
  unsubscribe('http.client.request.start', record);
  return seen;
}

function evaluate(expression, seen) {
  try {
    return runInNewContext(expression, { ...seen });
  } catch (error) {
    return error.name;
  }
}

/** The fields in the guide's table of a package's profile, and where they are here. */
function fieldsOf(peer) {
  const [, section = ''] = PAGE.split(`\n## From ${peer}\n`);
  const [, table = ''] = /^\| profile field there.*\n\| --- .*\n((?:\|.*\n)+)/m.exec(section) ?? [];
  return table.split('\n').flatMap((row) => {
    const [there = [], here = []] = row.split(' | ').map((cell) => cell.match(/(?<=`)[^`,]+(?=`)/g) ?? []);
    return there.map((field, i) => [`profile.${field}`, here[i]]);
  });
}

/** What nobody at the sandbox shows. */
function checkAlone() {
  const { Strategy } = require('passport-tiktok-auth');
  const strategy = new Strategy({ clientID: 'ID', clientSecret: 'SECRET' }, () => undefined);
  const record = { data: { user: { open_id: '1', display_name: 'Alice' } } };
  strategy._oauth2.get = (...args) => args.at(-1)(null, JSON.stringify(record));
  strategy.userProfile('TOKEN', {}, (_error, profile) => assert.equal(profile.username, 'Alice'));
  assert.deepEqual(require('passport-vkontakte/lib/profile').parse({ id: 1 }).photos, []);
  require('passport-oauth2').prototype.userProfile('TOKEN', (_error, none) => assert.deepEqual(none, {}));
  const inLowerCase = (_token, _refresh, { emails }) => assert.equal(emails[0].value, ADDRESS);
  const copy = new (require('passport-vk-strategy').Strategy)({ clientID: 'ID' }, inLowerCase);
  copy._verify('TOKEN', undefined, { email: 'Alice@Example.com' }, {});
  // Whatever application the token was issued to.
  const posted = new (require('passport-vkontakte-token'))(
    { clientID: 'ID', clientSecret: 'SECRET' },
    (...args) => args.at(-1)(null, args[0]),
  );
  posted._loadUserProfile = (_token, done) => done(null, {});
  posted.success = (user) => assert.equal(user, 'TOKEN');
  posted.authenticate({ body: { access_token: 'TOKEN' } });
  // package.json has a newer one in its place, because Passport 0.1 changes all requests of the process.
  const { dependencies } = require('twitter01/node_modules/passport-oauth/package.json');
  assert.equal(dependencies.passport, '~0.1.1');
  assert.throws(() => require('passport/lib/http/request').logOut.call({ _sessionManager: {} }), /callback/);
}

export async function checkMoves(given) {
  checkAlone();
  const known = applications(given);
  const logins = new Map();
  const both = async (name, login = loginOf(name)) => {
    const [peer, own, options, moved] = known[name.split(', ')[0] ?? ''] ?? assert.fail(name);
    const { all, there, here, passport, strategy = own } = login;
    const old = { ...options, ...THEIRS, ...all, ...there };
    return [
      await logIn(old, require(peer).Strategy, login, passport),
      await logIn({ ...options, ...moved, ...all, ...here }, ours[strategy], login),
    ];
  };
  const once = (name) => logins.get(name) ?? logins.set(name, both(name)).get(name);
  for (const [words, name, expression, ...expected] of ROWS) {
    const seen = await once(name);
    const values = seen.map((one) => evaluate(expression, one));
    assert.deepEqual(values, expected, `${words}: ${seen.map(({ outcome }) => outcome)}`);
    console.log(`docs/migrating.md | ${words}`);
  }
  for (const [words, name, all] of REFUSED) {
    const outcomes = (await both(name, { all })).map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, ['success', 'TypeError'], words);
  }
  for (const [name, [peer]] of Object.entries(known)) {
    const seen = await once(name);
    const [old, now] = seen;
    for (const { outcome } of seen) assert.equal(outcome, 'success', peer);
    for (const [there, here] of fieldsOf(peer)) {
      const [theirs, mine] = [evaluate(there, old), evaluate(here ?? there, now)];
      assert.ok(theirs !== undefined, `${peer}: ${there}`);
      assert.equal(
        isDeepStrictEqual(theirs, mine),
        here !== undefined && !DIFFERENT.includes(`${peer} ${there}`),
        `${peer}: ${there} ${theirs}, ${here} ${mine}`,
      );
      console.log(`docs/migrating.md | ${peer} | ${there} | ${here}`);
    }
  }
  await checkRefresh(once, given.x);
  await checkConditions(once);
  await checkAuth(once);
  await checkBetterAuth(given);
  const words = [...ROWS, ...REFUSED].flatMap(([part]) => part).concat(Object.values(ELSEWHERE).flat());
  for (const part of words) assert.ok(GUIDE.includes(part), part);
  const others = tableRows().filter((row) => !words.some((part) => row.includes(part)));
  assert.deepEqual(others, [], 'no test runs these rows');
}

/** Whom databases find by an address that a person does not have, there and here. */
async function checkConditions(once) {
  const addressOf = ({ profile }) => profile.emails?.[0]?.value ?? profile.email;
  assert.deepEqual((await once('vkId, layla')).map(addressOf), ['', undefined]);
  const columns = { id: { type: Number, primary: true }, email: { type: String, nullable: true } };
  const entities = [new EntitySchema({ name: 'User', columns })];
  const source = await new DataSource({ type: 'sqljs', entities, synchronize: true }).initialize();
  const users = source.getRepository('User');
  await users.save({ id: 1, email: ADDRESS });
  const { User, registry } = require('loopback');
  User.attachTo(registry.memory());
  await User.create({ email: ADDRESS, password: 'any' });
  const find = async (email) =>
    (await Promise.all([users, User].map((one) => one.findOne({ where: { email } })))).map(
      (one) => one?.email,
    );
  assert.deepEqual(await find(''), [undefined, undefined]);
  assert.deepEqual(await find(undefined), [ADDRESS, ADDRESS]);
  assert.deepEqual(await find(null), [ADDRESS, undefined]);
}

/** What a refresh returns, here and in a login without Passport. */
async function checkRefresh(once, { id, secret }) {
  const [, { strategy, refreshToken }] = await once('superface, offline');
  const renewed = await strategy.refresh(refreshToken);
  assert.equal(Object.keys(renewed).toSorted().join(), 'accessToken,expiresAt,params,refreshToken,scope');
  const auth = { tokenHost: TOKEN_URL, tokenPath: TOKEN_URL };
  const clients = new AuthorizationCode({ client: { id, secret }, auth });
  const own = clients.createToken({ refresh_token: renewed.refreshToken });
  const { access_token, refresh_token, expires_in, expires_at } = (await own.refresh()).token;
  assert.ok(access_token && refresh_token && expires_in > 0);
  assert.ok(expires_at instanceof Date);
}

/** What the guide says of Auth.js: its provider, the application with its record, and where its `user.image` is here. */
async function checkAuth(once) {
  for (const [provider, name, image] of [
    ['tiktok', 'tiktok', '_json.data.user.avatar_url'],
    ['twitter', 'superface', 'photos[0].value'],
    ['vk', 'vk', '_json.photo_100'],
  ]) {
    const { default: configure } = await import(`@auth/core/providers/${provider}`);
    const [, now] = await once(name);
    const { authorization, profile } = configure({});
    const user = profile(evaluate('profile._json', now));
    const here = evaluate(`[profile.id, profile.displayName, profile.${image}].join()`, now);
    assert.equal([user.id, user.name, user.image].join(), here, provider);
    assert.equal(typeof user.id === 'number', provider === 'vk', provider);
    assert.equal(String(authorization).includes('offline.access'), provider === 'twitter', provider);
  }
  // Unpacked, because npm would install Next.js and React beside it.
  inFolder((folder) => {
    execFileSync('npm', ['pack', 'next-auth@4.24.15', '--silent'], { cwd: folder });
    execFileSync('tar', ['-xzf', 'next-auth-4.24.15.tgz'], { cwd: folder });
    const { default: twitter } = require(join(folder, 'package/providers/twitter.js'));
    assert.deepEqual([twitter({}).version, twitter({ version: '2.0' }).version], ['1.0A', '2.0']);
  });
}

/** What the guide says of better-auth. */
async function checkBetterAuth({ x }) {
  const credentials = { clientId: x.id, clientKey: x.id, clientSecret: x.secret };
  for (const [name, scope] of [
    ['twitter', 'users.read tweet.read offline.access users.email'],
    ['tiktok', 'user.info.profile'],
    ['vk', 'email phone'],
  ]) {
    const provider = socialProviders[name](credentials);
    const given = { state: 'STATE', codeVerifier: 'v'.repeat(43), redirectURI: CALLBACK };
    const url = await provider.createAuthorizationURL(given);
    assert.equal(url.searchParams.get('scope'), scope);
    assert.equal(url.hostname === 'id.vk.com', name === 'vk');
  }
  assert.equal((await betterAuthAccounts('twitter', credentials, ['max', 'maxine'])).length, 2);
  // Without a login, because VK ID's logins at the sandbox come back in two forms in turn, of which passport-vk-id reads one.
  const { fetch } = globalThis;
  globalThis.fetch = async () => Response.json({ user: { user_id: '1', first_name: 'Layla' } });
  assert.equal(await socialProviders.vk(credentials).getUserInfo({ accessToken: 'TOKEN' }), null);
  globalThis.fetch = fetch;
}

/** The rows of the guide's tables, without headings and those of {@link fieldsOf}. */
function tableRows() {
  const tables = PAGE.match(/(?:^\|.*\n)+/gm) ?? [];
  const others = tables.filter((table) => !table.startsWith('| profile field'));
  const rows = others.flatMap((table) => table.trim().split('\n').slice(2));
  return rows.filter((row) => !row.startsWith('| **'));
}
