import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import express = require('express');

import session = require('express-session');

import { Passport } from 'passport';
import { sessionLogins } from '../../lib/index.js';
import type { ExchangeNetwork } from './networks.js';

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
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const start = await fetch(`${origin}/login`, { redirect: 'manual' });
    if (start.status !== 302) return resultOf(start, '');
    const cookie = start.headers.getSetCookie().map((header) => header.split(';', 1)[0]);
    const { searchParams } = new URL(start.headers.get('location') ?? '');
    const key = searchParams.get(network.key) ?? '';
    const callback = new URLSearchParams({ ...network.callback, [network.key]: key });
    const end = await fetch(`${origin}/callback?${callback.toString()}`, {
      redirect: 'manual',
      headers: { cookie: cookie.join('; ') },
    });
    return resultOf(end, key);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** The fixed values with the strategy options of an exchange; `null` leaves an option out. */
export function strategyOptions(
  network: ExchangeNetwork,
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const wanted = Object.entries({ ...network.options, ...options }).filter(([, value]) => value !== null);
  return Object.fromEntries(wanted);
}

function application(network: ExchangeNetwork, options: Readonly<Record<string, unknown>>) {
  const verifications: Verification[] = [];
  let caught: unknown;
  const strategy = network.strategy(
    // Request tokens are the same in every exchange, and a store lets each log in once.
    { store: sessionLogins(), ...strategyOptions(network, options) },
    (token, refreshToken, params, profile, done) => {
      verifications.push({ token, refreshToken, params, profile });
      done(null, { name: 'USER' });
    },
  );

  const passport = new Passport();
  passport.use(strategy);
  passport.serializeUser((user, done) => done(null, user));
  const app = express();
  app.use(session({ secret: 'SESSION-SECRET', resave: false, saveUninitialized: false }));
  app.get('/login', passport.authenticate(network.name));
  app.get('/callback', passport.authenticate(network.name), (_req, res) => {
    res.sendStatus(204);
  });
  app.use(((error: { statusCode?: number }, _req, res, _next) => {
    caught = error;
    res.sendStatus(error.statusCode ?? 500);
  }) satisfies express.ErrorRequestHandler);

  const resultOf = ({ status }: Response, key: string): LoginResult => ({
    outcome: caught === undefined ? (status === 204 ? 'success' : 'failure') : 'error',
    status,
    key,
    error: caught,
    verifications,
  });
  return { app, resultOf };
}
