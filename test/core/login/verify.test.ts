import { expect } from 'chai';
import type { VerifyDone, VerifyOptions } from '../../../lib/core/login/index.js';
import { rejectionOf } from '../../support/thrown.js';
import { type AnyFunction, PARAMS, PROFILE, REQUEST, run, USER } from '../../support/verification.js';
import { collectsWarnings } from '../../support/warnings.js';

const SECOND = 'verify gave a second outcome; the first one stands.';

describe('verify: the verdict', () => {
  const warnings = collectsWarnings();

  it('done(null, user, info) is a success with that info', async () => {
    const outcome = await run((_t, _r, _p, done) => done(null, USER, { scope: 'x' }));
    expect(outcome).to.deep.include({ kind: 'success', user: USER, info: { scope: 'x' } });
  });

  it('an info that is a string becomes its message', async () => {
    const outcome = await run((_t, _r, _p, done) => done(null, USER, 'Welcome.'), { state: 'mine' });
    expect(outcome).to.deep.include({ info: { message: 'Welcome.', state: 'mine' } });
  });

  it('C17: the application’s state is added to the info, and replaces a state in it', async () => {
    const outcome = await run((_t, _r, _p, done) => done(null, USER, { scope: 'x', state: 'y' }), {
      state: 'mine',
    });
    expect(outcome).to.deep.include({ info: { scope: 'x', state: 'mine' } });
  });

  it('T14: an info that cannot be read is the error of the login, and done does not throw it', async () => {
    const failure = new Error('a getter has a bug');
    const info = {
      get scope(): string {
        throw failure;
      },
    };
    let thrown: unknown;
    const outcome = run((_t, _r, _p, done) => {
      setImmediate(() => {
        try {
          done(null, USER, info);
        } catch (error) {
          thrown = error;
        }
      });
    });
    expect(await rejectionOf(outcome)).to.equal(failure);
    expect(thrown).to.equal(undefined);
  });

  it('done(null, false, info) rejects the user with that info', async () => {
    const info = { message: 'Members only.' };
    for (const nobody of [false, null, undefined]) {
      expect(await run((_t, _r, _p, done) => done(null, nobody, info))).to.deep.equal({
        kind: 'rejected',
        info,
      });
    }
  });

  it('done(error) is that error', async () => {
    const failure = new Error('the database is away');
    expect(await rejectionOf(run((_t, _r, _p, done) => done(failure)))).to.equal(failure);
    expect(await rejectionOf(run((_t, _r, _p, done) => done('a string', USER)))).to.equal('a string');
  });

  it('a promise of a user is a success; of false or null, a rejection of the user', async () => {
    expect(await run(async () => USER)).to.deep.include({ kind: 'success', user: USER, info: {} });
    expect(await run(async () => false)).to.deep.equal({ kind: 'rejected', info: undefined });
    expect(await run(async () => null)).to.deep.equal({ kind: 'rejected', info: undefined });
  });

  it('T14: a promise that rejects is that error, also if it rejects without one', async () => {
    const failure = new Error('the database is away');
    expect(await rejectionOf(run(() => Promise.reject(failure)))).to.equal(failure);
    const nothing = await rejectionOf(run(() => Promise.reject(undefined)));
    expect(nothing).to.be.instanceOf(TypeError);
    expect((nothing as Error).message).to.equal('verify rejected without an error.');
  });

  it('T14: an exception of verify is that error', async () => {
    const failure = new Error('verify has a bug');
    const throwing = () => {
      throw failure;
    };
    expect(await rejectionOf(run(throwing))).to.equal(failure);
  });

  it('an async function that resolves to undefined can call done later', async () => {
    const outcome = await run(async (_t, _r, _p, done) => {
      setImmediate(() => done(null, USER));
    });
    expect(outcome).to.deep.include({ kind: 'success', user: USER });
  });

  it('T14: reading done as a profile is an error that names the option, so that users do not share the account of no ID', async () => {
    const reading = {
      id: async (_t: string, _r: string, _params: object, profile: { id: string }) => ({ id: profile.id }),
      provider: async (...[, , , { provider }]: [string, string, object, { provider: string }]) => ({
        provider,
      }),
      _json: async (_t: string, _r: string, _params: object, profile: { _json: object }) => profile._json,
      username: async (_t: string, _r: string, _params: object, profile: { username: string }) => ({
        key: `microblog:${profile.username}`,
      }),
      emails: async (_t: string, _r: string, _params: object, profile: { emails?: string[] }) => ({
        email: profile.emails?.[0],
      }),
    };
    for (const [key, verify] of Object.entries(reading)) {
      const failure = (await rejectionOf(run(verify))) as Error;
      expect(failure).to.be.instanceOf(TypeError);
      expect(failure.message).to.equal(
        `verify read ${key} of done, as if it were the profile. If its parameters are params and profile, set the option passParamsToCallback: true.`,
      );
    }
  });

  it('the value that a function with done returns is ignored', async () => {
    const outcome = await run((_t, _r, _p, done) => {
      setImmediate(() => done(null, USER));
      return { id: 'not this one' };
    });
    expect(outcome).to.deep.include({ kind: 'success', user: USER });
  });

  it('after done the value of the promise is ignored, and is no second outcome', async () => {
    const outcome = await run(async (_t, _r, _p, done) => {
      done(null, USER);
      return { id: 'not this one' };
    });
    expect(outcome).to.deep.include({ user: USER });
    expect(await warnings.texts()).to.deep.equal([]);
  });

  it('S6: if done is called three times, the first outcome stands and there is one warning', async () => {
    const outcome = await run((_t, _r, _p, done) => {
      done(null, USER);
      done(null, false);
      done(new Error('too late'));
    });
    expect(outcome).to.deep.include({ user: USER });
    expect(await warnings.texts()).to.deep.equal([SECOND]);
  });

  it('S6: an exception after done is a warning, not a second outcome', async () => {
    const outcome = await run((_t, _r, _p, done) => {
      done(null, USER);
      throw new Error('too late');
    });
    expect(outcome).to.deep.include({ user: USER });
    expect(await warnings.texts()).to.deep.equal([SECOND]);
  });

  it('S6: a rejection after done is a warning, not an unhandled rejection', async () => {
    const outcome = await run(async (_t, _r, _p, done) => {
      done(null, USER);
      throw new Error('too late');
    });
    expect(outcome).to.deep.include({ user: USER });
    expect(await warnings.texts()).to.deep.equal([SECOND]);
  });

  it('S1: the warning shows nothing of the second outcome', async () => {
    await run((_t, _r, _p, done) => {
      done(null, USER);
      done(new Error('secret-0123456789'));
    });
    expect((await warnings.texts()).join()).to.not.include('secret');
  });
});

