// What docs/migrating.md says of other packages, asked of these packages.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const GUIDE = readFileSync(new URL('../docs/migrating.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
const OPTIONS = { clientID: 'ID', clientSecret: 'SECRET', callbackURL: 'https://app.example/callback' };

/**
 * @typedef {object} TestedStrategy
 * @property {(request: object, options: object) => void} authenticate
 * @property {(...args: unknown[]) => void} _verify - What the base class calls at the end of a login.
 * @property {(url: string) => void} redirect
 */

/** @param {string} name @param {object} [options] @param {(...args: never[]) => void} [verify] @returns {TestedStrategy} */
function strategyOf(name, options = {}, verify = () => undefined) {
  const { Strategy } = require(name);
  return new Strategy({ ...OPTIONS, ...options }, verify);
}

/** The query of the authorization URL. @param {string} name @param {object} [options] @returns {Promise<URLSearchParams>} */
function queryOf(name, options) {
  const strategy = strategyOf(name, options);
  return new Promise((resolve) => {
    strategy.redirect = (url) => resolve(new URL(url).searchParams);
    strategy.authenticate({ query: {}, headers: {}, connection: {}, session: {} }, {});
  });
}

/** Sentence of the guide -> what shows that it is right. @type {Readonly<Record<string, () => unknown>>} */
const SENTENCES = {
  'passport-tiktok-auth and passport-vkontakte send no `state` unless told to': async () => {
    for (const name of ['passport-tiktok-auth', 'passport-vkontakte']) {
      const sent = async (/** @type {object} */ options) =>
        Boolean((await queryOf(name, options)).get('state'));
      assert.deepEqual([await sent({}), await sent({ state: true })], [false, true], name);
    }
  },
  'Five are `(accessToken, refreshToken, params, profile, done)` there even with the option': () => {
    const params = { access_token: 'TOKEN' };
    /** @type {unknown[]} */
    let seen = [];
    const five = (/** @type {unknown[]} */ ...[a, b, c, d, e]) => {
      seen = [a, b, c, d, e];
    };
    const verify = Object.defineProperty(five, 'length', { value: 5 });
    const strategy = strategyOf('passport-vkontakte', { passReqToCallback: true }, verify);
    strategy._verify({}, 'TOKEN', undefined, params, { id: 1 }, 'done');
    assert.deepEqual(seen, ['TOKEN', undefined, params, { id: 1 }, 'done']);
  },
  '| none | `includeEmail` | asks for the scope `users.email` |': async () => {
    const scopeOf = async (/** @type {object} */ own) => {
      // It adds to the array that it is given.
      const options = { clientType: 'confidential', scope: ['tweet.read'], ...own };
      return (await queryOf('@superfaceai/passport-twitter-oauth2', options)).get('scope');
    };
    assert.equal(await scopeOf({ includeEmail: true }), await scopeOf({}));
  },
  'so that others in it, such as `video.list`, stay': async () => {
    const scope = ['user.info.basic', 'video.list'];
    assert.match(String((await queryOf('passport-tiktok-auth', { scope })).get('scope')), /video\.list/);
  },
  'as Auth.js asks; without the last there is no refresh token': async () => {
    const { default: twitter } = await import('@auth/core/providers/twitter');
    const { authorization } = twitter({});
    const scope = new URL(String(authorization)).searchParams.get('scope');
    assert.equal(scope, 'users.read tweet.read offline.access');
    assert.ok(GUIDE.includes(`const X_SCOPE = "${scope}"`));
  },
};

/** @throws {Error} if a sentence is not in the guide, or not right. */
export async function checkMoves() {
  for (const [sentence, prove] of Object.entries(SENTENCES)) {
    assert.ok(GUIDE.includes(sentence), sentence);
    await prove();
    console.log(`docs/migrating.md | ${sentence}`);
  }
}
