import type { Request } from 'express';
import type { LoginSettings } from '../../lib/core/login-options.js';
import type { Outcome } from '../../lib/core/outcome.js';
import { describeLogin, type PendingLogins } from '../../lib/core/pending-login.js';
import { type Verification, verifyLogin } from '../../lib/core/verify.js';
import { LOGIN } from './logins.js';

export const REQUEST = { request: true } as unknown as Request;
export const PARAMS = { access_token: 'token', scope: 'basic' };
export const PROFILE = { id: '1' };
export const USER = { id: 7 };

// biome-ignore lint/suspicious/noExplicitAny: verify functions take any arguments.
export type AnyFunction = (...args: any[]) => unknown;

/** Runs a verify function for a login. */
export function run(
  verify: AnyFunction,
  { passReqToCallback = false, state = undefined as unknown } = {},
): Promise<Outcome> {
  const owner = { strategy: 'network', clientID: 'client', authorizationURL: 'https://network.example/' };
  const login = { callbackURL: LOGIN.callbackURL, ...(state !== undefined && { state }) };
  const logins: PendingLogins = {
    take: async () => describeLogin(owner, 'state', login),
    beforeLogin() {},
  };
  const verification: Verification = {
    req: REQUEST,
    token: 'token',
    refreshToken: 'refresh',
    params: PARAMS,
    profile: PROFILE,
    pending: describeLogin(owner, 'state', login),
    logins,
  };
  return verifyLogin(verify, { passReqToCallback } as LoginSettings, verification);
}
