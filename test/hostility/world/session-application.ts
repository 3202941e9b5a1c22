import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { parse } from 'node:querystring';
import type { Request, RequestHandler, Response } from 'express';

import session = require('express-session');
import passport = require('passport');

import type { NamedStrategy } from '../../support/login-app.js';
import { type Ending, OutcomeMistake } from './application.js';
import type { AppBrowser } from './browser.js';

const PATIENCE = 8_000;

/** An application without a server: Passport's own login, with express-session in front of it or without any session. */
export class SessionApplication {
  readonly secondOutcomes: string[] = [];
  private readonly authenticator = new passport.Passport();
  private readonly middleware: RequestHandler | undefined;

  /** @param sessions - Shared by applications that follow one another, as a database is; none for an application without. */
  constructor(strategies: readonly NamedStrategy[], sessions: session.Store | undefined) {
    this.authenticator.serializeUser((user, done) => done(null, user));
    for (const strategy of strategies) this.authenticator.use(strategy);
    const secret = 'session-secret';
    this.middleware =
      sessions && session({ secret, store: sessions, resave: false, saveUninitialized: false });
  }

  /** @throws {@link OutcomeMistake} when the request hangs. */
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
      const overdue = setTimeout(() => reject(new OutcomeMistake(`${name} did not end`)), PATIENCE);
      let ending: Omit<Ending, 'headers' | 'location'> | undefined;
      const note = (next: Omit<Ending, 'headers' | 'location'>) => {
        if (ending) this.secondOutcomes.push(`${name}: ${ending.kind}, then ${next.kind}`);
        else ending = next;
        return ending === next;
      };
      // Beneath express-session's own `end`: by now the session is saved.
      res.end = () => {
        // Only now does express-session say which cookie belongs to it.
        if (!res.headersSent) res.writeHead(res.statusCode);
        const headers = res.getHeaders();
        clearTimeout(overdue);
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
        if (this.middleware) (req as unknown as Request).logIn(user, finish);
        else finish();
      };
      const authenticate = this.authenticator.authenticate(name, options, end) as RequestHandler;
      const request = Object.assign(req, { res }) as unknown as Request;
      if (!this.middleware) return void authenticate(request, res as Response, fail);
      return void this.middleware(request, res as Response, (problem?: unknown) =>
        problem ? fail(problem) : void authenticate(request, res as Response, fail),
      );
    });
    return ended;
  }
}
