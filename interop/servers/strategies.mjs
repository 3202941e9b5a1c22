// The strategies of this package, as it was built, with the URLs of another server: what they do at each server, and what `check` says there.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { CALLBACK, followRedirects } from '../browser.mjs';
import { keepID, logInWith } from '../clients/passport.mjs';

const load = createRequire(import.meta.url);
/** @type {typeof import('../../lib/index.js')} */
const { cookieLogins, MicroblogStrategy, SocialNetworkStrategy } = load('../../dist/index.js');
/** @type {typeof import('../../check/lib/index.js')} */
const { check } = load('../../check/dist/index.js');

/** A public client has no secret from which the key of its cookies could be made. */
const store = cookieLogins({ secrets: 'a secret of at least 32 characters' });

/** @typedef {{ clientID: string, clientSecret?: string }} Application - As it is registered with a server. */
/** @typedef {import('../../check/lib/index.js').Finding} Finding */
/** `urls`: the options of a strategy that name them. @typedef {(urls: any, given: Application, verify: any) => import('passport').Strategy} Make */
/** @template Result @typedef {readonly [kind: keyof typeof APPLICATIONS, run: (urls: any, given: Application) => Promise<Result>]} Flow */

/** The user that every server logs in. */
export const USER = '2244994945';
export const SCOPES = ['tweet.read', 'users.read', 'offline.access'];
/** Some servers issue no token without a scope. */
export const CLASSIC_SCOPE = 'email';
const SECRET = 'a-secret_of-the-application';
/** Characters that RFC 6749 section 2.3.1 encodes in HTTP Basic, and that encoders disagree about. */
const SPECIAL_SECRET = "s:e%c+r/e=t&'()*!~-_.";

/** What the servers know. @type {Record<'basic' | 'special' | 'post' | 'public', Application>} */
export const APPLICATIONS = {
  basic: { clientID: 'basic', clientSecret: SECRET },
  special: { clientID: 'special', clientSecret: SPECIAL_SECRET },
  post: { clientID: 'post', clientSecret: SECRET },
  public: { clientID: 'public' },
};

/** OAuth 2.0. @satisfies {Make} */
const microblog2 = (
  /** @type {object} */ urls,
  /** @type {Application} */ given,
  /** @type {any} */ verify,
) => new MicroblogStrategy({ ...given, ...urls, callbackURL: CALLBACK, scope: SCOPES, store }, verify);

/** VK's classic protocol, which sends the secret in the body. @type {Make} */
const classic = ({ authorizationURL, tokenURL, profileURL: x }, { clientID, clientSecret = '' }, verify) => {
  const profileURL = x.replace('/2/users/me', '/method/users.get');
  const options = { clientID, clientSecret, authorizationURL, tokenURL, profileURL, scope: CLASSIC_SCOPE };
  return new SocialNetworkStrategy({ ...options, callbackURL: CALLBACK }, verify);
};

/** @type {Make} */
const microblog1 = (urls, { clientID: consumerKey, clientSecret: consumerSecret = '' }, verify) => {
  const consumer = /** @type {const} */ ({ version: '1.0', consumerKey, consumerSecret });
  return new MicroblogStrategy({ ...consumer, ...urls, callbackURL: CALLBACK }, verify);
};

/** @param {Make} make @returns {Flow<string>[1]} */
const logInAt = (make) => (urls, given) => logInWith(make(urls, given, keepID), {}, followRedirects);

/** Logs in, and does something with the tokens. `statusOf`: of the user's profile, by access token. @param {(strategy: ReturnType<typeof microblog2>, tokens: Record<'accessToken' | 'refreshToken', string>, statusOf: (token: string) => Promise<number>) => Promise<void>} use @returns {Flow<string>[1]} */
const afterLogin = (use) => async (urls, given) => {
  let tokens = { accessToken: '', refreshToken: '' };
  /** @type {typeof keepID} Four arguments, which is what the strategy counts. */
  const verify = (accessToken, refreshToken, profile, done) => {
    tokens = { accessToken, refreshToken: String(refreshToken) };
    done(null, { id: profile.id });
  };
  const strategy = microblog2(urls, given, verify);
  const id = await logInWith(strategy, {}, followRedirects);
  await use(strategy, tokens, async (token) => {
    const { status } = await fetch(urls.profileURL, { headers: { authorization: `Bearer ${token}` } });
    return status;
  });
  return id;
};