/** The arguments that a verify function of a form gets, without `done`. */
async function argumentsOf(form: (called: AnyFunction) => AnyFunction, options: VerifyOptions = {}) {
  let seen: unknown[] = [];
  const called = (args: unknown[]) => {
    seen = args.slice(0, -1);
    (args.at(-1) as VerifyDone)(null, USER);
  };
  await run(form(called), options);
  return seen;
}

const four = (called: AnyFunction) => (a: unknown, b: unknown, c: unknown, d: unknown) =>
  called([a, b, c, d]);
const five = (called: AnyFunction) => (a: unknown, b: unknown, c: unknown, d: unknown, e: unknown) =>
  called([a, b, c, d, e]);
const six =
  (called: AnyFunction) => (a: unknown, b: unknown, c: unknown, d: unknown, e: unknown, f: unknown) =>
    called([a, b, c, d, e, f]);
const wrapper =
  (called: AnyFunction) =>
  (...args: unknown[]) =>
    called(args);

describe('verify: the arguments', () => {
  it('are token, refresh token, profile and done', async () => {
    expect(await argumentsOf(four)).to.deep.equal(['token', 'refresh', PROFILE]);
  });

  it('begin with the request if passReqToCallback is true', async () => {
    const options = { passReqToCallback: true };
    expect(await argumentsOf(five, options)).to.deep.equal([REQUEST, 'token', 'refresh', PROFILE]);
  });

  it('have the token response before the profile if passParamsToCallback is true', async () => {
    const options = { passParamsToCallback: true };
    expect(await argumentsOf(five, options)).to.deep.equal(['token', 'refresh', PARAMS, PROFILE]);
    const withRequest = { ...options, passReqToCallback: true };
    const all = [REQUEST, 'token', 'refresh', PARAMS, PROFILE];
    expect(await argumentsOf(six, withRequest)).to.deep.equal(all);
  });

  it('have the token response without the option for a function with one more parameter', async () => {
    expect(await argumentsOf(five)).to.deep.equal(['token', 'refresh', PARAMS, PROFILE]);
    const all = [REQUEST, 'token', 'refresh', PARAMS, PROFILE];
    expect(await argumentsOf(six, { passReqToCallback: true })).to.deep.equal(all);
  });

  it('of a wrapper that declares no parameters follow from the options alone', async () => {
    const forms: [VerifyOptions, unknown[]][] = [
      [{}, ['token', 'refresh', PROFILE]],
      [{ passReqToCallback: true }, [REQUEST, 'token', 'refresh', PROFILE]],
      [{ passParamsToCallback: true }, ['token', 'refresh', PARAMS, PROFILE]],
      [
        { passReqToCallback: true, passParamsToCallback: true },
        [REQUEST, 'token', 'refresh', PARAMS, PROFILE],
      ],
    ];
    for (const [options, args] of forms) expect(await argumentsOf(wrapper, options)).to.deep.equal(args);
  });

  it('of a function without done end with the profile', async () => {
    let seen: unknown[] = [];
    await run(async (token, refresh, profile) => {
      seen = [token, refresh, profile];
      return USER;
    });
    expect(seen).to.deep.equal(['token', 'refresh', PROFILE]);
    const withParams = async (token: unknown, refresh: unknown, params: unknown, profile: unknown) => {
      seen = [token, refresh, params, profile];
      return USER;
    };
    await run(withParams, { passParamsToCallback: true });
    expect(seen).to.deep.equal(['token', 'refresh', PARAMS, PROFILE]);
  });
});

