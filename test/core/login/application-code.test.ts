import { mock } from 'node:test';
import { expect } from 'chai';
import { type Callback, fromCallback, isThenable, withDeadline } from '../../../lib/core/login/outcome.js';
import { type AttemptEnding, attempt, fakeRequest } from '../../support/attempt.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { ExampleOAuth1Strategy, exampleOAuth1Answers } from '../../support/example-oauth1.js';
import { ExampleStrategy, exampleAnswers } from '../../support/example-oauth2.js';
import type { NamedStrategy } from '../../support/login-app.js';
import { memoryLogins } from '../../support/logins.js';
import { realSockets } from '../../support/real-sockets.js';
import { network } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';
import { collectsWarnings } from '../../support/warnings.js';

type Done = (error?: unknown, value?: unknown) => void;

const failure = new Error('a bug');
const throwing = () => {
  throw failure;
};

describe('code of the application that calls back', () => {
  const warnings = collectsWarnings();
  afterEach(() => mock.timers.reset());

  it('the value passed to the callback is the value of the promise', async () => {
    expect(await fromCallback('code', (done: Callback<number>) => done(null, 7))).to.equal(7);
    expect(await fromCallback('code', (done: Callback<number>) => done())).to.equal(undefined);
  });

  it('T14: an error passed to the callback, an exception and a rejection reject the promise', async () => {
    expect(await rejectionOf(fromCallback('code', (done) => done(failure)))).to.equal(failure);
    expect(await rejectionOf(fromCallback('code', () => Promise.reject(failure)))).to.equal(failure);
    expect(await rejectionOf(fromCallback('code', throwing))).to.equal(failure);
  });

  it('a promise that resolves before the callback is ignored', async () => {
    const value = fromCallback('code', async (done: Callback<string>) => {
      setImmediate(() => done(null, 'later'));
      return 'early';
    });
    expect(await value).to.equal('later');
  });

  it('T14: code that never calls back is an error after a minute', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const waiting = rejectionOf(fromCallback('The store', () => {}));
    mock.timers.tick(60_000);
    const error = (await waiting) as Error;
    expect(error).to.be.instanceOf(TypeError);
    expect(error.message).to.equal('The store did not call back within 60 seconds.');
  });

  it('code that called back in time leaves no timer behind', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    expect(await fromCallback('code', (done: Callback<number>) => done(null, 7))).to.equal(7);
    mock.timers.tick(120_000);
    expect(await warnings.texts()).to.deep.equal([]);
  });

  it('S6: further outcomes are one warning, which names the code', async () => {
    await fromCallback('The store', (done: Callback<number>) => {
      done(null, 1);
      done(null, 2);
      done(new Error('late'));
    });
    expect(await warnings.texts()).to.deep.equal(['The store gave a second outcome; the first one stands.']);
  });
});

describe('code of the application that returns', () => {
  afterEach(() => mock.timers.reset());

  it('its value, promise, exception or rejection is the outcome', async () => {
    expect(await withDeadline('code', () => 7)).to.equal(7);
    expect(await withDeadline('code', async () => undefined)).to.equal(undefined);
    expect(await rejectionOf(withDeadline('code', () => Promise.reject(failure)))).to.equal(failure);
    expect(await rejectionOf(withDeadline('code', throwing))).to.equal(failure);
  });

  it('T14: a promise that never settles is an error after a minute, and its signal is aborted then', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const signals: AbortSignal[] = [];
    const waiting = rejectionOf(
      withDeadline('The login store', (signal) => {
        signals.push(signal);
        return new Promise<never>(() => {});
      }),
    );
    mock.timers.tick(59_999);
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false]);
    mock.timers.tick(1);
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true]);
    expect(((await waiting) as Error).message).to.equal('The login store did not answer within 60 seconds.');
  });

  it('the signal is not aborted if the promise settles in time', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const signals: AbortSignal[] = [];
    await withDeadline('code', async (signal) => signals.push(signal));
    mock.timers.tick(120_000);
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false]);
  });

  it('only an object with a method then is a promise', () => {
    expect(isThenable(Promise.resolve())).to.equal(true);
    for (const value of [{}, null, undefined, 'x', () => {}]) expect(isThenable(value)).to.equal(false);
  });
});

