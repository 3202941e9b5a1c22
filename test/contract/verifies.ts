import { expect } from 'chai';
import { logIn } from '../support/journey.js';
import { type Contract, type Done, personOf } from './harness.js';

interface SeenRequest {
  readonly path: string;
}
interface SeenProfile {
  readonly id: string;
}

/** Tests of the forms of verify, for every network. */
export function verifies({ subject, sandbox, strategy, app }: Contract): void {
  const { provider } = subject;

  it('verify with five arguments gets the token response before the profile', async () => {
    const world = await sandbox();
    const verify = (token: string, _r: unknown, params: object, profile: SeenProfile, done: Done) =>
      done(null, { id: profile.id, hasToken: Object.values(params).includes(token) });
    const page = await logIn(await app(strategy(world, {}, verify)), provider);
    expect(page.json.user).to.deep.equal({ id: personOf(subject, world, 'alice').id, hasToken: true });
  });

  it('passReqToCallback passes the request as the first argument', async () => {
    const world = await sandbox();
    const verify = (req: SeenRequest, _t: string, _r: unknown, profile: SeenProfile, done: Done) =>
      done(null, { path: req.path, id: profile.id });
    const page = await logIn(await app(strategy(world, { passReqToCallback: true }, verify)), provider);
    expect(page.json.user).to.deep.equal({
      path: `/api/auth/callback/${provider}`,
      id: personOf(subject, world, 'alice').id,
    });
  });

  it('verify with passReqToCallback and six arguments gets the token response too', async () => {
    const world = await sandbox();
    const verify = (
      req: SeenRequest,
      token: string,
      _r: unknown,
      params: object,
      profile: SeenProfile,
      done: Done,
    ) => done(null, { path: req.path, id: profile.id, hasToken: Object.values(params).includes(token) });
    const page = await logIn(await app(strategy(world, { passReqToCallback: true }, verify)), provider);
    expect(page.json.user).to.deep.equal({
      path: `/api/auth/callback/${provider}`,
      id: personOf(subject, world, 'alice').id,
      hasToken: true,
    });
  });

  it('a verify that declares no arguments gets four', async () => {
    const world = await sandbox();
    const verify = (...args: unknown[]) => {
      const [, , profile, done] = args as [string, unknown, SeenProfile, Done];
      done(null, { count: args.length, id: profile.id });
    };
    const page = await logIn(await app(strategy(world, {}, verify)), provider);
    expect(page.json.user).to.deep.equal({ count: 4, id: personOf(subject, world, 'alice').id });
  });

  it('an async verify that resolves to a user finishes the login', async () => {
    const world = await sandbox();
    const verify = async (_t: string, _r: unknown, profile: SeenProfile) => ({ id: profile.id });
    const page = await logIn(await app(strategy(world, {}, verify)), provider);
    expect(page.json.user).to.deep.equal({ id: personOf(subject, world, 'alice').id });
  });

  it('an async verify that resolves to false rejects the login', async () => {
    const world = await sandbox();
    const page = await logIn(await app(strategy(world, {}, async () => false)), provider);
    expect(page.status).to.equal(401);
    expect(page.json).to.deep.equal({});
  });
}
