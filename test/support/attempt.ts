import type { Request, Response } from 'express';

import passport = require('passport');

import type { Ending, NamedStrategy } from './login-app.js';

export interface AttemptEnding extends Ending {
  readonly redirect?: string;
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
export async function redirectOf(
  strategy: NamedStrategy,
  options: object = {},
  cookies: Record<string, string> = {},
): Promise<URL> {
  const { redirect, error } = await attempt(strategy, fakeRequest('/login', cookies), options);
  if (redirect === undefined) throw error;
  return new URL(redirect);
}

export type Callback = (error: unknown, ...results: unknown[]) => void;

/** What a function with a callback calls it with. */
export const called = (start: (done: Callback) => void) =>
  new Promise<unknown[]>((resolve) => start((...args) => resolve(args)));

export type Parameters = Readonly<Record<string, string>>;

/**
 * Starts a login without a server and finishes it with an authorization response.
 *
 * @param callback - The parameters of the authorization response besides the state, or what makes all of them from the state.
 * @param options - Options for `passport.authenticate`.
 * @returns The authorization URL, and how the login ended.
 */
export async function playLogin(
  strategy: NamedStrategy,
  callback: Parameters | ((state: string) => Parameters) = { code: 'the-code' },
  options: object = {},
) {
  const session = {};
  const authorization = await redirectOf(strategy, options, session);
  const state = authorization.searchParams.get('state');
  const given =
    typeof callback === 'function'
      ? callback(state ?? '')
      : { ...callback, ...(state !== null && { state }) };
  const query = new URLSearchParams(given).toString();
  const ending = await attempt(strategy, fakeRequest(`/callback?${query}`, session), options);
  return { authorization, ending };
}
