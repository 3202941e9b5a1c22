import type { Request, Response } from 'express';

import passport = require('passport');

import type { NamedStrategy } from './login-app.js';

/** How Passport ended a request. */
export interface AttemptEnding {
  readonly redirect?: string;
  readonly user?: unknown;
  readonly info?: unknown;
  readonly failure?: unknown;
  readonly status?: number | undefined;
  readonly error?: unknown;
}

/**
 * A request without a server, with the properties that a strategy reads.
 *
 * @param cookies - The browser's, by name; responses change them.
 */
export function fakeRequest(url = '/login', cookies: Record<string, string> = {}): Request {
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
  const res = {
    setHeader() {},
    appendHeader(_name: string, line: string) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) delete cookies[name];
      else cookies[name] = value;
    },
  };
  const headers = { host: 'app.example', cookie: cookie || 'session=1' };
  return { url, originalUrl: url, protocol: 'https', headers, res } as unknown as Request;
}

/** Runs a strategy on one request through `passport.authenticate`. */
export function attempt(
  strategy: NamedStrategy,
  request: Request = fakeRequest(),
  options: object = {},
): Promise<AttemptEnding> {
  const authenticator = new passport.Passport();
  authenticator.use(strategy);
  return new Promise((resolve) => {
    let location = '';
    const response = {
      setHeader: (name: string, value: string) => {
        if (name === 'Location') location = value;
      },
      end: () => resolve({ redirect: location }),
    };
    const end: passport.AuthenticateCallback = (error, user, info, status) => {
      if (error) resolve({ error });
      else if (user) resolve({ user, info });
      else resolve({ failure: info, status: status as number | undefined });
    };
    const handler = authenticator.authenticate(strategy.name, options, end);
    void handler(request, response as unknown as Response, (error: unknown) => resolve({ error }));
  });
}

/** Starts a login without a server. @returns The authorization URL. */
export async function redirectOf(strategy: NamedStrategy, options: object = {}): Promise<URL> {
  const { redirect, error } = await attempt(strategy, fakeRequest(), options);
  if (redirect === undefined) throw error;
  return new URL(redirect);
}
