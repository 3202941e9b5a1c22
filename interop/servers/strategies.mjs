// The strategies of this package, as it was built, with the URLs of another server: what they do at each server, and what `check` says there.
import { createRequire } from 'node:module';
import { CALLBACK, followRedirects } from '../browser.mjs';
import { logInWith } from '../clients/passport.mjs';

const load = createRequire(import.meta.url);
/** @type {typeof import('../../lib/index.js')} */
const { cookieLogins, MicroblogStrategy, SocialNetworkStrategy } = load('../../dist/index.js');
/** @type {typeof import('../../lib/check/index.js')} */
const { check } = load('../../dist/check/index.js');

/** A public client has no secret from which the key of its cookies could be made. */
const store = cookieLogins({ secrets: 'a secret of at least 32 characters' });

/** @typedef {{ authorizationURL: string, tokenURL: string, profileURL: string, revocationURL: string }} URLs */
/** @typedef {{ requestTokenURL: string, accessTokenURL: string, userAuthorizationURL: string, profileURL: string }} URLs1 */
/** @typedef {{ clientID: string, clientSecret?: string }} Application - As it is registered with a server. */
/** @typedef {import('../../lib/check/index.js').Finding} Finding */
/** @typedef {readonly [application: keyof typeof APPLICATIONS, does: (urls: any, given: Application) => Promise<string>]} Flow */
/** @typedef {readonly [application: keyof typeof APPLICATIONS, asks: (urls: any, given: Application) => Promise<Finding>, changes?: Partial<Application>]} Check */

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

/** @type {Readonly<Record<string, Flow>>} */
const LOGINS = {
  'MicroblogStrategy, Basic': ['basic', async (...given) => (await logIn2(...given)).id],
  'MicroblogStrategy, Basic, special characters in the secret': [
    'special',
    async (...given) => (await logIn2(...given)).id,
  ],
  'MicroblogStrategy, public client': ['public', async (...given) => (await logIn2(...given)).id],
  'MicroblogStrategy, refresh': ['basic', refresh],
  'MicroblogStrategy, refresh, public client': ['public', refresh],
  'MicroblogStrategy, revoke': ['basic', revoke],
  'SocialNetworkStrategy, secret in the body': ['post', logInClassic],
  'MicroblogStrategy, OAuth 1.0a': ['basic', logIn1],
  'MicroblogStrategy, OAuth 1.0a, special characters in the secret': ['special', logIn1],
};

const WRONG = { clientSecret: 'WRONG-SECRET' };
const UNKNOWN = { clientID: 'unknown' };

/** @type {Readonly<Record<string, Check>>} */
const CHECKS = {
  'MicroblogStrategy, right secret': ['basic', check2],
  'MicroblogStrategy, wrong secret': ['basic', check2, WRONG],
  'MicroblogStrategy, unknown client': ['basic', check2, UNKNOWN],
  'MicroblogStrategy, public client': ['public', check2],
  'MicroblogStrategy, unknown public client': ['public', check2, UNKNOWN],
  'SocialNetworkStrategy, right secret': ['post', checkClassic],
  'SocialNetworkStrategy, wrong secret': ['post', checkClassic, WRONG],
  'MicroblogStrategy, OAuth 1.0a, right secret': ['basic', check1],
  'MicroblogStrategy, OAuth 1.0a, wrong secret': ['basic', check1, WRONG],
  'MicroblogStrategy, OAuth 1.0a, unknown key': ['basic', check1, UNKNOWN],
};

/**
 * A server of others, for the flows that it supports.
 *
 * @param {import('../main.mjs').Package} about
 * @param {(application: Application) => Promise<{ urls: URLs | URLs1, close: () => unknown }>} start - With this application, and with a user who
 *   consents to everything.
 * @param {{ logins: readonly string[], checks: readonly string[] }} supported
 * @returns {import('../main.mjs').Server}
 */
export function server(about, start, { logins, checks }) {
  /**
   * @template Result
   * @param {Readonly<Record<string, readonly [keyof typeof APPLICATIONS, (urls: any, given: Application) => Promise<Result>, Partial<Application>?]>>} all
   * @param {readonly string[]} names
   */
  const runs = (all, names) =>
    Object.fromEntries(
      names.map((name) => {
        const found = all[name];
        if (!found) throw new Error(`nothing is called ${name}`);
        const [kind, run, changes] = found;
        return [
          name,
          async () => {
            const { urls, close } = await start(APPLICATIONS[kind]);
            try {
              return await run(urls, { ...APPLICATIONS[kind], ...changes });
            } finally {
              await close();
            }
          },
        ];
      }),
    );
  return { ...about, logins: runs(LOGINS, logins), checks: runs(CHECKS, checks) };
}

