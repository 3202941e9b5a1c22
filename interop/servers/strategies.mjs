// The strategies of this package, as it was built, with the URLs of another server: what they do at each server, and what `check` says there.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { CALLBACK, followRedirects } from '../browser.mjs';
import { keepID, logInWith } from '../clients/passport.mjs';

const load = createRequire(import.meta.url);
const { cookieLogins, MicroblogStrategy, SocialNetworkStrategy } = load('../../dist/index.js');
const { check } = load('../../check/dist/index.js');

/** A public client has no secret from which the key of its cookies could be made. */
const store = cookieLogins({ secrets: 'a secret of at least 32 characters' });

/** The user that every server logs in. */
export const USER = '2244994945';
export const SCOPES = ['tweet.read', 'users.read', 'offline.access'];
/** Some servers issue no token without a scope. */
export const CLASSIC_SCOPE = 'email';
const SECRET = 'a-secret_of-the-application';
/** Characters that RFC 6749 section 2.3.1 encodes in HTTP Basic, and that encoders disagree about. */
const SPECIAL_SECRET = "s:e%c+r/e=t&'()*!~-_.";

/** What the servers know. */
export const APPLICATIONS = {
  basic: { clientID: 'basic', clientSecret: SECRET },
  special: { clientID: 'special', clientSecret: SPECIAL_SECRET },
  post: { clientID: 'post', clientSecret: SECRET },
  public: { clientID: 'public' },
};

/** OAuth 2.0. */
const microblog2 = (urls, given, verify) =>
  new MicroblogStrategy({ ...given, ...urls, callbackURL: CALLBACK, scope: SCOPES, store }, verify);

/** VK's classic protocol, which sends the secret in the body. */
const classic = ({ authorizationURL, tokenURL, profileURL: x }, { clientID, clientSecret = '' }, verify) => {
  const profileURL = x.replace('/2/users/me', '/method/users.get');
  const options = { clientID, clientSecret, authorizationURL, tokenURL, profileURL, scope: CLASSIC_SCOPE };
  return new SocialNetworkStrategy({ ...options, callbackURL: CALLBACK }, verify);
};

const microblog1 = (urls, { clientID: consumerKey, clientSecret: consumerSecret = '' }, verify) => {
  const consumer = { version: '1.0', consumerKey, consumerSecret };
  return new MicroblogStrategy({ ...consumer, ...urls, callbackURL: CALLBACK }, verify);
};

const logInAt = (make) => (urls, given) => logInWith(make(urls, given, keepID), {}, followRedirects);

/** Logs in, and does something with the tokens. `statusOf`: of the user's profile, by access token. */
const afterLogin = (use) => async (urls, given) => {
  let tokens = { accessToken: '', refreshToken: '' };
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

/** What strategies do at a server, by their application. */
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

/** What `check` says of the credentials. */
const checking = (make, changes) => async (urls, given) => {
  const { findings } = await check(make(urls, { ...given, ...changes }, () => false));
  return (
    findings.find(({ subject }) => subject === 'credentials') ?? assert.fail('nothing of the credentials')
  );
};
const WRONG = { clientSecret: 'WRONG-SECRET' };
const UNKNOWN = { clientID: 'unknown' };

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

/** A server of others, with all flows of its protocol. */
export function server(about, start, isOAuth1 = false) {
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
