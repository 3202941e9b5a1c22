import { expect } from 'chai';
import { type AttemptEnding, attempt, fakeRequest } from '../../support/attempt.js';
import { Browser } from '../../support/browser.js';
import { restoresMode } from '../../support/cleanup.js';
import { EXAMPLE_PROTOCOLS, type ExampleProtocol } from '../../support/example-networks.js';
import { loginApp, type NamedStrategy } from '../../support/login-app.js';
import { realSockets } from '../../support/real-sockets.js';
import { serve } from '../../support/server.js';
import { collectsWarnings } from '../../support/warnings.js';

import express = require('express');
import passport = require('passport');

type Done = (error?: unknown, user?: unknown, info?: unknown) => void;
type Verify = Parameters<ExampleProtocol['strategy']>[1];
type AnyAuthenticate = (this: object, ...args: unknown[]) => void;

const USER = { id: 'person-1' };
const admit = (...args: unknown[]) => (args.at(-1) as Done)(null, USER);
const admitWith =
  (info: unknown) =>
  (...args: unknown[]) =>
    (args.at(-1) as Done)(null, USER, info);
const thrown = (value: unknown): never => {
  throw value;
};

/** States that come back as JSON has them. */
const cycle: Record<string, unknown> = {};
cycle.self = cycle;

const KEPT: readonly unknown[] = [
  null,
  '',
  0,
  false,
  { returnTo: '/cart', items: [1, 'two', null, { three: true }] },
  { left: undefined },
  Object.assign(Object.create(null) as object, { returnTo: '/cart' }),
];
const REFUSED: Readonly<Record<string, unknown>> = {
  'a bigint': { total: 10n },
  'a date': { since: new Date(0) },
  Infinity: [Number.POSITIVE_INFINITY],
  'a function': { returnTo: () => '/cart' },
  'a symbol': Symbol('state'),
  'a cycle': cycle,
  'a Map': new Map([['returnTo', '/cart']]),
  'an array with undefined in it': [undefined],
  'an array with a hole': Object.assign([], { length: 1 }),
  'a hidden toJSON': Object.defineProperty({}, 'toJSON', { value: () => 'another value' }),
  'minus zero': -0,
  'a getter that throws': {
    get returnTo(): string {
      throw new Error('a bug');
    },
  },
};

