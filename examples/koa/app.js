// @ts-check
import Router from '@koa/router';
import Koa from 'koa';
import helmet from 'koa-helmet';
import passport from 'koa-passport';
import session from 'koa-session';
import { isLoginResponse } from 'passport-social-networks';
import { Accounts, keyOf, linkForms, problemOf, signInLinks } from '../shared/accounts.mjs';
import { createStrategies, formActionSources } from '../shared/networks.mjs';

/** @param {import('../shared/networks.mjs').AppSettings} settings */
export function createApp({ networks, secret, trustProxy = false, verify, report = console.error }) {
  const app = new Koa();
  // Trust a proxy's X-Forwarded headers for the scheme and host of the redirect URI.
  app.proxy = trustProxy;
  app.keys = [secret];

  app.use(async (ctx, next) => {
    try {
      await next();
    } catch (/** @type {any} */ error) {
      report(error);
      const { status, body } = problemOf(error);
      Object.assign(ctx, { status, body });
    }
  });
  const formAction = ["'self'", ...formActionSources(networks)];
  app.use(helmet({ contentSecurityPolicy: { directives: { formAction } } }));
  app.use(session({ sameSite: 'lax', store: sessionStore() }, app));

  // A separate instance, because the tests run several apps in one process. A single app can use the default export.
  const authenticator = new passport.KoaPassport();
  const accounts = new Accounts();
  authenticator.serializeUser((account, done) => done(null, keyOf(account)));
  authenticator.deserializeUser((/** @type {string} */ key, done) => done(null, accounts.find(key) ?? false));
  app.use(authenticator.initialize());
  app.use(authenticator.session());

  const router = new Router();
  const strategies = createStrategies(networks, verify);
  for (const strategy of strategies) {
    const { name } = strategy;
    authenticator.use(strategy);
    router.get(`/api/auth/signin/${name}`, (ctx, next) => {
      // A response here would finish a login, and change who is signed in.
      if (ctx.state.user || isLoginResponse(ctx.req)) return ctx.redirect('/');
      return authenticator.authenticate(name)(ctx, next);
    });
    router.post(`/link/${name}`, (ctx, next) => {
      const { user } = ctx.state;
      if (!user) return ctx.redirect('/');
      // Pages of other sites can send this form, too. Browsers tell.
      if (ctx.get('sec-fetch-site') !== 'same-origin') return ctx.throw(403);
      return authenticator.authenticate(name, { state: keyOf(user) })(ctx, next);
    });
    router.get(`/api/auth/callback/${name}`, (ctx, next) =>
      authenticator.authenticate(name, async (error, login, info, status) => {
        if (error) throw error;
        if (!login) {
          // The user declined, or no pending login matches the authorization response: { message, code }.
          ctx.status = status ?? 401;
          ctx.body = info;
          return;
        }
        const { account, problem } = accounts.settle(ctx.state.user, login, info);
        if (problem) return Object.assign(ctx, { status: 409, body: { message: problem } });
        if (account) await ctx.logIn(account);
        return ctx.redirect('/');
      })(ctx, next),
    );
  }
  router.get('/', (ctx) => {
    ctx.body = ctx.state.user ?? signInLinks(strategies);
  });
  router.get('/logins', (ctx) => {
    if (!ctx.state.user) return ctx.redirect('/');
    ctx.body = linkForms(strategies);
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
