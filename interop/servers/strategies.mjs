// The strategies of this package, as it was built, with the URLs of another server: what they do at each server, and what `check` says there.
import { createRequire } from 'node:module';
import { CALLBACK, followRedirects } from '../browser.mjs';
import { logInWith } from '../clients/passport.mjs';

const load = createRequire(import.meta.url);
/** @type {typeof import('../../lib/index.js')} */
const { cookieLogins, MicroblogStrategy, SocialNetworkStrategy } = load('../../dist/index.js');
/** @type {typeof import('../../check/lib/index.js')} */
const { check } = load('../../check/dist/index.js');

/** A public client has no secret from which the key of its cookies could be made. */
const store = cookieLogins({ secrets: 'a secret of at least 32 characters' });

/** @typedef {{ authorizationURL: string, tokenURL: string, profileURL: string, revocationURL: string }} URLs */
/** @typedef {{ requestTokenURL: string, accessTokenURL: string, userAuthorizationURL: string, profileURL: string }} URLs1 */
/** @typedef {{ clientID: string, clientSecret?: string }} Application - As it is registered with a server. */
/** @typedef {import('../../check/lib/index.js').Finding} Finding */
/** @typedef {import('passport').Strategy} Strategy */
/** @typedef {(urls: any, given: Application, verify: any) => Strategy} Make */
/** @typedef {keyof typeof APPLICATIONS} Kind */

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

/** OAuth 2.0. @param {URLs} urls @param {Application} given @param {any} verify */
const microblog2 = (urls, given, verify) =>
  new MicroblogStrategy({ ...given, ...urls, callbackURL: CALLBACK, scope: SCOPES, store }, verify);

/** VK's classic protocol, which sends the secret in the body. @type {Make} */
const classic = ({ authorizationURL, tokenURL, profileURL }, { clientID, clientSecret = '' }, verify) => {
  const urls = {
    authorizationURL,
    tokenURL,
    profileURL: profileURL.replace('/2/users/me', '/method/users.get'),
  };
  const options = { clientID, clientSecret, ...urls, callbackURL: CALLBACK, scope: CLASSIC_SCOPE };
  return new SocialNetworkStrategy(options, verify);
};

/** @type {Make} */
const microblog1 = (urls, { clientID: consumerKey, clientSecret: consumerSecret = '' }, verify) => {
  const consumer = /** @type {const} */ ({ version: '1.0', consumerKey, consumerSecret });
  return new MicroblogStrategy({ ...consumer, ...urls, callbackURL: CALLBACK }, verify);
};

/** @param {Make} make @returns {(urls: any, given: Application) => Promise<string>} */
const logInAt = (make) => (urls, given) => logInWith(make(urls, given, keepID), {}, followRedirects);

/** The verify of every login. @param {string} _token @param {string} _second @param {{ id: string }} profile @param {(error: null, user: { id: string }) => void} done */
const keepID = (_token, _second, { id }, done) => done(null, { id });

/** What strategies do at a server, by their application. @type {Readonly<Record<string, readonly [Kind, (urls: any, given: Application) => Promise<string>]>>} */
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

const WRONG = { clientSecret: 'WRONG-SECRET' };
const UNKNOWN = { clientID: 'unknown' };

/** What `check` is asked about. @type {Readonly<Record<string, readonly [Kind, Make, changes?: Partial<Application>]>>} */
const CHECKS = {
  'MicroblogStrategy, right secret': ['basic', microblog2],
  'MicroblogStrategy, wrong secret': ['basic', microblog2, WRONG],
  'MicroblogStrategy, unknown client': ['basic', microblog2, UNKNOWN],
  'MicroblogStrategy, public client': ['public', microblog2],
  'MicroblogStrategy, unknown public client': ['public', microblog2, UNKNOWN],
  'SocialNetworkStrategy, right secret': ['post', classic],
  'SocialNetworkStrategy, wrong secret': ['post', classic, WRONG],
  'MicroblogStrategy, OAuth 1.0a, right secret': ['basic', microblog1],
  'MicroblogStrategy, OAuth 1.0a, wrong secret': ['basic', microblog1, WRONG],
  'MicroblogStrategy, OAuth 1.0a, unknown key': ['basic', microblog1, UNKNOWN],
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
  /** @template Flow @param {Readonly<Record<string, Flow>>} all */
  const own = (all) => Object.entries(all).filter(([name]) => name.includes('OAuth 1.0a') === isOAuth1);
  /** @template Result @param {Kind} kind @param {(urls: any, given: Application) => Promise<Result>} run */
  const at = (kind, run) => async () => {
    const { urls, close } = await start(APPLICATIONS[kind]);
    return run(urls, APPLICATIONS[kind]).finally(close);
  };
  const logins = own(LOGINS).map(([name, [kind, run]]) => [name, at(kind, run)]);
  const checks = own(CHECKS).map(([name, [kind, make, changes]]) => [
    name,
    at(kind, (urls, given) => credentialsFinding(make(urls, { ...given, ...changes }, () => false))),
  ]);
  return { ...about, logins: Object.fromEntries(logins), checks: Object.fromEntries(checks) };
}

/** Logs in, to do something with the tokens. @param {URLs} urls @param {Application} application */
async function tokensOf(urls, application) {
  let tokens = { accessToken: '', refreshToken: '' };
  /** @type {typeof keepID} Four arguments, which is what the strategy counts. */
  const verify = (accessToken, refreshToken, profile, done) => {
    tokens = { accessToken, refreshToken };
    done(null, { id: profile.id });
  };
  const strategy = microblog2(urls, application, verify);
  const id = await logInWith(strategy, {}, followRedirects);
  return { id, ...tokens, strategy };
}

/** Logs in, and refreshes the access token. @param {URLs} urls @param {Application} application @returns The user to whom the new one belongs. */
async function refresh(urls, application) {
  const { strategy, refreshToken, accessToken } = await tokensOf(urls, application);
  const tokens = await strategy.refresh(refreshToken);
  if (tokens.accessToken === accessToken) throw new Error('the access token is the old one');
  const { status, id } = await lookUp(urls, tokens.accessToken);
  if (id === undefined) throw new Error(`the new access token is worth nothing: HTTP ${status}`);
  return id;
}

/** Logs in, and revokes the access token. @param {URLs} urls @param {Application} application */
async function revoke(urls, application) {
  const { strategy, accessToken, id } = await tokensOf(urls, application);
  await strategy.revoke(accessToken);
  const { status } = await lookUp(urls, accessToken);
  if (status !== 401) throw new Error(`the revoked token still works: HTTP ${status}`);
  return id;
}

/** @param {Strategy} strategy @returns {Promise<Finding>} */
async function credentialsFinding(strategy) {
  const { findings } = await check(strategy);
  const found = findings.find(({ subject }) => subject === 'credentials');
  if (found === undefined) throw new Error('check says nothing of the credentials');
  return found;
}

/** What the servers respond to requests for profiles: X's users lookup, and VK's users.get. */
export const RECORDS = {
  '/2/users/me': { data: { id: USER, name: 'Alice Example', username: 'alice_example' } },
  '/method/users.get': { response: [{ id: Number(USER), first_name: 'Alice', last_name: 'Example' }] },
};

/** @param {URLs} urls @param {string} accessToken @returns {Promise<{ status: number, id: string | undefined }>} */
async function lookUp({ profileURL }, accessToken) {
  const response = await fetch(profileURL, { headers: { authorization: `Bearer ${accessToken}` } });
  const body = response.ok ? await response.json() : undefined;
  return { status: response.status, id: body?.data.id };
}
