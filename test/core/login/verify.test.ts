import { mock } from 'node:test';
import { expect } from 'chai';
import { type Callback, clock, fromCallback, withDeadline } from '../../../lib/core/application-code.js';
import type { VerifyDone, VerifyOptions } from '../../../lib/core/login/index.js';
import { mistakeOf, rejectionOf } from '../../support/thrown.js';
import { type AnyFunction, PARAMS, PROFILE, REQUEST, run, USER } from '../../support/verification.js';
import { collectsWarnings } from '../../support/warnings.js';

const SECOND = 'verify gave a second outcome; the first one stands.';
const failure = new Error('the database is away');
const throwing = (): never => {
  throw failure;
};
const later = (done: () => void) => void setImmediate(done);

describe('verify: the verdict', () => {
  const warnings = collectsWarnings();
  const info = { message: 'Members only.' };
  type Decide = (done: VerifyDone) => unknown;

  const now = (decide: () => void) => decide();
  /** Calls `done` and returns another value. */
  const calling = (done: VerifyDone, when: (decide: () => void) => void = later) => {
    when(() => done(null, USER));
    return { id: 'not this one' };
  };
  const user = { user: USER, info: undefined };
  const VERDICTS: readonly [way: string, Decide, verdict: object][] = [
    ['done(null, user, info)', (done) => done(null, USER, info), { user: USER, info }],
    ['done(null, false, info)', (done) => done(null, false, info), { user: false, info }],
    ['done(null, null, info)', (done) => done(null, null, info), { user: null, info }],
    ['done()', (done) => done(), { user: undefined, info: undefined }],
    ['a promise of a user', async () => USER, { user: USER }],
    ['a promise of false', async () => false, { user: false }],
    ['a promise of null', async () => null, { user: null }],
    ['done, called after a promise of undefined', async (done) => void calling(done), user],
    ['done, called after another value was returned', (done) => calling(done), user],
    ['done, called before a promise of another value', async (done) => calling(done, now), user],
  ];
  for (const [way, decide, verdict] of VERDICTS) {
    it(`of ${way} is ${JSON.stringify(verdict)}`, async () => {
      expect(await run((_t, _r, _p, done: VerifyDone) => decide(done))).to.deep.equal(verdict);
      expect(await warnings.texts()).to.deep.equal([]);
    });
  }

  it('T14: of done(error), done(error, user), an exception or a rejection is that error', async () => {
    const ways: Decide[] = [
      (done) => done(failure),
      (done) => done(failure, USER),
      throwing,
      () => Promise.reject(failure),
    ];
    for (const decide of ways) {
      expect(await rejectionOf(run((_t, _r, _p, done: VerifyDone) => decide(done)))).to.equal(failure);
    }
  });

  it('is that of done beside a query with a callback, which runs once more if it is awaited', async () => {
    // https://mongoosejs.com/docs/5.x/docs/queries.html#queries-are-not-promises
    const runs: string[] = [];
    const findOne = (callback?: Callback<object>) => {
      const exec = async () => {
        runs.push('query');
        return null;
      };
      if (callback) void exec().then(() => later(() => callback(null, USER)));
      const then: Promise<null>['then'] = (...handlers) => exec().then(...handlers);
      return Object.defineProperty({ exec }, then.name, { value: then });
    };
    expect(await run((_t, _r, _p, done: VerifyDone) => findOne(done))).to.deep.equal(user);
    expect(runs).to.have.length(1);
    expect(await run((_t: string, _r: string, _p: object) => findOne())).to.deep.equal({ user: null });
    expect(await warnings.texts()).to.deep.equal([]);
  });

  it('T14: of a promise that can also run a query is its rejection', async () => {
    const rejected = () => Object.assign(Promise.reject(failure), { exec: () => undefined });
    expect(await rejectionOf(run((_t, _r, _p, _done: VerifyDone) => rejected()))).to.equal(failure);
  });

  it('T14: of a promise that rejects without an error is a TypeError', async () => {
    const mistake = await mistakeOf(run(() => Promise.reject(undefined)));
    expect(mistake).to.equal('verify rejected without an error.');
  });

  it('of a promise of a function is a TypeError that says what to return', async () => {
    const curried = async (_t: string, _r: string, _p: object) => (done: VerifyDone) => done(null, USER);
    expect(await mistakeOf(run(curried))).to.equal(
      'verify returned a promise of a function, which is not a user. Await what finds the user and return that; a function that takes done must be called.',
    );
  });

  /** A verify that does something else when it has given its user. */
  const afterUser = (decide: Decide) => (_t: string, _r: string, _p: object, done: VerifyDone) => {
    done(null, USER);
    return decide(done);
  };
  const secret = new Error('secret-0123456789');
  const TOO_LATE: Readonly<Record<string, Decide>> = {
    'done is called twice more': (done) => {
      done(null, false);
      done(secret);
    },
    'it throws after done': () => {
      throw secret;
    },
    'it rejects after done': () => Promise.reject(secret),
  };
  for (const [when, decide] of Object.entries(TOO_LATE)) {
    it(`S1, S6: is the first one if ${when}; there is one warning, which shows nothing of the others`, async () => {
      expect(await run(afterUser(decide))).to.include({ user: USER });
      expect(await warnings.texts()).to.deep.equal([SECOND]);
    });
  }

  it('S6: is the first one if done is called again without a user, as NestJS does, or with one at every login; only the last warns, once', async () => {
    for (const nothing of [undefined, null, false] as const) {
      expect(await run(afterUser((done) => done(null, nothing)))).to.include({ user: USER });
    }
    expect(await warnings.texts()).to.deep.equal([]);
    const twice = afterUser((done) => done(null, { id: 'another' }));
    for (let login = 0; login < 3; login += 1) expect(await run(twice)).to.include({ user: USER });
    expect(await warnings.texts()).to.deep.equal([SECOND]);
  });

  it('T14: of a verify that reads done as the profile is an error that names the option, so that users do not share the account of no ID', async () => {
    const keys = 'provider id username displayName emails photos profileUrl _json _raw'.split(' ');
    for (const key of keys) {
      const verify = async (_t: string, _r: string, _params: object, profile: Record<string, unknown>) =>
        profile[key];
      expect(await mistakeOf(run(verify))).to.equal(
        `verify read ${key} of done, as if it were the profile. If its parameters are params and profile, set the option passParamsToCallback: true.`,
      );
    }
  });
});

