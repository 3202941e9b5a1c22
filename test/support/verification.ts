import type { Request } from 'express';
import type { Outcome } from '../../lib/core/login/index.js';
import { callVerify, type VerifyOptions } from '../../lib/core/login/index.js';

export const REQUEST = { request: true } as unknown as Request;
export const PARAMS = { access_token: 'token', scope: 'basic' };
export const PROFILE = { id: '1' };
export const USER = { id: 7 };

// biome-ignore lint/suspicious/noExplicitAny: verify functions of every form.
export type AnyFunction = (...args: any[]) => unknown;

/** Calls a verify function with a login. */
export function run(
  verify: AnyFunction,
  { state, ...options }: VerifyOptions & { state?: unknown } = {},
): Promise<Outcome> {
  return callVerify(verify, options, {
    req: REQUEST,
    token: 'token',
    refreshToken: 'refresh',
    params: PARAMS,
    profile: PROFILE,
    state,
    beforeLogin: () => {},
  });
}
