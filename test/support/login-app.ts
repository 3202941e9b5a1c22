import express = require('express');
import session = require('express-session');
import passport = require('passport');

import { serve, type TestServer } from './server.js';

/** A Passport strategy with a name; all strategies of this package have one. */
export type NamedStrategy = passport.Strategy & {
  name: string;
  authorizationRequest?(req: express.Request, options?: object): Promise<URL>;
};

export interface Ending {
  readonly user?: unknown;
  readonly info?: unknown;
  readonly failure?: unknown;
  readonly status?: number | undefined;
  readonly error?: unknown;
}

export interface LoginApp extends TestServer {
  readonly endings: readonly Ending[];
}

export interface LoginAppSettings {
  /** Options for `passport.authenticate` at the start of a login. */
  readonly start?: object;
  /** Whether `passport.authenticate` gets the strategy instance instead of its name. */
  readonly byInstance?: boolean;
  /** The session store; pass one to share sessions between applications. */
  readonly sessions?: session.Store;
  /** Whether the application has no sessions; users then do not stay logged in, and strategies need their own store. */
  readonly sessionless?: boolean;
}

/** An Express application with Passport, which keeps whole users in the session of express-session, unless it has none. */
export function passportApp({
  sessions = new session.MemoryStore(),
  sessionless = false,
}: Pick<LoginAppSettings, 'sessions' | 'sessionless'> = {}) {
  const authenticator = new passport.Passport();
  authenticator.serializeUser((user, done) => done(null, user));
  authenticator.deserializeUser((user: Express.User, done) => done(null, user));
  const app = express();
  if (!sessionless) {
    app.use(session({ secret: 'session-secret', store: sessions, resave: false, saveUninitialized: false }));
    app.use(authenticator.session());
  }
  return { app, authenticator };
}

/**
 * Starts an application of {@link passportApp}: `/login/<name>` starts a login, `/request/<name>` one without a redirect, whose
 * response is `{ url }`, and the callback route is the strategies' default. It responds with JSON: `{ user, info, session }` (200), `{ failure }` (the failure's status)
 * or `{ error, code }` (the error's status).
 */
export async function loginApp(
  strategies: NamedStrategy | readonly NamedStrategy[],
  { start = {}, byInstance = false, sessionless = false, sessions }: LoginAppSettings = {},
): Promise<LoginApp> {
  const endings: Ending[] = [];
  const { app, authenticator } = passportApp({ sessionless, ...(sessions && { sessions }) });
  for (const strategy of [strategies].flat() as NamedStrategy[]) {
    const { name } = strategy;
    authenticator.use(strategy);
    const layer = byInstance ? strategy : name;
    app.get(`/login/${name}`, authenticator.authenticate(layer, start));
    app.all(`/request/${name}`, async (req, res) => {
      // As on the copy that Passport makes for a request.
      const copy = byInstance ? strategy : (Object.create(strategy) as NamedStrategy);
      res.json({ url: await copy.authorizationRequest?.(req, start) });
    });
    app.get(`/plain/${name}`, authenticator.authenticate(layer, { session: !sessionless }), (req, res) => {
      res.json({ user: req.user, info: req.authInfo, session: req.sessionID });
    });
    app.all(`/api/auth/callback/${name}`, (req, res, next) => {
      const end = ending(req, res, endings, next, sessionless);
      void authenticator.authenticate(layer, end)(req, res, next);
    });
  }
  app.get('/me', (req, res) => {
    res.json({ user: req.user, session: req.sessionID });
  });
  app.use(errorHandler(endings));
  return Object.assign(await serve(app), { endings });
}

/** Passport's custom callback, the only way to see why a login failed. */
function ending(
  req: express.Request,
  res: express.Response,
  endings: Ending[],
  next: express.NextFunction,
  sessionless: boolean,
): passport.AuthenticateCallback {
  return (error, user, info, status) => {
    if (error) return next(error);
    if (!user) {
      endings.push({ failure: info, status: status as number | undefined });
      return res.status((status as number | undefined) ?? 401).json({ failure: info });
    }
    return req.logIn(user, { session: !sessionless }, (problem: unknown) => {
      if (problem) return next(problem);
      endings.push({ user, info });
      return res.json({ user, info, session: req.sessionID });
    });
  };
}

function errorHandler(endings: Ending[]): express.ErrorRequestHandler {
  return (error: { name?: string; code?: string; status?: number; message?: string }, _req, res, _next) => {
    endings.push({ error });
    const { name, code, message, status = 500 } = error;
    res.status(status).json({ error: name, code, message });
  };
}
