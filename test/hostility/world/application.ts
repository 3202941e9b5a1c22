import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';

import passport = require('passport');

import { shownBy } from '../../contract/eavesdropper.js';
import type { Browser } from '../../support/browser.js';
import type { NamedStrategy } from '../../support/login-app.js';
import type { AnyFunction } from '../../support/verification.js';
import { keyOf } from './subjects.js';
import { Violation } from './world.js';

export interface Ending {
  readonly kind: 'redirect' | 'success' | 'failure' | 'error' | 'passed';
  readonly location: string;
  readonly user?: unknown;
  readonly info?: unknown;
  readonly status?: number | undefined;
  readonly error?: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

interface AppRequest {
  readonly url: string;
  readonly browser: Browser;
  /** Absent if the framework does not parse queries. */
  readonly query?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Milliseconds after which a request counts as hanging. */
const TIME_LIMIT = 20_000;
const SOCKET = new Socket();
/** Where browsers keep its cookies. */
const ORIGIN = 'https://app.example';

/** Passport with strategies but without a server. Calls the real `passport.authenticate` with requests made by hand. */
export class Application {
  readonly secondOutcomes: string[] = [];
  private readonly authenticator = new passport.Passport();

  constructor(strategies: readonly NamedStrategy[]) {
    for (const strategy of strategies) this.authenticator.use(strategy);
  }

  async start(name: string, browser: Browser): Promise<string> {
    const ending = await this.run(name, { url: '/callback?', query: {}, browser });
    const key = ending.kind === 'redirect' ? keyOf(ending.location) : undefined;
    if (key === undefined) throw new Violation('wrongOutcomes', `a login does not start: ${shownBy(ending)}`);
    return key;
  }

  /** Runs a strategy, for a browser with its cookies and those of the headers. @throws {@link Violation} if it hangs. */
  run(name: string, { browser, ...request }: AppRequest): Promise<Ending> {
    const { url, headers } = request;
    const req = Object.assign(new IncomingMessage(SOCKET), {
      originalUrl: url,
      protocol: 'https',
      method: 'GET',
      ...request,
      headers: {
        host: 'app.example',
        ...headers,
        cookie: [browser.cookieHeader(ORIGIN), headers?.cookie].filter(Boolean).join('; '),
      },
    });
    const res = new ServerResponse(req);
    return new Promise<Ending>((resolve, reject) => {
      const onTimeout = () => reject(new Violation('hangs', `${name} did not end`));
      const timer = setTimeout(onTimeout, TIME_LIMIT);
      let ending: Omit<Ending, 'headers' | 'location'> | undefined;
      let isOver = false;
      const end = (next: Omit<Ending, 'headers' | 'location'>) => {
        if (ending) return void this.secondOutcomes.push(`${name}: ${ending.kind}, then ${next.kind}`);
        ending = next;
        res.end();
      };
      res.end = () => {
        if (isOver) this.secondOutcomes.push(`${name}: ${ending?.kind}, then another response`);
        isOver = true;
        ending ??= { kind: 'redirect' };
        clearTimeout(timer);
        const sent = res.getHeaders();
        browser.keepCookies(ORIGIN, [sent['set-cookie'] ?? []].flat() as string[]);
        resolve({ ...ending, headers: sent, location: String(sent.location ?? '') });
        return res;
      };
      const fail = (error: unknown) => end(error ? { kind: 'error', error } : { kind: 'passed' });
      const authenticate = this.authenticator.authenticate(name, {}, ((error, user, info, status) => {
        if (error) return fail(error);
        if (!user) return end({ kind: 'failure', info, status: status as number | undefined });
        return end({ kind: 'success', user, info });
      }) as passport.AuthenticateCallback) as RequestHandler;
      void authenticate(Object.assign(req, { res }) as unknown as Request, res as Response, fail);
    });
  }
}

/** A verify function that logs the profile's user in. @param note - Told of each call. */
export function verifyAnyone(note: (token: string, id: string) => void): AnyFunction {
  return (token, _refreshToken, { id }, done) => {
    note(token, id);
    done(null, { id });
  };
}
