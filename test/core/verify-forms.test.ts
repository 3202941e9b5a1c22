import { expect } from 'chai';
import type { VerifyDone } from '../../lib/core/verify.js';
import { type AnyFunction, PARAMS, PROFILE, REQUEST, run, USER } from '../support/verification.js';

/** The arguments that a verify function of a form gets, without `done`. */
async function argumentsOf(
  form: (called: (args: unknown[]) => void) => AnyFunction,
  passReqToCallback = false,
) {
  let seen: unknown[] = [];
  await run(
    form((args) => {
      seen = args.slice(0, -1);
      (args.at(-1) as VerifyDone)(null, USER);
    }),
    { passReqToCallback },
  );
  return seen;
}

describe('verify: forms', () => {
  it('four arguments are token, refresh token, profile and done', async () => {
    const form = (called: AnyFunction) => (a: unknown, b: unknown, c: unknown, d: unknown) =>
      called([a, b, c, d]);
    expect(await argumentsOf(form)).to.deep.equal(['token', 'refresh', PROFILE]);
  });

  it('five arguments have the token answer before the profile', async () => {
    const form = (called: AnyFunction) => (a: unknown, b: unknown, c: unknown, d: unknown, e: unknown) =>
      called([a, b, c, d, e]);
    expect(await argumentsOf(form)).to.deep.equal(['token', 'refresh', PARAMS, PROFILE]);
  });

  it('with passReqToCallback five arguments begin with the request', async () => {
    const form = (called: AnyFunction) => (a: unknown, b: unknown, c: unknown, d: unknown, e: unknown) =>
      called([a, b, c, d, e]);
    expect(await argumentsOf(form, true)).to.deep.equal([REQUEST, 'token', 'refresh', PROFILE]);
  });

  it('with passReqToCallback six arguments have the token answer, too', async () => {
    const form =
      (called: AnyFunction) => (a: unknown, b: unknown, c: unknown, d: unknown, e: unknown, f: unknown) =>
        called([a, b, c, d, e, f]);
    expect(await argumentsOf(form, true)).to.deep.equal([REQUEST, 'token', 'refresh', PARAMS, PROFILE]);
  });

  it('wrappers that declare no arguments get the short form', async () => {
    const form =
      (called: AnyFunction) =>
      (...args: unknown[]) =>
        called(args);
    expect(await argumentsOf(form)).to.deep.equal(['token', 'refresh', PROFILE]);
    expect(await argumentsOf(form, true)).to.deep.equal([REQUEST, 'token', 'refresh', PROFILE]);
  });

  it('three declared arguments, as of an async verify, get the short form', async () => {
    let seen: unknown[] = [];
    await run(async (token: unknown, refresh: unknown, profile: unknown) => {
      seen = [token, refresh, profile];
      return USER;
    });
    expect(seen).to.deep.equal(['token', 'refresh', PROFILE]);
  });

  it('an async verify without done that returns nothing is told so at once', async () => {
    const verify = async (_token: unknown, _refresh: unknown, _profile: unknown) => {};
    const error = await run(verify).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(TypeError);
    expect((error as Error).message).to.equal('verify returned no user. Is a return missing?');
  });
});
