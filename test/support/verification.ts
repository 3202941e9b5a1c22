import type { Request } from 'express';
import type { VerifyOptions } from '../../lib/core/login/index.js';
import { callVerify, type Verdict } from '../../lib/core/login/verify.js';

export const REQUEST = { request: true } as unknown as Request;
export const PARAMS = { access_token: 'token', scope: 'basic' };
export const PROFILE = { id: '1' };
export const USER = { id: 7 };

// biome-ignore lint/suspicious/noExplicitAny: verify functions of every form.
export type AnyFunction = (...args: any[]) => unknown;

export const verifyProfile: AnyFunction = (_token, _refresh, profile, done) => done(null, profile);

export function run(verify: AnyFunction, options: VerifyOptions = {}): Promise<Verdict> {
  return callVerify(verify, options, {
    req: REQUEST,
    token: 'token',
    refreshToken: 'refresh',
    params: PARAMS,
    profile: PROFILE,
  });
}
