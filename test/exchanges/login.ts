import express = require('express');

import session = require('express-session');

import { Passport } from 'passport';
import { Browser, type Page } from '../support/browser.js';
import { keyedLogins } from '../support/logins.js';
import { serve } from '../support/server.js';
import type { ExchangeNetwork } from './networks.js';

/** Browsers reach the application at the host of its callback URL. */
const PROXY_HEADERS = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'app.example' };

/** The arguments of a call to verify. */
export interface Verification {
  readonly token: string;
  readonly refreshToken: string | undefined;
  readonly params: object;
  readonly profile: object;
}

/** The result of a login, as an application sees it. */
export interface LoginResult {
  readonly outcome: 'success' | 'error' | 'failure';
  /** The HTTP status of the response to the browser. */
  readonly status: number;
  /** The state or request token of the login; empty if there was no redirect. */
  readonly key: string;
  /** The error that Express's error handler got. */
  readonly error: unknown;
  readonly verifications: readonly Verification[];
}

/**
 * Runs a whole login through Passport in an Express application on a real socket, with the code or verifier of the exchanges.
 *
 * @param options - Strategy options of these exchanges besides the fixed values; `null` leaves an option out.
 */
export async function logIn(
  network: ExchangeNetwork,
  options: Readonly<Record<string, unknown>>,
): Promise<LoginResult> {
  const { app, resultOf } = application(network, options);
  const server = await serve(app);
  const browser = new Browser();
  try {
    const start = await browser.get(`${server.url}/login`, PROXY_HEADERS);
    if (start.status !== 302) return resultOf(start, '');
    const key = new URL(start.location).searchParams.get(network.key) ?? '';
    const callback = new URLSearchParams({ ...network.callback, [network.key]: key });
    const end = await browser.get(`${server.url}/callback?${callback.toString()}`, PROXY_HEADERS);
    return resultOf(end, key);
  } finally {
    await server.close();
  }
}

/** The fixed values with the strategy options of an exchange; `null` leaves an option out. */
export function strategyOptions(
  network: ExchangeNetwork,
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const wanted = Object.entries({ ...network.options, ...options }).filter(([, value]) => value !== null);
  // Request tokens are the same in every exchange, and a store lets each log in once. Some clients have no secret.
  return { store: keyedLogins(), ...Object.fromEntries(wanted) };
}

function application(network: ExchangeNetwork, options: Readonly<Record<string, unknown>>) {
  const verifications: Verification[] = [];
  let caught: unknown;
  const strategy = network.strategy(
    strategyOptions(network, options),
    (token, refreshToken, params, profile, done) => {
      verifications.push({ token, refreshToken, params, profile });
      done(null, { name: 'USER' });
    },
  );

  const passport = new Passport();
  passport.use(strategy);
  passport.serializeUser((user, done) => done(null, user));
  const app = express().set('trust proxy', true);
  app.use(session({ secret: 'SESSION-SECRET', resave: false, saveUninitialized: false }));
  app.get('/login', passport.authenticate(network.name));
  app.get('/callback', passport.authenticate(network.name), (_req, res) => {
    res.sendStatus(204);
  });
  app.use(((error: { statusCode?: number }, _req, res, _next) => {
    caught = error;
    res.sendStatus(error.statusCode ?? 500);
  }) satisfies express.ErrorRequestHandler);

  const resultOf = ({ status }: Page, key: string): LoginResult => ({
    outcome: caught === undefined ? (status === 204 ? 'success' : 'failure') : 'error',
    status,
    key,
    error: caught,
    verifications,
  });
  return { app, resultOf };
}
