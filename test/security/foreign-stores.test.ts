import { expect } from 'chai';
import { backendRequests, type Contract, describeEach } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { allow, start, withParameters } from '../support/journey.js';

type Callback = (error: unknown, ...values: unknown[]) => void;

/** A store made for a base package that holds one login and returns it to every caller. */
interface CarelessStore {
  /** The store that `passport-oauth2` or `passport-oauth1` calls. */
  readonly store: object;
  /** The number of times that a login was requested. */
  calls(): number;
  /** Whether it approves every state; an OAuth 1.0a store does not check it. */
  approves: boolean;
}

function carelessStore(oauth: '1.0a' | '2.0'): CarelessStore {
  let kept: unknown;
  let calls = 0;
  const careless = { store: {}, calls: () => calls, approves: true };
  const stores = {
    '2.0': {
      store(_req: object, _verifier: unknown, state: unknown, _meta: object, done: Callback) {
        kept = state;
        done(null, 'a-state-that-the-store-itself-has-made');
      },
      verify(_req: object, _state: string, _meta: object, done: Callback) {
        calls += 1;
        done(null, careless.approves, kept);
      },
    },
    '1.0a': {
      set(_req: object, _token: string, secret: unknown, _meta: object, done: Callback) {
        kept = secret;
        done(null);
      },
      get(_req: object, _token: string, _meta: object, done: Callback) {
        calls += 1;
        done(null, kept);
      },
      destroy(_req: object, _token: string, _meta: object, done: Callback) {
        done(null);
      },
    },
  };
  return Object.assign(careless, { store: stores[oauth] });
}

describeEach('a careless store made for a base package', (contract) => {
  const { subject } = contract;
  const key = subject.oauth === '2.0' ? 'state' : 'oauth_token';

  it('C1: an authorization response without a state or request token is 403, and the store is not called', async () => {
    const { careless, world, browser, callback } = await pendingIn(contract);
    const requests = backendRequests(world);
    const page = await browser.get(withParameters(callback, { [key]: undefined }));
    expect([page.status, page.json.failure.code]).to.deep.equal([403, 'unknown_login']);
    expect(careless.calls()).to.equal(0);
    expect(backendRequests(world)).to.deep.equal(requests);
  });

  it('C1, O3: a careless store cannot pass off one login as another', async () => {
    const { careless, world, browser, callback } = await pendingIn(contract);
    const requests = backendRequests(world);
    // An OAuth 2.0 store checks the state itself; if it rejects the state, the login that it returns is ignored.
    careless.approves = false;
    const page = await browser.get(withParameters(callback, { [key]: 'forged' }));
    expect([page.status, page.json.failure.code]).to.deep.equal([403, 'unknown_login']);
    expect(backendRequests(world)).to.deep.equal(requests);
    careless.approves = true;
    expect((await browser.get(callback)).status).to.equal(200);
  });

  it('C2: a careless store cannot return a login twice', async () => {
    const { world, browser, callback } = await pendingIn(contract);
    expect((await browser.get(callback)).status).to.equal(200);
    const requests = backendRequests(world);
    const page = await browser.get(callback);
    expect([page.status, page.json.failure.code]).to.deep.equal([403, 'used_login']);
    expect(backendRequests(world)).to.deep.equal(requests);
  });

  it('C4: a careless store cannot return a login to another strategy', async () => {
    const { careless, world, server, browser, callback } = await pendingIn(contract);
    const { search } = new URL(callback);
    const other = await contract.app(contract.strategy(world, { store: careless.store, name: 'second-app' }));
    const page = await browser.get(`${other.url}/api/auth/callback/second-app${search}`);
    expect([page.status, page.json.failure.code]).to.deep.equal([403, 'unknown_login']);
    expect(server.endings).to.deep.equal([]);
  });
});

/** Starts a login in such a store. @returns The authorization response that would finish it. */
async function pendingIn({ subject, sandbox, strategy, app }: Contract) {
  const careless = carelessStore(subject.oauth);
  const world = await sandbox();
  const server = await app(strategy(world, { store: careless.store }));
  const browser = new Browser();
  const callback = await allow(browser, await start(browser, server, subject.provider));
  return { careless, world, server, browser, callback };
}
