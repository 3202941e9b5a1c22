import { once } from 'node:events';
import Router from '@koa/router';
import Koa from 'koa';
import passport from 'koa-passport';
import session from 'koa-session';
import { MicroblogStrategy, ShortVideoStrategy, SocialNetworkStrategy } from 'passport-social-networks';
import { login, startSandbox } from 'passport-social-networks-sandbox';
import { logInWithEach } from '../express/visit.js';

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

await logInWithEach(login, strategies, `http://127.0.0.1:${port}`);
server.close();
server.closeAllConnections();
await sandbox.close();
