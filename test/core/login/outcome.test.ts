import { expect } from 'chai';
import { LoginFailure } from '../../../lib/core/errors/index.js';
import { type Outcome, settle } from '../../../lib/core/login/index.js';
import { collectsWarnings } from '../../support/warnings.js';

/** A strategy with Passport's actions, which note every call. */
function strategyWith(actions: Record<string, (...args: unknown[]) => unknown> = {}) {
  const calls: unknown[][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push([name, ...args]);
    };
  const names = ['redirect', 'success', 'fail', 'error'];
  return { calls, ...Object.fromEntries(names.map((name) => [name, note(name)])), ...actions };
}

/** Resolves when a request has ended: the work in these tests waits for nothing. */
const ended = () => new Promise((resolve) => setImmediate(resolve));

const success = (user: object): Outcome => ({ kind: 'success', user, info: { state: 1 }, before() {} });

describe('the outcome of a request', () => {
  const warnings = collectsWarnings();

  it('each outcome calls one of Passport’s actions', async () => {
    const works: [() => Promise<Outcome>, unknown[]][] = [
      [async () => ({ kind: 'redirect', url: 'https://n.example/' }), ['redirect', 'https://n.example/']],
      [async () => success({ id: 1 }), ['success', { id: 1 }, { state: 1 }]],
      [async () => ({ kind: 'rejected', info: { message: 'no' } }), ['fail', { message: 'no' }]],
    ];
    for (const [work, call] of works) {
      const strategy = strategyWith();
      settle(strategy, {}, work);
      await ended();
      expect(strategy.calls).to.deep.equal([call]);
    }
  });

  it('S7: a LoginFailure becomes Passport’s fail with message, code and status', async () => {
    const strategy = strategyWith();
    settle(strategy, {}, async () => {
      throw new LoginFailure('access_denied', 401, 'Declined.');
    });
    await ended();
    expect(strategy.calls).to.deep.equal([['fail', { message: 'Declined.', code: 'access_denied' }, 401]]);
  });

  it('T14: anything else that is thrown, also synchronously, becomes Passport’s error', async () => {
    const failure = new Error('a bug');
    const strategy = strategyWith();
    settle(strategy, {}, () => {
      throw failure;
    });
    await ended();
    expect(strategy.calls).to.deep.equal([['error', failure]]);
  });

  it('T14: no action is called before authenticate returns, even if the work throws at once', async () => {
    for (const thrown of [new LoginFailure('malformed_response', 400, 'Twice.'), new Error('a bug')]) {
      const strategy = strategyWith();
      settle(strategy, {}, () => {
        throw thrown;
      });
      expect(strategy.calls).to.deep.equal([]);
      await ended();
      expect(strategy.calls).to.have.length(1);
    }
  });

  it('T14: a falsy error becomes a TypeError, because Passport would let the request pass', async () => {
    for (const nothing of [undefined, null, '', 0, false]) {
      const strategy = strategyWith();
      settle(strategy, {}, () => Promise.reject(nothing));
      await ended();
      const [[name, error] = []] = strategy.calls;
      expect(name).to.equal('error');
      expect(error).to.be.instanceOf(TypeError);
      expect((error as Error).message).to.equal('The application failed without an error.');
    }
  });

  it('S6: application code that throws after it has responded is a warning, not a second outcome', async () => {
    const res = { setHeader() {}, appendHeader() {}, headersSent: false };
    const strategy = strategyWith({
      success: async () => {
        res.headersSent = true;
        throw new Error('the audit log is down');
      },
    });
    settle(strategy, { res }, async () => success({ id: 1 }));
    await ended();
    expect(strategy.calls).to.deep.equal([]);
    expect(await warnings.texts()).to.deep.equal([
      'The callback of the application threw (Error) while it handled a login.',
    ]);
  });

  it('before is called before success', async () => {
    const strategy = strategyWith();
    settle(
      strategy,
      {},
      async () => ({ ...success({}), before: () => strategy.calls.push(['before']) }) as Outcome,
    );
    await ended();
    expect(strategy.calls.map(([name]) => name)).to.deep.equal(['before', 'success']);
  });

  it('S5: a request keeps its actions even if the next request replaces them', async () => {
    const strategy = strategyWith();
    const { calls } = strategy;
    settle(strategy, {}, async () => success({ id: 'first' }));
    Object.assign(strategy, { success: () => calls.push(['the next request’s action']) });
    await ended();
    expect(calls).to.deep.equal([['success', { id: 'first' }, { state: 1 }]]);
  });

  it('S5: the actions are read before the work begins', async () => {
    const strategy = strategyWith();
    const { calls } = strategy;
    settle(strategy, {}, async () => {
      Object.assign(strategy, { success: () => calls.push(['an action from another request']) });
      return success({ id: 'first' });
    });
    expect(calls).to.deep.equal([]);
    await ended();
    expect(calls).to.deep.equal([['success', { id: 'first' }, { state: 1 }]]);
  });

  it('T14: an action that throws, because the code behind it does, becomes Passport’s error', async () => {
    const failure = new Error('the page has a bug');
    const throwing = () => {
      throw failure;
    };
    const strategy = strategyWith({ success: throwing });
    settle(strategy, {}, async () => success({}));
    await ended();
    expect(strategy.calls).to.deep.equal([['error', failure]]);
  });

  it('T14: an asynchronous action that rejects, such as a custom callback, becomes Passport’s error', async () => {
    const failure = new Error('of a custom callback');
    const strategy = strategyWith({ success: () => Promise.reject(failure) });
    settle(strategy, {}, async () => success({ id: 1 }));
    await ended();
    expect(strategy.calls).to.deep.equal([['error', failure]]);
  });

  it('T14: an error action that throws is a warning and does not end the process', async () => {
    const throwing = () => {
      throw new RangeError('secret-0123456789');
    };
    settle(strategyWith({ error: throwing }), {}, () => Promise.reject(new Error('a bug')));
    await ended();
    expect(await warnings.texts()).to.deep.equal([
      'An error handler of the application threw (RangeError) while it handled a login.',
    ]);
  });
});
