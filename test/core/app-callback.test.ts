import { mock } from 'node:test';
import { expect } from 'chai';
import { calledBack, type Done, inTime, isThenable } from '../../lib/core/app-callback.js';
import { rejectionOf } from '../support/thrown.js';
import { collectsWarnings } from '../support/warnings.js';

describe('app-callback', () => {
  const warnings = collectsWarnings();
  afterEach(() => mock.timers.reset());

  it('the value of the callback is the value of the promise', async () => {
    expect(await calledBack('code', (done: Done<number>) => done(null, 7))).to.equal(7);
    expect(await calledBack('code', (done: Done<number>) => done())).to.equal(undefined);
  });

  it('T14: an error of the callback, an exception and a rejection are rejections', async () => {
    const failure = new Error('a bug');
    expect(await rejectionOf(calledBack('code', (done) => done(failure)))).to.equal(failure);
    expect(await rejectionOf(calledBack('code', () => Promise.reject(failure)))).to.equal(failure);
    const throwing = () => {
      throw failure;
    };
    expect(await rejectionOf(calledBack('code', throwing))).to.equal(failure);
  });

  it('a promise that resolves is no answer: the callback is', async () => {
    const answered = calledBack('code', async (done: Done<string>) => {
      setImmediate(() => done(null, 'later'));
      return 'early';
    });
    expect(await answered).to.equal('later');
  });

  it('T14: code that never calls back is an error after a minute', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const waiting = rejectionOf(calledBack('The store', () => {}));
    mock.timers.tick(60_000);
    const overdue = (await waiting) as Error;
    expect(overdue).to.be.instanceOf(TypeError);
    expect(overdue.message).to.equal('The store did not call back within 60 seconds.');
  });

  it('code that called back in time leaves no timer behind', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    expect(await calledBack('code', (done: Done<number>) => done(null, 7))).to.equal(7);
    mock.timers.tick(120_000);
    expect(await warnings.texts()).to.deep.equal([]);
  });

  it('S6: a second outcome is a warning that names the code, once', async () => {
    await calledBack('The store', (done: Done<number>) => {
      done(null, 1);
      done(null, 2);
      done(new Error('late'));
    });
    expect(await warnings.texts()).to.deep.equal(['The store gave a second outcome; the first one stands.']);
  });

  it('inTime takes what code returns or resolves to, throws or rejects with', async () => {
    const failure = new Error('a bug');
    expect(await inTime('code', () => 7)).to.equal(7);
    expect(await inTime('code', async () => undefined)).to.equal(undefined);
    expect(await rejectionOf(inTime('code', () => Promise.reject(failure)))).to.equal(failure);
    const throwing = () => {
      throw failure;
    };
    expect(await rejectionOf(inTime('code', throwing))).to.equal(failure);
  });

  it('T14: a promise that never settles is an error after a minute', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const waiting = rejectionOf(inTime('The login store', () => new Promise<never>(() => {})));
    mock.timers.tick(60_000);
    expect(((await waiting) as Error).message).to.equal('The login store did not answer within 60 seconds.');
  });

  it('a promise is a promise, and nothing else is', () => {
    expect(isThenable(Promise.resolve())).to.equal(true);
    for (const value of [{}, null, undefined, 'x', () => {}]) expect(isThenable(value)).to.equal(false);
  });
});