const admit = (_token: string, _refresh: unknown, _profile: unknown, done: Done) => done(null, { id: 1 });

const PROTOCOLS = {
  'OAuth 2': { Strategy: ExampleStrategy, answers: exampleAnswers(), query: 'code=c&state=' },
  'OAuth 1.0a': {
    Strategy: ExampleOAuth1Strategy,
    answers: exampleOAuth1Answers(),
    query: 'oauth_verifier=v&oauth_token=',
  },
};

for (const [protocol, { Strategy, answers, query }] of Object.entries(PROTOCOLS)) {
  describe(`code of the application that hangs, ${protocol}`, () => {
    realSockets();
    const close = closesAfterEach();
    afterEach(() => mock.timers.reset());

    /** A function that never settles, and a promise that resolves when it is called. */
    function hangingFunction() {
      let called: () => void = () => {};
      const wasCalled = new Promise<void>((resolve) => {
        called = resolve;
      });
      const hang = () => {
        called();
        return new Promise<never>(() => {});
      };
      return { hang, wasCalled };
    }
    const strategyWith = async (options: object) => {
      const server = close(await network(answers));
      return new Strategy(server.url, admit, options) as NamedStrategy;
    };
    const keyOf = ({ redirect = '' }: AttemptEnding) => {
      const { searchParams } = new URL(redirect);
      return searchParams.get('state') ?? searchParams.get('oauth_token') ?? '';
    };

    /** The error of a request when the deadline has passed. Before that it must not end. */
    async function errorAtDeadline(
      ending: Promise<AttemptEnding>,
      wasCalled: Promise<void>,
    ): Promise<unknown> {
      await wasCalled;
      let ended: AttemptEnding | undefined;
      const noted = ending.then((found) => {
        ended = found;
      });
      mock.timers.tick(59_999);
      await new Promise((resolve) => setImmediate(resolve));
      expect(ended).to.equal(undefined);
      mock.timers.tick(1);
      await noted;
      return ended?.error;
    }

    function expectOverdue(error: unknown, what: string) {
      expect(error).to.be.instanceOf(TypeError);
      expect((error as Error).message).to.equal(`${what} within 60 seconds.`);
    }

    it('T14: a store that never finishes saving a login is an error after a minute', async () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      const { hang, wasCalled } = hangingFunction();
      const strategy = await strategyWith({ store: { ...memoryLogins(), save: hang } });
      expectOverdue(await errorAtDeadline(attempt(strategy), wasCalled), 'The login store did not answer');
    });

    it('T14: a store that never returns a login is an error after a minute', async () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      const { hang, wasCalled } = hangingFunction();
      const strategy = await strategyWith({ store: { ...memoryLogins(), take: hang } });
      const key = keyOf(await attempt(strategy));
      const ending = attempt(strategy, fakeRequest(`/callback?${query}${key}`));
      expectOverdue(await errorAtDeadline(ending, wasCalled), 'The login store did not answer');
    });

    for (const [title, skipWith, what] of [
      ['without parameters', (hang: () => unknown) => () => hang(), 'skipUserProfile did not answer'],
      [
        'with parameters',
        (hang: () => unknown) => (_token: string, _done: Done) => hang(),
        'skipUserProfile did not call back',
      ],
    ] as const) {
      it(`T14: a skipUserProfile ${title} that hangs is an error after a minute`, async () => {
        mock.timers.enable({ apis: ['setTimeout'] });
        const { hang, wasCalled } = hangingFunction();
        const strategy = await strategyWith({ store: memoryLogins(), skipUserProfile: skipWith(hang) });
        const key = keyOf(await attempt(strategy));
        const ending = attempt(strategy, fakeRequest(`/callback?${query}${key}`));
        expectOverdue(await errorAtDeadline(ending, wasCalled), what);
      });
    }

    it('T14: a verify function that never decides is an error after a minute', async () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      const { hang, wasCalled } = hangingFunction();
      const server = close(await network(answers));
      const strategy = new Strategy(server.url, hang, { store: memoryLogins() }) as NamedStrategy;
      const key = keyOf(await attempt(strategy));
      const ending = attempt(strategy, fakeRequest(`/callback?${query}${key}`));
      const what = 'verify neither called done nor returned a promise of a user';
      expectOverdue(await errorAtDeadline(ending, wasCalled), what);
    });
  });
}
