// @ts-check
import express from 'express';
import session from 'express-session';
import helmet from 'helmet';
import passport from 'passport';
import { isLoginResponse } from 'passport-social-networks';
import { Accounts, keyOf, linkForms, problemOf, signInLinks } from '../shared/accounts.mjs';
import { createStrategies, formActionSources } from '../shared/networks.mjs';

/** @typedef {import('../shared/networks.mjs').AppSettings} AppSettings */
/** @typedef {(secret: string) => import('express').RequestHandler[]} Sessions */

/** @param {AppSettings & { sessions?: Sessions }} settings Sessions are on the server, or see cookie-session.js */
export function createApp({
  networks,
  secret,
  sessions = serverSessions,
  trustProxy,
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
        const { account, problem } = accounts.settle(req.user, login, info);
        if (problem) return res.status(409).json({ message: problem });
        if (!account) return res.redirect('/');
        req.logIn(account, (loginError) => (loginError ? next(loginError) : res.redirect('/')));
      };
      authenticator.authenticate(name, finish)(req, res, next);
    });
  }

  app.get('/', (req, res) => {
    if (req.user) return res.json(req.user);
    res.send(signInLinks(strategies));
  });

  app.get('/logins', (req, res) => {
    if (!req.user) return res.redirect('/');
    res.send(linkForms(strategies));
  });

  /** @type {import('express').ErrorRequestHandler} */
  const handleError = (error, _req, res, _next) => {
    report(error);
    const { status, body } = problemOf(error);
    res.status(status).json(body);
  };
  app.use(handleError);
  return app;
}

/** @param {string} secret */
function serverSessions(secret) {
  const cookie = { sameSite: /** @type {const} */ ('lax'), secure: /** @type {const} */ ('auto') };
  return [session({ secret, resave: false, saveUninitialized: false, cookie })];
}
