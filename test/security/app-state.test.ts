import { expect } from 'chai';
import { backendRequests, type Done, describeEach } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { callbackOf, logIn } from '../support/journey.js';

describeEach('application state', ({ subject, sandbox, strategy, app, begin }) => {
  const { provider } = subject;

  /** Runs a login with application state. @returns The info that it ends with. */
  async function infoOf(state: unknown, options: object = {}): Promise<unknown> {
    const { browser, callback } = await begin(options, { start: { state } });
    return (await browser.get(callback)).json.info;
  }

  const states = {
    'a string': 'return-to=/the/cart',
    'an object': { returnTo: '/the/cart', items: [1, 2], nested: { gift: true } },
    false: false,
    'an empty string': '',
  };
  for (const [form, state] of Object.entries(states)) {
    it(`C17: ${form} as application state comes back as info.state`, async () => {
      expect(await infoOf(state)).to.deep.equal({ state });
    });
  }

  it('C17: application state is never in a URL; the state there is random', async () => {
    const state = 'app-state-of-the-test';
    const { browser, authorization, callback } = await begin({}, { start: { state } });
    const { searchParams } = new URL(authorization);
    expect(searchParams.get('state') ?? searchParams.get('oauth_token')).to.match(/^[\w-]{20,}$/);
    expect(authorization + callback).to.not.include(state);
    expect((await browser.get(callback)).json.info).to.deep.equal({ state });
  });

  it('C17: with passReqToCallback verify finds application state at req.authInfo', async () => {
    const verify = ({ authInfo }: { authInfo: object }, _t: string, _r: unknown, _p: object, done: Done) =>
      done(null, authInfo);
    const state = { returnTo: '/cart' };
    const made = strategy(await sandbox(), { passReqToCallback: true }, verify);
    expect((await logIn(await app(made, { start: { state } }), provider)).json.user).to.deep.equal({ state });
  });

  it('C17: a login without application state has no info.state', async () => {
    const { browser, callback } = await begin();
    expect((await browser.get(callback)).json.info).to.deep.equal({});
  });

  it('C17: two tabs keep their own application state', async () => {
    const world = await sandbox();
    const browser = new Browser();
    const tabs: [state: string, callback: string][] = [];
    for (const state of ['first', 'second']) {
      const server = await app(strategy(world), { start: { state } });
      tabs.unshift([state, await callbackOf(browser, server, provider)]);
    }
    for (const [state, callback] of tabs)
      expect((await browser.get(callback)).json.info).to.deep.equal({ state });
  });

  it('C27: application state of more than one kilobyte is a TypeError, unless the option stateLimit allows it', async () => {
    const state = 'é'.repeat(511);
    expect(await infoOf(state)).to.deep.equal({ state });
    const tooLong = { state: `${state}é` };
    const server = await app(strategy(await sandbox()), { start: tooLong });
    expect((await new Browser().get(`${server.url}/login/${provider}`)).json).to.include({
      error: 'TypeError',
      message: `${provider}: the state given to authenticate has 1026 bytes as JSON, and at most 1024 are kept. Give a shorter one, for example an ID, or raise the option stateLimit.`,
    });
    expect(await infoOf(tooLong.state, { stateLimit: 1_026 })).to.deep.equal(tooLong);
  });

  const shared = { id: 7 };
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const unfit: Readonly<Record<string, unknown>> = {
    'a BigInt': 7n,
    'a date': new Date(0),
    'not a number': Number.NaN,
    'an infinite number': { price: Number.POSITIVE_INFINITY },
    'a function': () => '/cart',
    'a symbol': Symbol('cart'),
    'a cycle': cycle,
    'a map': new Map([['returnTo', '/cart']]),
    'a class instance': { returnTo: new URL('https://app.example/cart') },
    'undefined in an array': [1, undefined],
    'a hole in an array': Object.assign([], { length: 2 }),
    bytes: Buffer.from('cart'),
  };
  it('C39: state that JSON cannot carry as it is is a TypeError at the start, without a cookie or a request to the network', async () => {
    const world = await sandbox();
    for (const [title, state] of Object.entries(unfit)) {
      const server = await app(strategy(world), { start: { state } });
      const { status, json, headers } = await new Browser().get(`${server.url}/login/${provider}`);
      const message = `${provider}: the state given to authenticate must be JSON: strings, finite numbers, true, false, null, and plain objects and arrays of them. Convert anything else, for example a date with toISOString().`;
      expect([title, status, json]).to.deep.equal([title, 500, { error: 'TypeError', message }]);
      expect(headers['set-cookie']).to.equal(undefined);
    }
    expect(backendRequests(world)).to.deep.equal([]);
  });

  it('C39: state that JSON carries as it is comes back equal, and an undefined property may be left out', async () => {
    const bare = Object.assign(Object.create(null) as object, { returnTo: '/cart' });
    for (const [state, expected] of [
      [null, null],
      [-0.5, -0.5],
      [[], []],
      [bare, { returnTo: '/cart' }],
      [
        { a: shared, b: [shared, shared] },
        { a: { id: 7 }, b: [{ id: 7 }, { id: 7 }] },
      ],
      [{ returnTo: '/cart', coupon: undefined }, { returnTo: '/cart' }],
    ] as const) {
      expect(await infoOf(state)).to.deep.equal({ state: expected });
    }
  });
});
