import { expect } from 'chai';
import { rejectionOf } from '../support/thrown.js';
import { run, USER } from '../support/verification.js';
import { collectsWarnings } from '../support/warnings.js';

const SECOND = 'verify gave a second outcome; the first one stands.';

describe('verify: verdicts', () => {
  const warnings = collectsWarnings();

  it('done(null, user, info) is a success with that info', async () => {
    const outcome = await run((_t, _r, _p, done) => done(null, USER, { scope: 'x' }));
    expect(outcome).to.deep.include({ kind: 'success', user: USER, info: { scope: 'x' } });
  });

  it('an info that is a text becomes its message', async () => {
    const outcome = await run((_t, _r, _p, done) => done(null, USER, 'Welcome.'), { state: 'mine' });
    expect(outcome).to.deep.include({ info: { message: 'Welcome.', state: 'mine' } });
  });

  it('C17: the application state joins the info, and wins over a state in it', async () => {
    const outcome = await run((_t, _r, _p, done) => done(null, USER, { scope: 'x', state: 'y' }), {
      state: 'mine',
    });
    expect(outcome).to.deep.include({ info: { scope: 'x', state: 'mine' } });
  });

  it('T14: an info that cannot be read is the login’s error, and nothing that done throws', async () => {
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

  it('done(null, false, info) refuses with that info', async () => {
    const info = { message: 'Members only.' };
    for (const nobody of [false, null, undefined]) {
      expect(await run((_t, _r, _p, done) => done(null, nobody, info))).to.deep.equal({
        kind: 'refused',
        info,
      });
    }
  });

  it('done(error) is that error', async () => {
    const failure = new Error('the database is away');
    expect(await rejectionOf(run((_t, _r, _p, done) => done(failure)))).to.equal(failure);
    expect(await rejectionOf(run((_t, _r, _p, done) => done('a text', USER)))).to.equal('a text');
  });

  it('a promise of a user is a success; of false or null, a refusal', async () => {
    expect(await run(async () => USER)).to.deep.include({ kind: 'success', user: USER, info: {} });
    expect(await run(async () => false)).to.deep.equal({ kind: 'refused', info: undefined });
    expect(await run(async () => null)).to.deep.equal({ kind: 'refused', info: undefined });
  });

  it('T14: a promise that rejects is that error, also without one', async () => {
    const failure = new Error('the database is away');
    expect(await rejectionOf(run(() => Promise.reject(failure)))).to.equal(failure);
    const nothing = await rejectionOf(run(() => Promise.reject(undefined)));
    expect(nothing).to.be.instanceOf(TypeError);
    expect((nothing as Error).message).to.equal('verify rejected without an error.');
  });

  it('T14: a verify that throws is that error', async () => {
    const failure = new Error('verify has a bug');
    const throwing = () => {
      throw failure;
    };
    expect(await rejectionOf(run(throwing))).to.equal(failure);
  });

  it('an async verify that resolves to undefined decides with done, later', async () => {
    const outcome = await run(async (_t, _r, _p, done) => {
      setImmediate(() => done(null, USER));
    });
    expect(outcome).to.deep.include({ kind: 'success', user: USER });
  });

  it('what a synchronous verify returns is no verdict', async () => {
    const outcome = await run((_t, _r, _p, done) => {
      setImmediate(() => done(null, USER));
      return { id: 'not this one' };
    });
    expect(outcome).to.deep.include({ kind: 'success', user: USER });
  });

  it('done has the first word before the promise, and that is no second outcome', async () => {
    const outcome = await run(async (_t, _r, _p, done) => {
      done(null, USER);
      return { id: 'not this one' };
    });
    expect(outcome).to.deep.include({ user: USER });
    expect(await warnings.texts()).to.deep.equal([]);
  });

  it('S6: done called three times gives the first outcome and one warning', async () => {
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

  it('S1: the warning repeats nothing of the second outcome', async () => {
    await run((_t, _r, _p, done) => {
      done(null, USER);
      done(new Error('secret-0123456789'));
    });
    expect((await warnings.texts()).join()).to.not.include('secret');
  });
});
