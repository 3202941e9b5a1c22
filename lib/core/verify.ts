import type { Request } from 'express';
import { withMembers } from './answer.js';
import { isThenable, settled } from './app-callback.js';
import type { LoginSettings } from './login-options.js';
import type { Outcome } from './outcome.js';
import type { PendingLogin, PendingLogins } from './pending-login.js';

/** Ends a login: `done(error)`, `done(null, user, info)` or, to refuse it, `done(null, false, info)`. */
export type VerifyDone = (error?: unknown, user?: Express.User | false | null, info?: object) => void;

/**
 * What a verify function may return. A promise of a user, or of `false`, ends the login like `done` does; anything else
 * is ignored, so that `(..., done) => users.findOrCreate(profile, done)` works whatever `findOrCreate` returns.
 */
export type VerifyResult = unknown;

/** The short form. `Refresh` is `string | undefined` in OAuth 2.0 and the token secret in OAuth 1.0a. */
export type Verify<Profile, Refresh> = (
  token: string,
  refreshToken: Refresh,
  profile: Profile,
  done: VerifyDone,
) => VerifyResult;

/** With the network's token answer before the profile. */
export type VerifyWithParams<Profile, Refresh, Params> = (
  token: string,
  refreshToken: Refresh,
  params: Params,
  profile: Profile,
  done: VerifyDone,
) => VerifyResult;

/** With `passReqToCallback: true`. */
export type VerifyWithRequest<Profile, Refresh> = (
  req: Request,
  token: string,
  refreshToken: Refresh,
  profile: Profile,
  done: VerifyDone,
) => VerifyResult;

/** With `passReqToCallback: true` and the network's token answer. */
export type VerifyWithRequestAndParams<Profile, Refresh, Params> = (
  req: Request,
  token: string,
  refreshToken: Refresh,
  params: Params,
  profile: Profile,
  done: VerifyDone,
) => VerifyResult;

/** Any of the four forms, for code that passes one on. */
export type AnyVerify<Profile, Refresh, Params> =
  | Verify<Profile, Refresh>
  | VerifyWithRequest<Profile, Refresh>
  | VerifyWithParams<Profile, Refresh, Params>
  | VerifyWithRequestAndParams<Profile, Refresh, Params>;

/** What verify is called with, and the login it belongs to. */
export interface Verification {
  readonly req: Request;
  readonly token: string;
  readonly refreshToken: string | undefined;
  readonly params: object;
  readonly profile: unknown;
  readonly pending: PendingLogin;
  readonly logins: PendingLogins;
}

/** What verify decided; `user` is falsy when it refused. */
interface Verdict {
  readonly user: Express.User | false | null | undefined;
  readonly info: unknown;
}

/**
 * Asks verify, and turns its verdict into the request's outcome. Verify is called in the form that it declares: with `params` when it
 * takes five arguments (six with the request), else, and for wrappers that declare none, in the short form.
 *
 * @throws Whatever verify threw, rejected with or passed to `done`.
 */
export function verifyLogin(
  verify: (...args: never[]) => unknown,
  { passReqToCallback }: LoginSettings,
  verification: Verification,
): Promise<Outcome> {
  const { req, token, refreshToken, params, profile } = verification;
  const withParams = verify.length === (passReqToCallback ? 6 : 5);
  // A function that declares fewer arguments than it gets (but some: wrappers declare none) has no `done` to call.
  const hasNoDone = verify.length > 0 && verify.length < (passReqToCallback ? 5 : 4);
  const args = [
    ...(passReqToCallback ? [req] : []),
    token,
    refreshToken,
    ...(withParams ? [params] : []),
    profile,
  ];
  const verdict = settled<Verdict>(
    'verify',
    'verify neither called done nor returned a promise of a user',
    (promise) => {
      let answered = false;
      const done: VerifyDone = (error, user, info) => {
        answered = true;
        if (error) promise.reject(error);
        else promise.resolve({ user, info });
      };
      const returned = (verify as (...args: unknown[]) => unknown)(...args, done);
      if (!isThenable(returned)) return;
      returned.then(
        (user) => {
          // `done` has the first word, and undefined is no decision: an async verify may call done later.
          if (answered) return;
          if (user !== undefined) promise.resolve({ user: user as Verdict['user'], info: undefined });
          else if (hasNoDone) promise.reject(new TypeError('verify returned no user. Is a return missing?'));
        },
        (error: unknown) => {
          // An error is never swallowed: after `done` it is a second outcome, and says so in a warning.
          promise.reject(error ?? new TypeError('verify rejected without an error.'));
        },
      );
    },
  );
  // Not where `done` is called: what is strange about `info` would be thrown into the application.
  return verdict.then((found) => outcomeOf(verification, found));
}

function outcomeOf({ req, pending, logins }: Verification, { user, info }: Verdict): Outcome {
  if (!user) return { kind: 'refused', info };
  const told = typeof info === 'string' ? { message: info } : (info as object | undefined);
  const state = pending.state === undefined ? {} : { state: pending.state };
  const before = () => logins.beforeLogin(req);
  return { kind: 'success', user, info: withMembers(told ?? {}, state), before };
}
