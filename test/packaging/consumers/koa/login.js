import assert from 'node:assert/strict';
import { once } from 'node:events';
import Router from '@koa/router';
import Koa from 'koa';
import passport from 'koa-passport';
import session from 'koa-session';
import { MicroblogStrategy, ShortVideoStrategy, SocialNetworkStrategy } from 'passport-social-networks';
import { startSandbox } from 'passport-social-networks-sandbox';

const sandbox = await startSandbox();
const app = new Koa();
app.keys = ['a key for the signature of the session cookie'];
/** @type {Map<string, unknown>} */
const sessions = new Map();
const store = {
  get: async (/** @type {string} */ id) => sessions.get(id),
  set: async (/** @type {string} */ id, /** @type {unknown} */ data) => void sessions.set(id, data),
  destroy: async (/** @type {string} */ id) => void sessions.delete(id),
};
app.use(session({ store }, app));
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((/** @type {object} */ user, done) => done(null, user));
app.use(passport.initialize());
app.use(passport.session());

/** @param {string} _token @param {string | undefined} _refresh @param {import('passport-social-networks').Profile<unknown>} profile */
const verify = async (_token, _refresh, { provider, displayName }) => ({ provider, displayName });
const strategies = [
  new ShortVideoStrategy(sandbox.options('short-video'), verify),
  new MicroblogStrategy(sandbox.options('microblog'), verify),
  new SocialNetworkStrategy(sandbox.options('social-network', { version: '2.1' }), verify),
];
const router = new Router();
for (const strategy of strategies) {
  const { name } = strategy;
  passport.use(strategy);
  router.get(`/api/auth/signin/${name}`, passport.authenticate(name));
  router.get(`/api/auth/callback/${name}`, passport.authenticate(name, { successRedirect: '/' }));
}
router.get('/', (ctx) => {
  ctx.body = ctx.state.user;
});
app.use(router.routes());
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

for (const { name } of strategies) {
  const { provider, displayName } = JSON.parse(await logIn(name, `http://127.0.0.1:${port}`));
  assert.deepEqual([provider, displayName], [name, 'Alice Example']);
}
console.log(`${process.version} logged in: ${strategies.map(({ name }) => name).join(', ')}`);
server.close();
server.closeAllConnections();
await sandbox.close();

/**
 * Logs in as a browser would and returns the final page.
 * @param {string} name
 * @param {string} application
 */
async function logIn(name, application) {
  let address = new URL(`/api/auth/signin/${name}`, application);
  const cookies = new Map();
  for (;;) {
    const headers = { cookie: [...cookies.values()].join('; ') };
    const page = await fetch(address, { redirect: 'manual', headers });
    for (const [cookie] of page.headers.getSetCookie().map((line) => line.split(';'))) {
      cookies.set(cookie?.split('=')[0], cookie);
    }
    if (page.status >= 400) throw new Error(await page.text());
    const location = page.headers.get('location');
    if (location === null) return page.text();
    address = new URL(location, address);
    if (address.origin !== application) address.search += '&auto=allow&person=alice';
  }
}
