// The strategies of this package, as it was built, with the URLs of another server.
import { createRequire } from 'node:module';
import { CALLBACK, followRedirects } from '../browser.mjs';
import { logInWith } from '../passport-application.mjs';

const load = createRequire(import.meta.url);
/** @type {typeof import('../../lib/index.js')} */
const { cookieLogins, MicroblogStrategy, SocialNetworkStrategy } = load('../../dist/index.js');
/** @type {typeof import('../../lib/check/index.js')} */
const { check } = load('../../dist/check/index.js');

/** A public client has no secret from which the key of its cookies could be made. */
const store = cookieLogins({ secrets: 'a secret of at least 32 characters' });

/** @typedef {{ authorizationURL: string, tokenURL: string, profileURL: string, revocationURL: string }} URLs */
/** @typedef {{ clientID: string, clientSecret?: string }} Credentials */
/** @typedef {{ requestTokenURL: string, accessTokenURL: string, userAuthorizationURL: string, profileURL: string }} URLs1 */
/** @typedef {{ consumerKey: string, consumerSecret: string }} Credentials1 */

/** The user that every server logs in. */
export const USER = '2244994945';
export const SCOPES = ['tweet.read', 'users.read', 'offline.access'];
/** Some servers issue no token without a scope. */
export const CLASSIC_SCOPE = 'email';
/** Characters that RFC 6749 section 2.3.1 encodes in HTTP Basic, and that encoders disagree about. */
export const SPECIAL_SECRET = "s:e%c+r/e=t&'()*!~-_.";

/**
 * Logs in with `MicroblogStrategy`, OAuth 2.0.
 *
 * @param {URLs} urls
 * @param {Credentials} credentials
 * @returns {Promise<{ id: string, accessToken: string, refreshToken: string | undefined, strategy: Strategy2 }>}
 */
export async function logIn2(urls, credentials) {
  /** @type {{ accessToken: string, refreshToken: string | undefined } | undefined} */
  let tokens;
  const strategy = new MicroblogStrategy(
    { ...credentials, ...urls, callbackURL: CALLBACK, scope: SCOPES, store },
    (accessToken, refreshToken, profile, done) => {
      tokens = { accessToken, refreshToken };
      done(null, { id: profile.id });
    },
  );
  const id = await logInWith(strategy, {}, followRedirects);
  if (tokens === undefined) throw new Error('verify was not called');
  return { id, ...tokens, strategy };
}

/** @typedef {InstanceType<typeof import('../../lib/index.js').MicroblogOAuth2Strategy>} Strategy2 */

/**
 * Logs in, and refreshes the access token.
 *
 * @param {URLs} urls
 * @param {Credentials} credentials
 * @returns {Promise<string>} The ID of the user that the new access token belongs to.
 */
export async function refresh(urls, credentials) {
  const { strategy, refreshToken = '', accessToken } = await logIn2(urls, credentials);
  const tokens = await strategy.refresh(refreshToken);
  if (tokens.accessToken === accessToken) throw new Error('the access token is the old one');
  const { status, id } = await lookUp(urls, tokens.accessToken);
  if (id === undefined) throw new Error(`the new access token is worth nothing: HTTP ${status}`);
  return id;
}

/**
 * Logs in, and revokes the access token.
 *
 * @param {URLs} urls
 * @param {Credentials} credentials
 * @returns {Promise<string>} The user's ID.
 */
export async function revoke(urls, credentials) {
  const { strategy, accessToken, id } = await logIn2(urls, credentials);
  await strategy.revoke(accessToken);
  const { status } = await lookUp(urls, accessToken);
  if (status !== 401) throw new Error(`the revoked token still works: HTTP ${status}`);
  return id;
}

/**
 * Logs in with `SocialNetworkStrategy`, whose classic protocol sends the secret in the body.
 *
 * @param {Omit<URLs, 'revocationURL'>} urls
 * @param {Required<Credentials>} credentials
 */
export function logInClassic(urls, credentials) {
  const strategy = new SocialNetworkStrategy(
    { ...credentials, ...urls, callbackURL: CALLBACK, scope: CLASSIC_SCOPE },
    (_accessToken, _refreshToken, profile, done) => done(null, { id: profile.id }),
  );
  return logInWith(strategy, {}, followRedirects);
}

/**
 * Logs in with `MicroblogStrategy`, OAuth 1.0a.
 *
 * @param {URLs1} urls
 * @param {Credentials1} credentials
 */
export function logIn1(urls, credentials) {
  const strategy = new MicroblogStrategy(
    { version: '1.0', ...credentials, ...urls, callbackURL: CALLBACK },
    (_token, _tokenSecret, profile, done) => done(null, { id: profile.id }),
  );
  return logInWith(strategy, {}, followRedirects);
}

/** @typedef {import('../../lib/check/index.js').Finding} Finding */

/** What `check` says of credentials of `MicroblogStrategy`, OAuth 2.0. @param {URLs} urls @param {Credentials} credentials */
export const check2 = (urls, credentials) =>
  credentialsFinding(
    new MicroblogStrategy({ ...credentials, ...urls, callbackURL: CALLBACK, scope: SCOPES, store }, nobody),
  );

/** What `check` says of credentials of VK's classic protocol. @param {Omit<URLs, 'revocationURL'>} urls @param {Required<Credentials>} credentials */
export const checkClassic = (urls, credentials) =>
  credentialsFinding(new SocialNetworkStrategy({ ...credentials, ...urls, callbackURL: CALLBACK }, nobody));

/** What `check` says of credentials of OAuth 1.0a. @param {URLs1} urls @param {Credentials1} credentials */
export const check1 = (urls, credentials) =>
  credentialsFinding(
    new MicroblogStrategy({ version: '1.0', ...credentials, ...urls, callbackURL: CALLBACK }, nobody),
  );

/** Nobody logs in. */
const nobody = () => false;

/** @param {import('passport').Strategy} strategy @returns {Promise<Finding>} */
async function credentialsFinding(strategy) {
  const { findings } = await check(strategy);
  const found = findings.find(({ subject }) => subject === 'credentials');
  if (found === undefined) throw new Error('check says nothing of the credentials');
  return found;
}

/** The response of X's users lookup. */
export const microblogRecord = { data: { id: USER, name: 'Alice Example', username: 'alice_example' } };
/** The response of VK's users.get. */
export const socialNetworkRecord = {
  response: [{ id: Number(USER), first_name: 'Alice', last_name: 'Example' }],
};

/** @param {URLs} urls @param {string} accessToken @returns {Promise<{ status: number, id: string | undefined }>} */
async function lookUp({ profileURL }, accessToken) {
  const response = await fetch(profileURL, { headers: { authorization: `Bearer ${accessToken}` } });
  const body = response.ok ? await response.json() : undefined;
  return { status: response.status, id: body?.data.id };
}
