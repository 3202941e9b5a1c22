import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { parse } from 'node:querystring';
import type { Request, RequestHandler, Response } from 'express';

import session = require('express-session');
import passport = require('passport');

import type { NamedStrategy } from '../../support/login-app.js';
import { type Ending, MissingOutcome } from './application.js';
import type { AppBrowser } from './browser.js';

/** The options of `passport.authenticate` that `passport.authorize` sets. */
export const LINK = { assignProperty: 'account' } as const;

const TIME_LIMIT = 8_000;

/** An application without a server, with Passport's `logIn` and express-session, or without sessions. */
export class SessionApplication {
  readonly secondOutcomes: string[] = [];
  private readonly authenticator = new passport.Passport();
  private readonly middleware: RequestHandler | undefined;
  /** Sets `req.user`. */
  private readonly signedIn: RequestHandler;

  /** @param sessions - A store that survives restarts; absent for an application without sessions. */
  constructor(strategies: readonly NamedStrategy[], sessions: session.Store | undefined) {
    this.authenticator.serializeUser((user, done) => done(null, user));
    this.authenticator.deserializeUser((user: Express.User, done) => done(null, user));
    for (const strategy of strategies) this.authenticator.use(strategy);
    this.signedIn = this.authenticator.session() as RequestHandler;
    const secret = 'session-secret';
    this.middleware =
      sessions && session({ secret, store: sessions, resave: false, saveUninitialized: false });
  }

  /**
   * @param options - Those of `passport.authenticate`. With {@link LINK} the user is not logged in.
   * @throws {@link MissingOutcome} if the request hangs.
   */
  visit(browser: AppBrowser, name: string, search: string, options: object = {}): Promise<Ending> {
    const req = Object.assign(new IncomingMessage(new Socket()), {
      url: `/callback?${search}`,
      originalUrl: `/callback?${search}`,
      query: parse(search),
      protocol: 'https',
      method: 'GET',
      headers: { host: 'app.example', cookie: browser.cookieHeader() },
    });
    const res = new ServerResponse(req);
    const ended = new Promise<Ending>((resolve, reject) => {
      const timer = setTimeout(() => reject(new MissingOutcome(`${name} did not end`)), TIME_LIMIT);
      let ending: Omit<Ending, 'headers' | 'location'> | undefined;
      const note = (next: Omit<Ending, 'headers' | 'location'>) => {
        if (ending) this.secondOutcomes.push(`${name}: ${ending.kind}, then ${next.kind}`);
        else ending = next;
        return ending === next;
      };
      // express-session wraps `end` and calls this after it has saved the session.
      res.end = () => {
        // express-session sets its cookie in `writeHead`.
        if (!res.headersSent) res.writeHead(res.statusCode);
        const headers = res.getHeaders();
        clearTimeout(timer);
        browser.keepCookies([headers['set-cookie'] ?? []].flat() as string[]);
        resolve({ ...(ending ?? { kind: 'redirect' }), headers, location: String(headers.location ?? '') });
        return res;
      };
      const fail = (error: unknown) => {
        if (note(error ? { kind: 'error', error } : { kind: 'passed' })) res.end();
      };
      const end: passport.AuthenticateCallback = (error, user, info, status) => {
        if (error) return fail(error);
        if (!user) {
          if (note({ kind: 'failure', info, status: status as number | undefined })) res.end();
          return;
        }
        const finish = (problem?: unknown) => {
          if (problem) return fail(problem);
          if (note({ kind: 'success', user, info })) res.end();
        };
        if (this.middleware && !('assignProperty' in options))
          (req as unknown as Request).logIn(user, finish);
        else finish();
      };
      const authenticate = this.authenticator.authenticate(name, options, end) as RequestHandler;
      const request = Object.assign(req, { res }) as unknown as Request;
      const steps = [...(this.middleware ? [this.middleware, this.signedIn] : []), authenticate];
      const next = (problem?: unknown): void => {
        const step = problem ? undefined : steps.shift();
        if (step) void step(request, res as Response, next);
        else fail(problem);
      };
      next();
    });
    return ended;
  }
}