for (const [protocol, example] of Object.entries(EXAMPLE_PROTOCOLS)) {
  describe(`the flow of a login, ${protocol}`, () => {
    const close = realSockets();
    const warnings = collectsWarnings();
    restoresMode();

    const make = async (verify: Verify, options: object = {}) =>
      example.strategy(close(await example.network()).url, verify, options);

    async function logIn(strategy: NamedStrategy, options: object = {}) {
      const cookies = {};
      const { redirect = '' } = await attempt(strategy, fakeRequest('/login', cookies), options);
      return attempt(strategy, fakeRequest(`/callback?${example.response(redirect)}`, cookies), options);
    }

    it('a start where the session has a user and the request has none causes one warning, but not in production', async () => {
      const strategy = await make(admit, { baseURL: 'https://app.example' });
      const signedIn = () => Object.assign(fakeRequest(), { session: { passport: { user: 'person-1' } } });
      process.env.NODE_ENV = 'production';
      await attempt(strategy, signedIn());
      process.env.NODE_ENV = 'development';
      await attempt(strategy, Object.assign(signedIn(), { user: USER }));
      expect(await warnings.texts()).to.deep.equal([]);
      for (let count = 0; count < 2; count += 1) await attempt(strategy, signedIn());
      expect(await warnings.texts()).to.deep.equal([
        `${strategy.name}: the session has a user, and the request has none, so users seem to be signed out after a login. Use passport.session() after the session's middleware and before this route.`,
      ]);
    });

    it('S16: an application that makes up names of options fills neither the memory nor the console', async () => {
      const strategy = await make(admit);
      for (let number = 0; number < 120; number += 1)
        await attempt(strategy, fakeRequest(), { [`scope${number}`]: true, [`made-up-${number}`]: true });
      expect(await warnings.texts()).to.have.length.within(1, 100);
    });

    it('S9: a start that is refused says in the console why', async () => {
      const strategy = await make(admit, { callbackURL: '/callback', name: `refused-${protocol}` });
      for (const headers of [
        { 'sec-fetch-dest': 'image' },
        { cookie: `a=${'x'.repeat(7_400)}` },
        { host: 'app.example, other.example' },
      ]) {
        const request = fakeRequest();
        await attempt(strategy, Object.assign(request, { headers: { ...request.headers, ...headers } }));
      }
      const said = [
        'A login starts when',
        'The cookies of this site leave',
        'The Host header of the request',
      ];
      const texts = await warnings.texts();
      expect(texts).to.have.length(said.length);
      for (const [index, text] of said.entries())
        expect(texts[index]).to.include(`${strategy.name}: ${text} `);
    });

    for (const [info, state, expected] of [
      [undefined, undefined, {}],
      ['', undefined, {}],
      ['Welcome back', undefined, 'Welcome back'],
      [['a', 'list'], undefined, ['a', 'list']],
      ['Welcome back', '/cart', { message: 'Welcome back', state: '/cart' }],
      [{ scope: 'x' }, { items: [1, 'two'] }, { scope: 'x', state: { items: [1, 'two'] } }],
      [{ state: 'the network’s' }, null, { state: null }],
      [{ state: 'the network’s', nonce: 1 }, undefined, { nonce: 1 }],
    ] as const) {
      it(`C17, C32: ${JSON.stringify(info) ?? 'nothing'} given to done, with the state ${JSON.stringify(state) ?? 'left out'}, is ${JSON.stringify(expected)}`, async () => {
        const ending = await logIn(await make(admitWith(info)), { state });
        expect(ending).to.deep.equal({ user: USER, info: expected });
      });
    }

    it('C32: an info without a state is passed on as it is', async () => {
      for (const info of [new Date(), new Error('expected'), admit, { scope: 'x' }])
        expect(await logIn(await make(admitWith(info)))).to.have.property('info', info);
    });

    for (const state of KEPT) {
      it(`C39: the state ${JSON.stringify(state)} comes back`, async () => {
        const { info } = await logIn(await make(admit), { state });
        expect(info).to.deep.equal({ state: JSON.parse(JSON.stringify(state)) });
      });
    }

    for (const [title, state] of Object.entries(REFUSED)) {
      it(`C39: the state ${title} is a TypeError, because JSON cannot carry it`, async () => {
        const [network, cookies] = [close(await example.network()), {}];
        const strategy = example.strategy(network.url, admit, {});
        const { error } = await attempt(strategy, fakeRequest('/login', cookies), { state });
        expect([cookies, network.requests]).to.deep.equal([{}, []]);
        expect(error).to.be.instanceOf(TypeError);
        expect((error as Error).message).to.match(
          /^example: the state given to authenticate must be JSON: .* with toISOString\(\)\.$/,
        );
      });
    }

    it('C27: the state has at most 1,024 bytes as JSON, or as many as the option stateLimit says', async () => {
      const start = async (state: string, options: object = {}) =>
        attempt(await make(admit, options), fakeRequest(), { state });
      for (const [state, options] of [
        ['x'.repeat(1_022), {}],
        ['x'.repeat(1_023), { stateLimit: 2_000 }],
        ['é', { stateLimit: 4 }],
      ] as const)
        expect(await start(state, options)).to.include.keys('redirect');
      for (const [state, limit, size] of [
        ['x'.repeat(1_023), undefined, 1_025],
        ['éé', 4, 6],
      ] as const) {
        const { error } = await start(state, limit === undefined ? {} : { stateLimit: limit });
        expect((error as Error).message).to.equal(
          `example: the state given to authenticate has ${size} bytes as JSON, and at most ${limit ?? 1_024} are kept. Give a shorter one, for example an ID, or raise the option stateLimit.`,
        );
      }
    });

    it('T14: an info that cannot be read is the error of the login', async () => {
      const failure = new Error('a getter has a bug');
      const info = Object.defineProperty({}, 'scope', { enumerable: true, get: () => thrown(failure) });
      expect(await logIn(await make(admitWith(info)), { state: '/cart' })).to.deep.equal({ error: failure });
    });

    it('T14: no action is called before authenticate returns, even if nothing has to be waited for', async () => {
      const authenticator = new passport.Passport();
      authenticator.use(await make(admit));
      const order: string[] = [];
      await new Promise<void>((resolve) => {
        const handler = authenticator.authenticate('example', () => {
          order.push('an action');
          resolve();
        });
        void handler(fakeRequest('/callback?state=&oauth_token='), {} as never, () => {});
        order.push('authenticate returned');
      });
      expect(order).to.deep.equal(['authenticate returned', 'an action']);
    });

    const FAILURES: Readonly<Record<string, (value: unknown) => object>> = {
      'a verify that throws': (value) => ({ verify: () => thrown(value) }),
      'a userProfile that rejects': (value) => ({ userProfile: async () => thrown(value) }),
    };
    for (const [title, failing] of Object.entries(FAILURES)) {
      it(`T14, S6: ${title} with a falsy value is an error, and the route is not reached`, async () => {
        for (const value of [undefined, null, '', 0, false]) {
          const { verify = admit, userProfile, ...options } = failing(value) as Record<string, never>;
          const strategy = Object.assign(await make(verify, options), userProfile && { userProfile });
          const app = close(await loginApp(strategy));
          const browser = new Browser();
          const { location } = await browser.get(`${app.url}/login/example`);
          const page = await browser.get(`${app.url}/plain/example?${example.response(location)}`);
          expect([page.status, page.json.error]).to.deep.equal([500, 'TypeError']);
          expect(app.endings).to.have.length(1);
          expect(app.endings[0]?.error).to.be.instanceOf(TypeError);
        }
      });
    }

    async function finishThrowing(
      callback: (ending: AttemptEnding, response: { headersSent: boolean }) => unknown,
    ) {
      const strategy = await make(admit);
      const cookies = {};
      const { redirect = '' } = await attempt(strategy, fakeRequest('/login', cookies));
      const request = fakeRequest(`/callback?${example.response(redirect)}`, cookies);
      const authenticator = new passport.Passport();
      authenticator.use(strategy);
      const endings: AttemptEnding[] = [];
      const handler = authenticator.authenticate('example', (error: unknown, user?: unknown) => {
        const ending = error ? { error } : { user };
        endings.push(ending);
        return callback(ending, request.res as never);
      });
      void handler(request, {} as never, () => {});
      while (endings.length === 0) await new Promise(setImmediate);
      const texts = await warnings.texts();
      return { endings, texts };
    }

    it('T14: a custom callback that throws or rejects gets its error', async () => {
      const failure = new Error('the page has a bug');
      for (const fails of [() => thrown(failure), () => Promise.reject(failure)]) {
        const { endings, texts } = await finishThrowing(({ user }) => (user ? fails() : undefined));
        expect(endings).to.deep.equal([{ user: USER }, { error: failure }]);
        expect(texts).to.deep.equal([]);
      }
    });

    it('T14: a custom callback that always throws is a warning, which shows no message, and does not end the process', async () => {
      const { endings, texts } = await finishThrowing(() => thrown(new RangeError('secret-0123456789')));
      expect(endings).to.have.length(2);
      expect(texts).to.deep.equal([
        'An error handler of the application threw (RangeError) while it handled a login.',
      ]);
    });

    for (const [when, options, query, host, end] of [
      ['logs a user in', {}, true, express, 'ends with status 500'],
      ['is mistaken at the start', { state: () => 'a function' }, false, express, 'ends with status 500'],
      ['offers no response', {}, false, undefined, 'ends without a response'],
    ] as const) {
      it(`an application that calls what authenticate returned without next, and ${when}, reads what to write, and no browser waits`, async () => {
        const authenticator = new passport.Passport();
        authenticator.use(await make(admit));
        const handle = authenticator.authenticate('example', { session: false, ...options } as object);
        const listener = (req: unknown, res: unknown) =>
          (handle as AnyAuthenticate).call(authenticator, req, res);
        const { url } = close(await serve(host === undefined ? listener : host().use(listener)));
        const browser = new Browser();
        const { location } = query ? await browser.get(`${url}/`) : { location: '' };
        const page = browser.get(query ? `${url}/?${example.response(location)}` : `${url}/`);
        const status = await page.then(
          ({ status }) => status,
          (error: Error) => error.message,
        );
        expect(status).to.equal(host === undefined ? 'socket hang up' : 500);
        expect(await warnings.texts()).to.deep.equal([
          `What passport.authenticate(...) returned was called without next (TypeError: next is not a function), so the request ${end}. Write passport.authenticate(...)(req, res, next), or give passport.authenticate a callback.`,
        ]);
      });
    }

    it('S6: application code that throws after it has responded is a warning, not a second outcome', async () => {
      const { endings, texts } = await finishThrowing(async (_ending, response) => {
        response.headersSent = true;
        throw new Error('the audit log is down');
      });
      expect(endings).to.deep.equal([{ user: USER }]);
      expect(texts).to.deep.equal([
        'The callback of the application threw (Error) while it handled a login.',
      ]);
    });

    it('S5: the copy for a request keeps what a subclass puts on it; it and the strategy get nothing but Passport’s actions', async () => {
      const TENANT = Symbol('tenant');
      type Copy = Record<string | symbol, unknown>;
      const strategy = await make(admit);
      const authenticate = Reflect.get(strategy, 'authenticate') as AnyAuthenticate;
      const copies: Copy[] = [];
      let change: (copy: Copy) => void = () => {};
      Object.assign(strategy, {
        authenticate(this: NamedStrategy & Copy, ...args: unknown[]) {
          copies.push(this);
          change(this);
          authenticate.apply(this, args);
        },
        [example.hook](this: Copy) {
          return { from: this[TENANT] ?? 'the strategy' };
        },
      });
      const from = async () => new URL((await attempt(strategy)).redirect ?? '').searchParams.get('from');
      const properties = Reflect.ownKeys(strategy);
      const actions = ['success', 'fail', 'redirect', 'pass', 'error'];
      expect((await logIn(strategy)).user).to.deep.equal(USER);
      for (const copy of copies) expect(Reflect.ownKeys(copy)).to.have.members(actions);
      const own = { value: () => ({ from: 'the request' }) };
      for (const made of [
        (copy: Copy) => Object.defineProperty(copy, example.hook, { ...own, enumerable: true }),
        (copy: Copy) => Object.defineProperty(copy, example.hook, own),
        (copy: Copy) => Object.assign(copy, { [TENANT]: 'the request' }),
      ]) {
        change = made;
        expect(await from()).to.equal('the request');
        change = () => {};
        expect(await from()).to.equal('the strategy');
      }
      expect(Reflect.ownKeys(strategy)).to.deep.equal(properties);
    });
  });
}
