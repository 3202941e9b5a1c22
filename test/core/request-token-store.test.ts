import { expect } from 'chai';
import { LoginFailure } from '../../lib/core/errors.js';
import type { LoginRequest } from '../../lib/core/pending-login.js';
import { type RequestTokenStore, RequestTokenStoreLogins } from '../../lib/core/request-token-store.js';
import { fakeClock } from '../support/clock.js';
import { LOGIN, sessionRequest } from '../support/logins.js';
import { rejectionOf } from '../support/thrown.js';

type StoreConstructor = new (options: { key: string }) => RequestTokenStore;
type Callback = (error?: unknown, value?: unknown) => void;

const SessionStore = require('passport-oauth1/lib/requesttoken/session') as StoreConstructor;
const SessionStateStore = require('passport-oauth1/lib/requesttoken/state') as StoreConstructor;

/** What a record tells about its owner. */
const NAMES = { strategy: 'network', clientID: 'consumer' };
const OWNER = { ...NAMES, authorizationURL: 'https://network.example/' };
const META = {
  requestTokenURL: 'https://n.example/request_token',
  accessTokenURL: 'https://n.example/access_token',
  userAuthorizationURL: 'https://n.example/authenticate',
  consumerKey: 'consumer',
};
const TOKEN = 'request-token';
const loginsIn = (store: RequestTokenStore, owner = OWNER) => new RequestTokenStoreLogins(store, owner, META);

async function expectFailure(taking: Promise<unknown>, code: string): Promise<void> {
  const failure = (await rejectionOf(taking)) as LoginFailure;
  expect(failure).to.be.instanceOf(LoginFailure);
  expect([failure.code, failure.status]).to.deep.equal([code, 403]);
}

const STORES = { 'requesttoken/session.js': SessionStore, 'requesttoken/state.js': SessionStateStore };
for (const [file, Store] of Object.entries(STORES)) {
  describe(`request-token-store: passport-oauth1's ${file}`, () => {
    const clock = fakeClock();

    it('keeps a login with the token’s secret and application state', async () => {
      const request = sessionRequest();
      const logins = loginsIn(new Store({ key: 'oauth' }));
      await logins.keep(request, TOKEN, LOGIN);
      expect(await logins.take(request, TOKEN)).to.deep.include({ ...LOGIN, ...NAMES });
    });

    it('C2: a login is taken once', async () => {
      const request = sessionRequest();
      const logins = loginsIn(new Store({ key: 'oauth' }));
      await logins.keep(request, TOKEN, LOGIN);
      await logins.take(request, TOKEN);
      expect(request.session).to.deep.equal({});
      expect(await rejectionOf(logins.take(request, TOKEN))).to.be.instanceOf(Error);
    });

    it('O3: a forged token does not get the one login that the store holds, and leaves it there', async () => {
      const request = sessionRequest();
      const logins = loginsIn(new Store({ key: 'oauth' }));
      await logins.keep(request, TOKEN, LOGIN);
      await expectFailure(logins.take(request, 'forged'), 'unknown_login');
      await expectFailure(logins.take(request, undefined), 'unknown_login');
      expect(await logins.take(request, TOKEN)).to.deep.include(NAMES);
    });

    it('C4: the login of another strategy, consumer or network in the same store is not taken', async () => {
      const store = new Store({ key: 'oauth' });
      for (const owner of [
        { ...OWNER, strategy: 'other' },
        { ...OWNER, clientID: 'other' },
        { ...OWNER, authorizationURL: 'https://other.example/' },
      ]) {
        const request = sessionRequest();
        await loginsIn(store).keep(request, TOKEN, LOGIN);
        await expectFailure(loginsIn(store, owner).take(request, TOKEN), 'unknown_login');
      }
    });

    it('C6: a login expires after ten minutes', async () => {
      const request = sessionRequest();
      const logins = loginsIn(new Store({ key: 'oauth' }));
      await logins.keep(request, TOKEN, LOGIN);
      clock.advance(600_000);
      await expectFailure(logins.take(request, TOKEN), 'expired_login');
    });

    it('S7: a callback without any login pending is unknown_login, not the store’s error', async () => {
      await expectFailure(
        loginsIn(new Store({ key: 'oauth' })).take(sessionRequest(), TOKEN),
        'unknown_login',
      );
    });
  });
}

describe('request-token-store: other stores', () => {
  it('stores are called with the arguments that they declare, with the meta of passport-oauth1', async () => {
    const calls: unknown[][] = [];
    let kept: unknown;
    const keeping = (name: string, args: unknown[]) => calls.push([name, ...args]);
    const small: RequestTokenStore = {
      set(_req: LoginRequest, token: string, secret: string, done: Callback) {
        keeping('set 4', [token]);
        kept = secret;
        done();
      },
      get(_req: LoginRequest, token: string, done: Callback) {
        keeping('get 3', [token]);
        done(null, kept);
      },
      destroy(_req: LoginRequest, token: string, done: Callback) {
        keeping('destroy 3', [token]);
        done();
      },
    };
    const large: RequestTokenStore = {
      ...small,
      set(_req: LoginRequest, token: string, secret: string, meta: object, done: Callback) {
        keeping('set 5', [token, meta]);
        kept = secret;
        done();
      },
      get(_req: LoginRequest, token: string, meta: object, done: Callback) {
        keeping('get 4', [token, meta]);
        done(null, kept);
      },
      destroy(_req: LoginRequest, token: string, meta: object, done: Callback) {
        keeping('destroy 4', [token, meta]);
        done();
      },
    };
    const largest: RequestTokenStore = {
      ...large,
      set(_req: LoginRequest, token: string, secret: string, state: unknown, meta: object, done: Callback) {
        keeping('set 6', [token, state, meta]);
        kept = secret;
        done();
      },
    };
    for (const store of [small, large, largest]) {
      await loginsIn(store).keep(sessionRequest(), TOKEN, LOGIN);
      expect(await loginsIn(store).take(sessionRequest(), TOKEN)).to.deep.include(LOGIN);
    }
    const meta = { ...META, callbackURL: LOGIN.callbackURL };
    expect(calls).to.deep.equal([
      ['set 4', TOKEN],
      ['get 3', TOKEN],
      ['destroy 3', TOKEN],
      ['set 5', TOKEN, meta],
      ['get 4', TOKEN, META],
      ['destroy 4', TOKEN, META],
      ['set 6', TOKEN, undefined, meta],
      ['get 4', TOKEN, META],
      ['destroy 4', TOKEN, META],
    ]);
  });

  it('T14: an error that the store calls back with, throws or rejects with is the error of the login', async () => {
    const failure = new Error('the store is away');
    const store: RequestTokenStore = {
      set(_req: LoginRequest, _token: string, _secret: string, done: Callback) {
        done(failure);
      },
      get() {
        throw failure;
      },
      async destroy() {
        throw failure;
      },
    };
    expect(await rejectionOf(loginsIn(store).keep(sessionRequest(), TOKEN, LOGIN))).to.equal(failure);
    expect(await rejectionOf(loginsIn(store).take(sessionRequest(), TOKEN))).to.equal(failure);
  });

  it('what a store gives in place of a login is unknown_login', async () => {
    for (const rubbish of [undefined, null, '', 'secret', '{}', '[]', '{"id":"x"}', 7, {}]) {
      const store: RequestTokenStore = {
        set() {},
        get(_req: LoginRequest, _token: string, done: Callback) {
          done(null, rubbish);
        },
        destroy() {},
      };
      await expectFailure(loginsIn(store).take(sessionRequest(), TOKEN), 'unknown_login');
    }
  });
});
