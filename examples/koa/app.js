// @ts-check
import Router from '@koa/router';
import Koa from 'koa';
import passport from 'koa-passport';
import session from 'koa-session';
import { sessionLogins } from 'passport-social-networks';
import { createStrategies } from './networks.js';

/**
 * @param {object} settings
 * @param {import('./networks.js').Networks} settings.networks
 * @param {string} settings.secret Signs the session's cookie.
 * @param {boolean} [settings.trustProxy] Whether a proxy stands in front.
 * @param {import('passport-social-networks').LoginStore} [settings.store] Where pending logins are kept.
 * @param {import('./networks.js').Verify} [settings.verify]
 * @param {(error: unknown) => void} [settings.report] Where errors are logged.
 */
export function createApp({
  networks,
  secret,
  trustProxy = false,
  store = sessionLogins(),
  verify,
  report = console.error,
}) {
  const app = new Koa();
  // Behind a proxy, its word counts for the scheme and host of the callback's address.
  app.proxy = trustProxy;
  app.keys = [secret];

  app.use(async (ctx, next) => {
    try {
      await next();
    } catch (/** @type {any} */ error) {
      // The message is for the developer; it holds no secret and no token.
      report(error);
      ctx.status = error.status ?? 500;
      const message = error.expose ? error.message : 'The login could not be finished. Please try again.';
      ctx.body = { message, code: error.code };
    }
  });
  app.use(session({ sameSite: 'lax', store: sessionStore() }, app));

  // An application that is alone in its process can use the default export itself.
  const authenticator = new passport.KoaPassport();
  authenticator.serializeUser((user, done) => done(null, user));
  authenticator.deserializeUser((/** @type {Express.User} */ user, done) => done(null, user));
  app.use(authenticator.initialize());
  app.use(authenticator.session());

  const router = new Router();
  const strategies = createStrategies(networks, { store }, verify);
  for (const strategy of strategies) {
    const { name } = strategy;
    authenticator.use(strategy);
    router.get(`/api/auth/signin/${name}`, authenticator.authenticate(name));
    router.get(`/api/auth/callback/${name}`, (ctx, next) =>
      authenticator.authenticate(name, async (error, user, failure, status) => {
        if (error) throw error;
        if (user) {
          await ctx.logIn(user);
          return ctx.redirect('/');
        }
        // The person's "no", or a callback without a login: { message, code }.
        ctx.status = status ?? 401;
        ctx.body = failure;
      })(ctx, next),
    );
  }
  router.get('/', (ctx) => {
    const links = strategies.map(({ name }) => `<p><a href="/api/auth/signin/${name}">${name}</a></p>`);
    ctx.body = ctx.state.user ?? links.join('');
  });
  app.use(router.routes());
  return app;
}

/** Sessions in memory. Without a store koa-session writes them into the cookie: signed, but readable, and small. */
function sessionStore() {
  /** @type {Map<string, unknown>} */
  const sessions = new Map();
  return {
    get: async (/** @type {string} */ id) => sessions.get(id),
    set: async (/** @type {string} */ id, /** @type {unknown} */ data) => void sessions.set(id, data),
    destroy: async (/** @type {string} */ id) => void sessions.delete(id),
  };
}
