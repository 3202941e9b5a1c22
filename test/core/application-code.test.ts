import { mock } from 'node:test';
import { expect } from 'chai';
import {
  type Callback,
  clock,
  fromCallback,
  stringParameters,
  toCallback,
  withDeadline,
} from '../../lib/core/application-code.js';
import type { VerifyDone } from '../../lib/core/login/index.js';
import { rejectionOf } from '../support/thrown.js';
import { collectsUnhandled } from '../support/unhandled.js';
import { run, USER } from '../support/verification.js';
import { collectsWarnings } from '../support/warnings.js';

const failure = new Error('the database is away');
const throwing = (): never => {
  throw failure;
};
const later = (done: () => void) => void setImmediate(done);

describe('application code', () => {
  const warnings = collectsWarnings();
  afterEach(() => mock.reset());
  const timers = () => mock.method(clock, 'setTimeout').mock;

  it('that calls back gives the value of the callback, whatever it returns', async () => {
    expect(await fromCallback('code', (done: Callback<number>) => done(null, 7))).to.equal(7);
    expect(await fromCallback('code', (done: Callback<number>) => done())).to.equal(undefined);
    const early = async (done: Callback<string>) => {
      later(() => done(null, 'later'));
      return 'early';
    };
    expect(await fromCallback('code', early)).to.equal('later');
  });

  it('T14: that calls back with an error, throws or rejects is that error', async () => {
    for (const fails of [(done: Callback<void>) => done(failure), throwing, () => Promise.reject(failure)]) {
      expect(await rejectionOf(fromCallback('code', fails))).to.equal(failure);
    }
    const promised = withDeadline('code', Promise.reject(failure)) as Promise<never>;
    expect(await rejectionOf(promised)).to.equal(failure);
  });

  it('S6: that calls back more than once is one warning, which names it', async () => {
    await fromCallback('The store', (done: Callback<number>) => {
      done(null, 1);
      done(null, 2);
      done(new Error('late'));
    });
    expect(await warnings.texts()).to.deep.equal(['The store gave a second outcome; the first one stands.']);
  });

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

  for (const [title, start, message] of [
    [
      'that never calls back',
      () => fromCallback('userProfile', () => {}),
      'userProfile did not call back within 60 seconds.',
    ],
    [
      'whose promise never settles',
      () => withDeadline('The login store', new Promise<never>(() => {})) as Promise<never>,
      'The login store did not answer within 60 seconds.',
    ],
    [
      'that never decides about a user',
      () => run((_t, _r, _p, _done) => {}),
      'verify neither called done nor returned a promise of a user within 60 seconds.',
    ],
  ] as const) {
    it(`T14: ${title} is an error after a minute`, async () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      mock.method(clock, 'setTimeout', setTimeout);
      let ended: unknown;
      const waiting = rejectionOf(start()).then((error) => {
        ended = error;
      });
      mock.timers.tick(59_999);
      await new Promise((resolve) => setImmediate(resolve));
      expect(ended).to.equal(undefined);
      mock.timers.tick(1);
      await waiting;
      mock.timers.reset();
      expect(ended).to.be.instanceOf(TypeError);
      expect((ended as Error).message).to.equal(message);
    });
  }

  it('only strings, numbers and booleans become parameters', () => {
    const kept = { string: 'a', number: 1, yes: true, no: false };
    const dropped = { none: undefined, nothing: null, list: ['a'], object: {} };
    const parameters = { string: 'a', number: '1', yes: 'true', no: 'false' };
    expect(stringParameters({ ...kept, ...dropped })).to.deep.equal(parameters);
  });
});

describe('a callback of the application', () => {
  const warnings = collectsWarnings();
  const unhandled = collectsUnhandled();
  const bug = new RangeError('a bug');
  const THREW = 'A callback of the application threw (RangeError) while it handled a login.';

  for (const [title, result, throws, calls, told] of [
    ['that throws is called once more, with its exception', async () => {}, 1, [null, bug], []],
    ['that always throws is called twice', async () => {}, 3, [null, bug], [THREW]],
    ['that throws when it gets an error is not called again', async () => throwing(), 1, [failure], [THREW]],
  ] as const) {
    it(`T14: ${title}, and the process goes on`, async () => {
      const errors: unknown[] = [];
      toCallback<void>(result(), (error) => {
        errors.push(error);
        if (errors.length <= throws) throw bug;
      });
      // Later than a further call and an unhandled rejection would come.
      await new Promise((resolve) => setImmediate(resolve));
      expect(errors).to.deep.equal(calls);
      expect(unhandled).to.deep.equal([]);
      expect(await warnings.texts()).to.deep.equal(told);
    });
  }
});
