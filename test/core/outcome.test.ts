import { expect } from 'chai';
import { LoginFailure } from '../../lib/core/errors.js';
import { conclude, copyForRequest, type Outcome } from '../../lib/core/outcome.js';
import { collectsWarnings } from '../support/warnings.js';

/** A strategy with Passport's actions on it, which note what was called. */
function strategyWith(actions: Record<string, (...args: unknown[]) => void> = {}) {
  const calls: unknown[][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push([name, ...args]);
    };
  const names = ['redirect', 'success', 'fail', 'error'];
  return { calls, ...Object.fromEntries(names.map((name) => [name, note(name)])), ...actions };
}

/** Long enough for a conclusion: the work here does not wait. */
const concluded = () => new Promise((resolve) => setImmediate(resolve));

const success = (user: object): Outcome => ({ kind: 'success', user, info: { state: 1 }, before() {} });

describe('outcome', () => {
  const warnings = collectsWarnings();

  it('each outcome is one of Passport’s actions', async () => {
    const works: [() => Promise<Outcome>, unknown[]][] = [
      [async () => ({ kind: 'redirect', url: 'https://n.example/' }), ['redirect', 'https://n.example/']],
      [async () => success({ id: 1 }), ['success', { id: 1 }, { state: 1 }]],
      [async () => ({ kind: 'refused', info: { message: 'no' } }), ['fail', { message: 'no' }]],
    ];
    for (const [work, call] of works) {
      const strategy = strategyWith();
      conclude(strategy, work);
      await concluded();
      expect(strategy.calls).to.deep.equal([call]);
    }
  });

  it('S7: a failure of the login is Passport’s fail with message, code and status', async () => {
    const strategy = strategyWith();
    conclude(strategy, async () => {
      throw new LoginFailure('access_denied', 401, 'Declined.');
    });
    await concluded();
    expect(strategy.calls).to.deep.equal([['fail', { message: 'Declined.', code: 'access_denied' }, 401]]);
  });

  it('T14: whatever else is thrown, also synchronously, is Passport’s error', async () => {
    const failure = new Error('a bug');
    const strategy = strategyWith();
    conclude(strategy, () => {
      throw failure;
    });
    await concluded();
    expect(strategy.calls).to.deep.equal([['error', failure]]);
  });

  it('T14: no action is called before the caller goes on, whatever is thrown at once', async () => {
    for (const thrown of [new LoginFailure('malformed_callback', 400, 'Twice.'), new Error('a bug')]) {
      const strategy = strategyWith();
      conclude(strategy, () => {
        throw thrown;
      });
      expect(strategy.calls).to.deep.equal([]);
      await concluded();
      expect(strategy.calls).to.have.length(1);
    }
  });

  it('T14: an error that is falsy is still an error, or Passport would let the request pass', async () => {
    for (const nothing of [undefined, null, '', 0, false]) {
      const strategy = strategyWith();
      conclude(strategy, () => Promise.reject(nothing));
      await concluded();
      const [[name, error] = []] = strategy.calls;
      expect(name).to.equal('error');
      expect(error).to.be.instanceOf(TypeError);
      expect((error as Error).message).to.equal('The application failed without an error.');
    }
  });

  it('other tabs’ logins are cared for before the success', async () => {
    const strategy = strategyWith();
    conclude(
      strategy,
      async () => ({ ...success({}), before: () => strategy.calls.push(['before']) }) as Outcome,
    );
    await concluded();
    expect(strategy.calls.map(([name]) => name)).to.deep.equal(['before', 'success']);
  });

  it('S5: the actions are those of the moment when the request came in', async () => {
    const strategy = strategyWith();
    const { calls } = strategy;
    conclude(strategy, async () => success({ id: 'first' }));
    Object.assign(strategy, { success: () => calls.push(['the next request’s action']) });
    await concluded();
    expect(calls).to.deep.equal([['success', { id: 'first' }, { state: 1 }]]);
  });

  it('S5: nothing is done before the actions are read, and none of them is called before the caller goes on', async () => {
    const strategy = strategyWith();
    const { calls } = strategy;
    conclude(strategy, async () => {
      Object.assign(strategy, { success: () => calls.push(['an action put there meanwhile']) });
      return success({ id: 'first' });
    });
    expect(calls).to.deep.equal([]);
    await concluded();
    expect(calls).to.deep.equal([['success', { id: 'first' }, { state: 1 }]]);
  });

  it('T14: an action that throws, because the code behind it does, is Passport’s error', async () => {
    const failure = new Error('the page has a bug');
    const throwing = () => {
      throw failure;
    };
    const strategy = strategyWith({ success: throwing });
    conclude(strategy, async () => success({}));
    await concluded();
    expect(strategy.calls).to.deep.equal([['error', failure]]);
  });

  it('T14: an error action that throws is a warning, and the process lives', async () => {
    const throwing = () => {
      throw new RangeError('secret-0123456789');
    };
    conclude(strategyWith({ error: throwing }), () => Promise.reject(new Error('a bug')));
    await concluded();
    expect(await warnings.texts()).to.deep.equal([
      'An error handler of the application threw (RangeError) while it handled a login.',
    ]);
  });
});

describe('outcome: the copy for a request', () => {
  const strategy = { name: 'network', hook: () => 'strategy' };
  /** As Passport makes it. */
  const passportCopy = () =>
    Object.assign(Object.create(strategy) as typeof strategy, { success() {}, fail() {} });

  it('stands beside a copy that has actions only', () => {
    const copy = copyForRequest(passportCopy());
    expect(Object.getPrototypeOf(copy)).to.equal(strategy);
    expect(copy).to.not.have.property('success');
  });

  it('keeps what a subclass put on the request’s copy: under a name, a symbol, or hidden', () => {
    const tenant = Symbol('tenant');
    const named = Object.assign(passportCopy(), { hook: () => 'request' });
    const marked = Object.assign(passportCopy(), { [tenant]: 'T1' });
    const hidden = Object.defineProperty(passportCopy(), 'hook', { value: () => 'request' });
    expect(copyForRequest(named).hook()).to.equal('request');
    expect((copyForRequest(marked) as unknown as Record<symbol, string>)[tenant]).to.equal('T1');
    expect(copyForRequest(hidden).hook()).to.equal('request');
  });

  it('of a strategy itself is a copy of it', () => {
    expect(Object.getPrototypeOf(copyForRequest(strategy))).to.equal(strategy);
  });
});
