// @ts-check
import express from 'express';
import session from 'express-session';
import helmet from 'helmet';
import passport from 'passport';
import { isLoginResponse } from 'passport-social-networks';
import { Accounts, keyOf, linkForms } from '../shared/accounts.mjs';
import { createStrategies, formActionSources } from '../shared/networks.mjs';

/**
 * @param {object} settings
 * @param {import('../shared/networks.mjs').Networks} settings.networks
 * @param {string} settings.secret Signs the session cookie.
 * @param {(secret: string) => import('express').RequestHandler[]} [settings.sessions] Keeps sessions: on the server, or see cookie-session.js.
 * @param {boolean} [settings.trustProxy] Whether the application runs behind a proxy.
 * @param {import('../shared/networks.mjs').Verify} [settings.verify]
 * @param {(error: unknown) => void} [settings.report] Logs an error.
 */
export function createApp({
  networks,
  secret,
  sessions = serverSessions,
  trustProxy = false,
  verify,
  report = console.error,
}) {
  const app = express();
  // Trust the X-Forwarded headers of one proxy for the scheme and host of the redirect URI.
  app.set('trust proxy', trustProxy ? 1 : false);
  const formAction = ["'self'", ...formActionSources(networks)];
  app.use(helmet({ contentSecurityPolicy: { directives: { formAction } } }));
  app.use(...sessions(secret));

  // A separate instance, because the tests run several apps in one process. A single app can use `passport` itself.
  const authenticator = new passport.Passport();
  const accounts = new Accounts();
  authenticator.serializeUser((account, done) => done(null, keyOf(account)));
  authenticator.deserializeUser((/** @type {string} */ key, done) => done(null, accounts.find(key) ?? false));
  app.use(authenticator.session());

  const strategies = createStrategies(networks, verify);
  for (const strategy of strategies) {
    const { name } = strategy;
    authenticator.use(strategy);
    app.get(`/api/auth/signin/${name}`, (req, res, next) => {
      // A response here would finish a login, and change who is signed in.
      if (req.user || isLoginResponse(req)) return res.redirect('/');
      authenticator.authenticate(name)(req, res, next);
    });
    app.post(`/link/${name}`, (req, res, next) => {
      if (!req.user) return res.redirect('/');
      // Pages of other sites can send this form, too. Browsers tell.
      if (req.get('sec-fetch-site') !== 'same-origin') return res.sendStatus(403);
      authenticator.authenticate(name, { state: keyOf(req.user) })(req, res, next);
    });
    app.get(`/api/auth/callback/${name}`, (req, res, next) => {
      /** @type {import('passport').AuthenticateCallback} */
      const finish = (error, login, info, status) => {
        if (error) return next(error);
        // The user declined, or no pending login matches the authorization response: { message, code }.
        if (!login) return res.status(Number(status ?? 401)).json(info);
        // Only the state tells a link from a login. It was encrypted in a cookie.
        const { state } = /** @type {{ state?: string }} */ (info);
        if (state !== undefined) {
          const isSameUser = req.user && keyOf(req.user) === state;
          const problem = isSameUser ? accounts.link(state, login) : 'Somebody else has logged in since.';
          return problem ? res.status(409).json({ message: problem }) : res.redirect('/');
        }
        if (req.user) return res.redirect('/'); // A login that began before must not change who is signed in.
        req.logIn(accounts.findOrCreate(login), (loginError) =>
          loginError ? next(loginError) : res.redirect('/'),
        );
      };
      authenticator.authenticate(name, finish)(req, res, next);
    });
  }

  app.get('/', (req, res) => {
    if (req.user) return res.json(req.user);
    res.send(strategies.map(({ name }) => `<p><a href="/api/auth/signin/${name}">${name}</a></p>`).join(''));
  });

  app.get('/logins', (req, res) => {
    if (!req.user) return res.redirect('/');
    res.send(linkForms(strategies.map(({ name }) => name)));
  });

  /** @type {import('express').ErrorRequestHandler} */
  const handleError = (error, _req, res, _next) => {
    // The message is for developers and contains no secrets or tokens.
    report(error);
    const message = error.expose ? error.message : 'The login could not be finished. Please try again.';
    res.status(error.status ?? 500).json({ message, code: error.code });
  };
  app.use(handleError);
  return app;
}

/** @param {string} secret */
function serverSessions(secret) {
  const cookie = { sameSite: /** @type {const} */ ('lax'), secure: /** @type {const} */ ('auto') };
  return [session({ secret, resave: false, saveUninitialized: false, cookie })];
}