const refresh = afterLogin(async (strategy, { accessToken, refreshToken }, statusOf) => {
  const tokens = await strategy.refresh(refreshToken);
  assert.notEqual(tokens.accessToken, accessToken);
  assert.equal(await statusOf(tokens.accessToken), 200, 'the new access token is worth nothing');
});

const revoke = afterLogin(async (strategy, { accessToken }, statusOf) => {
  await strategy.revoke(accessToken);
  assert.equal(await statusOf(accessToken), 401, 'the revoked token still works');
});

/** What strategies do at a server, by their application. @type {Readonly<Record<string, Flow<string>>>} */
const LOGINS = {
  'MicroblogStrategy, Basic': ['basic', logInAt(microblog2)],
  'MicroblogStrategy, Basic, special characters in the secret': ['special', logInAt(microblog2)],
  'MicroblogStrategy, public client': ['public', logInAt(microblog2)],
  'MicroblogStrategy, refresh': ['basic', refresh],
  'MicroblogStrategy, refresh, public client': ['public', refresh],
  'MicroblogStrategy, revoke': ['basic', revoke],
  'SocialNetworkStrategy, secret in the body': ['post', logInAt(classic)],
  'MicroblogStrategy, OAuth 1.0a': ['basic', logInAt(microblog1)],
  'MicroblogStrategy, OAuth 1.0a, special characters in the secret': ['special', logInAt(microblog1)],
};

/** What `check` says of the credentials. @param {Make} make @param {Partial<Application>} [changes] @returns {Flow<Finding>[1]} */
const checking = (make, changes) => async (urls, given) => {
  const { findings } = await check(make(urls, { ...given, ...changes }, () => false));
  return (
    findings.find(({ subject }) => subject === 'credentials') ?? assert.fail('nothing of the credentials')
  );
};
const WRONG = { clientSecret: 'WRONG-SECRET' };
const UNKNOWN = { clientID: 'unknown' };

/** @type {Readonly<Record<string, Flow<Finding>>>} */
const CHECKS = {
  'MicroblogStrategy, right secret': ['basic', checking(microblog2)],
  'MicroblogStrategy, wrong secret': ['basic', checking(microblog2, WRONG)],
  'MicroblogStrategy, unknown client': ['basic', checking(microblog2, UNKNOWN)],
  'MicroblogStrategy, public client': ['public', checking(microblog2)],
  'MicroblogStrategy, unknown public client': ['public', checking(microblog2, UNKNOWN)],
  'SocialNetworkStrategy, right secret': ['post', checking(classic)],
  'SocialNetworkStrategy, wrong secret': ['post', checking(classic, WRONG)],
  'MicroblogStrategy, OAuth 1.0a, right secret': ['basic', checking(microblog1)],
  'MicroblogStrategy, OAuth 1.0a, wrong secret': ['basic', checking(microblog1, WRONG)],
  'MicroblogStrategy, OAuth 1.0a, unknown key': ['basic', checking(microblog1, UNKNOWN)],
};

/**
 * A server of others, with all flows of its protocol.
 *
 * @param {import('../main.mjs').Package} about
 * @param {(application: Application) => Promise<{ urls: object, close: () => unknown }>} start - With this application, and with a user who
 *   consents to everything.
 * @param {boolean} [isOAuth1]
 * @returns {import('../main.mjs').Server}
 */
export function server(about, start, isOAuth1 = false) {
  /** @template Result @param {Readonly<Record<string, Flow<Result>>>} all @returns {Record<string, () => Promise<Result>>} */
  const own = (all) =>
    Object.fromEntries(
      Object.entries(all).flatMap(([name, [kind, run]]) => {
        const attempt = async () => {
          const { urls, close } = await start(APPLICATIONS[kind]);
          return run(urls, APPLICATIONS[kind]).finally(close);
        };
        return name.includes('OAuth 1.0a') === isOAuth1 ? [[name, attempt]] : [];
      }),
    );
  return { ...about, logins: own(LOGINS), checks: own(CHECKS) };
}

/** What the servers respond to requests for profiles: X's users lookup, and VK's users.get. */
export const RECORDS = {
  '/2/users/me': { data: { id: USER, name: 'Alice Example', username: 'alice_example' } },
  '/method/users.get': { response: [{ id: Number(USER), first_name: 'Alice', last_name: 'Example' }] },
};