describe('verify: the arguments', () => {
  /** Verify functions by the number of parameters that they declare. A wrapper such as NestJS's declares none. */
  const FORMS: Readonly<Record<number, (called: AnyFunction) => AnyFunction>> = {
    0:
      (called) =>
      (...args: unknown[]) =>
        called(...args),
    4: (called) => (a, b, c, d) => called(a, b, c, d),
    5: (called) => (a, b, c, d, e) => called(a, b, c, d, e),
    6: (called) => (a, b, c, d, e, f) => called(a, b, c, d, e, f),
  };
  const req = { passReqToCallback: true };
  const params = { passParamsToCallback: true };
  const short = ['token', 'refresh', PROFILE];
  const long = ['token', 'refresh', PARAMS, PROFILE];
  const CALLS: readonly [parameters: number, VerifyOptions, args: unknown[]][] = [
    [4, {}, short],
    [5, req, [REQUEST, ...short]],
    [5, params, long],
    [6, { ...req, ...params }, [REQUEST, ...long]],
    // One parameter more than the options say: the token response comes without the option.
    [5, {}, long],
    [6, req, [REQUEST, ...long]],
    [0, {}, short],
    [0, req, [REQUEST, ...short]],
    [0, params, long],
    [0, { ...req, ...params }, [REQUEST, ...long]],
  ];
  for (const [parameters, options, expected] of CALLS) {
    const names = expected.map((value) => {
      const known = new Map<unknown, string>([
        [PROFILE, 'profile'],
        [PARAMS, 'params'],
        [REQUEST, 'req'],
      ]);
      return known.get(value) ?? value;
    });
    it(`of a function with ${parameters} parameters and ${JSON.stringify(options)} are ${names.join(', ')} and done`, async () => {
      let seen: unknown[] = [];
      const verify = FORMS[parameters]?.((...args: unknown[]) => {
        seen = args.slice(0, -1);
        later(() => (args.at(-1) as VerifyDone)(null, USER));
      }) as AnyFunction;
      expect(verify).to.have.length(parameters);
      expect(await run(verify, options)).to.include({ user: USER });
      expect(seen).to.deep.equal(expected);
    });
  }
});

