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
 * @param {string} settings.secret Signs the session cookie.
 * @param {boolean} [settings.trustProxy] Whether the application runs behind a proxy.
 * @param {import('passport-social-networks').LoginStore} [settings.store] Stores pending logins.
 * @param {import('./networks.js').Verify} [settings.verify]
 * @param {(error: unknown) => void} [settings.report] Logs an error.
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
  // Trust a proxy's X-Forwarded headers for the scheme and host of the redirect URI.
  app.proxy = trustProxy;
  app.keys = [secret];

  app.use(async (ctx, next) => {
    try {
      await next();
    } catch (/** @type {any} */ error) {
      // The message is for developers and contains no secrets or tokens.
      report(error);
      ctx.status = error.status ?? 500;
      const message = error.expose ? error.message : 'The login could not be finished. Please try again.';
      ctx.body = { message, code: error.code };
    }
  });
  app.use(session({ sameSite: 'lax', store: sessionStore() }, app));

  // A separate instance, because the tests run several apps in one process. A single app can use the default export.
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
        // The user declined, or no pending login matches the authorization response: { message, code }.
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

/** Keeps sessions in memory. Without a store, koa-session writes them into a readable, size-limited cookie. */
function sessionStore() {
  /** @type {Map<string, unknown>} */
  const sessions = new Map();
  return {
    get: async (/** @type {string} */ id) => sessions.get(id),
    set: async (/** @type {string} */ id, /** @type {unknown} */ data) => void sessions.set(id, data),
    destroy: async (/** @type {string} */ id) => void sessions.delete(id),
  };
}