/** Logs in with `MicroblogStrategy`, OAuth 2.0. @param {URLs} urls @param {Application} application */
async function logIn2(urls, application) {
  /** @type {{ accessToken: string, refreshToken: string | undefined } | undefined} */
  let tokens;
  const strategy = new MicroblogStrategy(
    { ...application, ...urls, callbackURL: CALLBACK, scope: SCOPES, store },
    (accessToken, refreshToken, profile, done) => {
      tokens = { accessToken, refreshToken };
      done(null, { id: profile.id });
    },
  );
  const id = await logInWith(strategy, {}, followRedirects);
  if (tokens === undefined) throw new Error('verify was not called');
  return { id, ...tokens, strategy };
}

/** Logs in, and refreshes the access token. @param {URLs} urls @param {Application} application @returns The user to whom the new one belongs. */
async function refresh(urls, application) {
  const { strategy, refreshToken = '', accessToken } = await logIn2(urls, application);
  const tokens = await strategy.refresh(refreshToken);
  if (tokens.accessToken === accessToken) throw new Error('the access token is the old one');
  const { status, id } = await lookUp(urls, tokens.accessToken);
  if (id === undefined) throw new Error(`the new access token is worth nothing: HTTP ${status}`);
  return id;
}

/** Logs in, and revokes the access token. @param {URLs} urls @param {Application} application */
async function revoke(urls, application) {
  const { strategy, accessToken, id } = await logIn2(urls, application);
  await strategy.revoke(accessToken);
  const { status } = await lookUp(urls, accessToken);
  if (status !== 401) throw new Error(`the revoked token still works: HTTP ${status}`);
  return id;
}

/** Of `SocialNetworkStrategy`, whose classic protocol sends the secret in the body. @param {URLs} urls @param {Application} application */
const classicOptions = ({ authorizationURL, tokenURL, profileURL }, { clientID, clientSecret = '' }) => ({
  clientID,
  clientSecret,
  authorizationURL,
  tokenURL,
  profileURL: profileURL.replace('/2/users/me', '/method/users.get'),
  callbackURL: CALLBACK,
});

/** Logs in with `SocialNetworkStrategy`. @param {URLs} urls @param {Application} application */
function logInClassic(urls, application) {
  const strategy = new SocialNetworkStrategy(
    { ...classicOptions(urls, application), scope: CLASSIC_SCOPE },
    (_accessToken, _refreshToken, profile, done) => done(null, { id: profile.id }),
  );
  return logInWith(strategy, {}, followRedirects);
}

/** Of `MicroblogStrategy`, OAuth 1.0a. @param {URLs1} urls @param {Application} application */
const options1 = (urls, { clientID: consumerKey, clientSecret: consumerSecret = '' }) =>
  /** @type {const} */ ({ version: '1.0', consumerKey, consumerSecret, ...urls, callbackURL: CALLBACK });

/** Logs in with OAuth 1.0a. @param {URLs1} urls @param {Application} application */
function logIn1(urls, application) {
  const strategy = new MicroblogStrategy(options1(urls, application), (_token, _tokenSecret, profile, done) =>
    done(null, { id: profile.id }),
  );
  return logInWith(strategy, {}, followRedirects);
}

/** What `check` says of credentials of `MicroblogStrategy`, OAuth 2.0. @param {URLs} urls @param {Application} application */
function check2(urls, application) {
  const options = { ...application, ...urls, callbackURL: CALLBACK, scope: SCOPES, store };
  return credentialsFinding(new MicroblogStrategy(options, nobody));
}

/** Of VK's classic protocol. @param {URLs} urls @param {Application} application */
function checkClassic(urls, application) {
  return credentialsFinding(new SocialNetworkStrategy(classicOptions(urls, application), nobody));
}

/** Of OAuth 1.0a. @param {URLs1} urls @param {Application} application */
function check1(urls, application) {
  return credentialsFinding(new MicroblogStrategy(options1(urls, application), nobody));
}

/** Nobody logs in. */
const nobody = () => false;

/** @param {import('passport').Strategy} strategy @returns {Promise<Finding>} */
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