describe('verify: a function without done', () => {
  type Form = (verdict: () => unknown) => AnyFunction;
  const FORMS: [string, Form, VerifyOptions][] = [
    ['three parameters', (verdict) => (_token, _refresh, _profile) => verdict(), {}],
    ['one parameter', (verdict) => (_token) => verdict(), {}],
    [
      'four parameters and passReqToCallback',
      (verdict) => (_req, _token, _refresh, _profile) => verdict(),
      { passReqToCallback: true },
    ],
    [
      'four parameters and passParamsToCallback',
      (verdict) => (_token, _refresh, _params, _profile) => verdict(),
      { passParamsToCallback: true },
    ],
  ];

  for (const [title, form, options] of FORMS) {
    describe(`with ${title}`, () => {
      it('logs in the user that it returns, or a promise of one', async () => {
        const settings = { ...options, state: 'mine' };
        const success = { kind: 'success', user: USER, info: { state: 'mine' } };
        expect(
          await run(
            form(() => USER),
            settings,
          ),
        ).to.deep.include(success);
        expect(
          await run(
            form(async () => USER),
            settings,
          ),
        ).to.deep.include(success);
      });

      it('rejects the user with false or null', async () => {
        for (const nobody of [false, null]) {
          const rejected = { kind: 'rejected', info: undefined };
          expect(
            await run(
              form(() => nobody),
              options,
            ),
          ).to.deep.equal(rejected);
          expect(
            await run(
              form(async () => nobody),
              options,
            ),
          ).to.deep.equal(rejected);
        }
      });

      it('T14: fails at once if it returns nothing', async () => {
        for (const verdict of [() => {}, async () => {}]) {
          const verify = form(verdict);
          const error = await rejectionOf(run(verify, options));
          expect(error).to.be.instanceOf(TypeError);
          expect((error as Error).message).to.equal(
            `verify returned no user: no promise, plain object or false. Is a return or async missing? It declares ${verify.length} parameters, too few to receive done; parameters with a default value do not count.`,
          );
        }
      });

      it('T14: fails with the error that it throws or rejects with', async () => {
        const failure = new Error('the database is away');
        const throwing = form(() => {
          throw failure;
        });
        expect(await rejectionOf(run(throwing, options))).to.equal(failure);
        expect(
          await rejectionOf(
            run(
              form(() => Promise.reject(failure)),
              options,
            ),
          ),
        ).to.equal(failure);
      });
    });
  }

  it('T14: a handle that a function with default or rest parameters returns is never the user', async () => {
    class Query {}
    const forms: AnyFunction[] = [
      (_token, _refresh, _profile, done = () => {}) => {
        setImmediate(() => done(null, false));
        return new Query();
      },
      (_token, ...rest: unknown[]) => {
        setImmediate(() => (rest.at(-1) as VerifyDone)(null, false));
        return new Query();
      },
      (_token, _refresh, _profile, done = () => {}) => [done].push(done),
      (_token, _refresh, _profile, done = () => {}) => Boolean(done),
    ];
    for (const verify of forms) {
      const error = await rejectionOf(run(verify));
      expect(error).to.be.instanceOf(TypeError);
      expect((error as Error).message).to.match(
        /^verify returned no user: no promise, plain object or false\./,
      );
    }
    // Declared for a login without the request, but called with it.
    const misdeclared = (_token: unknown, _refresh: unknown, _profile: unknown, _done: unknown) =>
      new Query();
    expect(await rejectionOf(run(misdeclared, { passReqToCallback: true }))).to.be.instanceOf(TypeError);
  });

  it('a wrapper that declares no parameters counts as a function with done', async () => {
    const wrapped = (...args: unknown[]) => {
      setImmediate(() => (args.at(-1) as VerifyDone)(null, USER));
      return { id: 'not this one' };
    };
    expect(await run(wrapped)).to.deep.include({ kind: 'success', user: USER });
    expect(await run(async (..._args: unknown[]) => USER)).to.deep.include({ kind: 'success', user: USER });
  });
});
