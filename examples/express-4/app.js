// @ts-check
import express from 'express';
import session from 'express-session';
import passport from 'passport';
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
  const app = express();
  // Behind one proxy, its word counts for the scheme and host of the callback's address.
  app.set('trust proxy', trustProxy ? 1 : false);
  app.use(
    session({ secret, resave: false, saveUninitialized: false, cookie: { sameSite: 'lax', secure: 'auto' } }),
  );

  // An application that is alone in its process can use `passport` itself.
  const authenticator = new passport.Passport();
  authenticator.serializeUser((user, done) => done(null, user));
  authenticator.deserializeUser((/** @type {Express.User} */ user, done) => done(null, user));
  app.use(authenticator.session());

  const strategies = createStrategies(networks, { store }, verify);
  for (const strategy of strategies) {
    const { name } = strategy;
    authenticator.use(strategy);
    app.get(`/api/auth/signin/${name}`, authenticator.authenticate(name));
    app.get(`/api/auth/callback/${name}`, (req, res, next) => {
      /** @type {import('passport').AuthenticateCallback} */
      const finish = (error, user, failure, status) => {
        if (error) return next(error);
        // The person's "no", or a callback without a login: { message, code }.
        if (!user) return res.status(Number(status ?? 401)).json(failure);
        req.logIn(user, (problem) => (problem ? next(problem) : res.redirect('/')));
      };
      authenticator.authenticate(name, finish)(req, res, next);
    });
  }

  app.get('/', (req, res) => {
    if (req.user) return res.json(req.user);
    res.send(strategies.map(({ name }) => `<p><a href="/api/auth/signin/${name}">${name}</a></p>`).join(''));
  });

  /** @type {import('express').ErrorRequestHandler} */
  const explain = (error, _req, res, _next) => {
    // The message is for the developer; it holds no secret and no token.
    report(error);
    const message = error.expose ? error.message : 'The login could not be finished. Please try again.';
    res.status(error.status ?? 500).json({ message, code: error.code });
  };
  app.use(explain);
  return app;
}
