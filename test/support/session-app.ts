import express = require('express');
import session = require('express-session');
import passport = require('passport');

import type { NamedStrategy } from './login-app.js';
import { serve, type TestServer } from './server.js';

/** An application that reports when it redirects. */
export interface SessionApp extends TestServer {
  /** The errors that reached its error handler. */
  readonly errors: readonly unknown[];
}

/** Starts an Express application with express-session and this store; `/` starts a login and is its callback route. */
export async function sessionApp(
  strategy: NamedStrategy,
  store: session.Store,
  redirected: () => void = () => {},
): Promise<SessionApp> {
  const errors: unknown[] = [];
  const authenticator = new passport.Passport();
  authenticator.use(strategy);
  const app = express();
  app.use(session({ secret: 'session-secret', store, resave: false, saveUninitialized: false }));
  app.use((_req, res, next) => {
    const setHeader = res.setHeader.bind(res);
    res.setHeader = (name, value) => {
      if (name === 'Location') redirected();
      return setHeader(name, value);
    };
    next();
  });
  app.get('/', authenticator.authenticate(strategy.name, { session: false }), (_req, res) => {
    res.json({ loggedIn: true });
  });
  const handler: express.ErrorRequestHandler = (error: unknown, _req, res, _next) => {
    errors.push(error);
    if (!res.headersSent) res.status(500).json({ failed: true });
  };
  app.use(handler);
  return Object.assign(await serve(app), { errors });
}