describe('verify: a function without done', () => {
  collectsWarnings();
  type Form = (verdict: AnyFunction) => AnyFunction;
  const req = { passReqToCallback: true };
  const params = { passParamsToCallback: true };
  const three: Form = (verdict) => (t, r, p) => verdict(t, r, p);
  const four: Form = (verdict) => (a, t, r, p) => verdict(a, t, r, p);
  const FORMS: readonly [title: string, Form, VerifyOptions, args: unknown[]][] = [
    ['three parameters', three, {}, ['token', 'refresh', PROFILE]],
    ['one parameter', (verdict) => (t) => verdict(t), {}, ['token']],
    ['four parameters and passReqToCallback', four, req, [REQUEST, 'token', 'refresh', PROFILE]],
    ['four parameters and passParamsToCallback', four, params, ['token', 'refresh', PARAMS, PROFILE]],
  ];

  for (const [title, form, options, expected] of FORMS) {
    describe(`with ${title}`, () => {
      it('decides with the value that it returns, or with a promise of one', async () => {
        for (const user of [USER, Object.assign(Object.create(null) as object, USER), false, null]) {
          for (const returned of [user, Promise.resolve(user)]) {
            const seen: unknown[] = [];
            const verify = form((...args: unknown[]) => {
              seen.push(...args);
              return returned;
            });
            expect((await run(verify, options)).user).to.equal(user);
            expect(seen).to.deep.equal(expected);
          }
        }
      });

      it('T14: fails at once if it returns nothing', async () => {
        for (const verify of [form(() => {}), form(async () => {})]) {
          expect(await mistakeOf(run(verify, options))).to.equal(
            `verify returned no user: it must be a plain object, false, or a promise of one. Is a return or async missing? It declares ${verify.length} parameters, too few to receive done; parameters with a default value do not count.`,
          );
        }
      });

      it('T14: fails with the error that it throws or rejects with', async () => {
        for (const fails of [throwing, () => Promise.reject(failure)]) {
          expect(await rejectionOf(run(form(fails), options))).to.equal(failure);
        }
      });
    });
  }

  it('T14: a handle that a function with default or rest parameters returns is never the user', async () => {
    class Query {}
    const rejecting = (done: VerifyDone) => {
      later(() => done(null, false));
      return new Query();
    };
    const forms: [AnyFunction, VerifyOptions?][] = [
      [(_token, _refresh, _profile, done = () => {}) => rejecting(done)],
      [(_token, ...rest: unknown[]) => rejecting(rest.at(-1) as VerifyDone)],
      [(_token, _refresh, _profile, done = () => {}) => [done].push(done)],
      [(_token, _refresh, _profile, done = () => {}) => Boolean(done)],
      // Declared for a login without the request, but called with it.
      [(_token, _refresh, _profile, _done) => new Query(), { passReqToCallback: true }],
    ];
    for (const [verify, options] of forms) {
      expect(await mistakeOf(run(verify, options))).to.match(
        /^verify returned no user: it must be a plain object, false, or a promise of one\./,
      );
    }
  });
});

describe('application code', () => {
  afterEach(() => mock.reset());
  const timers = () => mock.method(clock, 'setTimeout').mock;

  it('that answers at once starts no timer', async () => {
    const set = timers();
    expect(withDeadline('code', 7)).to.equal(7);
    expect(await fromCallback('code', (done: Callback<number>) => done(null, 7))).to.equal(7);
    await rejectionOf(fromCallback('code', throwing));
    await run((_t, _r, _p, done: VerifyDone) => done(null, USER));
    expect(set.callCount()).to.equal(0);
  });

  it('that answers in time leaves no timer behind', async () => {
    const cleared = mock.method(clock, 'clearTimeout').mock;
    const set = timers();
    expect(await withDeadline('code', Promise.resolve(7))).to.equal(7);
    expect(set.callCount()).to.equal(1);
    expect(cleared.calls.map(({ arguments: [timer] }) => timer)).to.deep.equal([set.calls[0]?.result]);
  });
});
