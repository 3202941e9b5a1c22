import { expect } from 'chai';
import type { LoginRequest } from '../../lib/core/pending-login.js';
import type { StateStore } from '../../lib/core/state-store.js';
import { LOGIN, sessionRequest } from '../support/logins.js';
import { expectFailure, loginsIn, META, type StoreConstructor } from '../support/state-stores.js';
import { rejectionOf } from '../support/thrown.js';

type Callback = (error: unknown, ...results: unknown[]) => void;

const BaseNonceStore = require('passport-oauth2/lib/state/session') as StoreConstructor;

describe('state-store: other stores', () => {
  it('a store without room for application state is a TypeError that names the option and a remedy', () => {
    const nonce = new BaseNonceStore({ key: 'oauth2' });
    expect(() => loginsIn(nonce)).to.throw(
      TypeError,
      /network: option store cannot keep a login: .*sessionLogins\(\) is one that can\./,
    );
  });

  it('stores are called with the arguments that they declare, with the meta of passport-oauth2', async () => {
    const calls: Record<string, unknown[]> = {};
    let kept: unknown;
    const stores: Record<string, StateStore> = {
      'store 4, verify 3': {
        store(_req: LoginRequest, state: unknown, meta: object, done: Callback) {
          calls.store4 = [meta];
          kept = state;
          done(null, 'the-state');
        },
        verify(_req: LoginRequest, state: string, done: Callback) {
          calls.verify3 = [state];
          done(null, true, kept);
        },
      },
      'store 5, verify 4': {
        store(_req: LoginRequest, verifier: string, state: unknown, meta: object, done: Callback) {
          calls.store5 = [verifier, meta];
          kept = state;
          done(null, 'the-state');
        },
        verify(_req: LoginRequest, state: string, meta: object, done: Callback) {
          calls.verify4 = [state, meta];
          done(null, 'the-code-verifier', kept);
        },
      },
    };
    for (const store of Object.values(stores)) {
      const logins = loginsIn(store);
      expect(await logins.begin(sessionRequest(), LOGIN)).to.equal('the-state');
      expect(await logins.take(sessionRequest(), 'the-state')).to.deep.include(LOGIN);
    }
    const meta = { ...META, callbackURL: LOGIN.callbackURL };
    expect(calls).to.deep.equal({
      store4: [meta],
      verify3: ['the-state'],
      store5: ['the-code-verifier', meta],
      verify4: ['the-state', META],
    });
  });

  /** A store that answers whatever it is told to. */
  const answering = (...results: [unknown, ...unknown[]]): StateStore => ({
    store(_req: LoginRequest, _state: unknown, _meta: object, done: Callback) {
      done(...results);
    },
    verify(_req: LoginRequest, _state: string, done: Callback) {
      done(...results);
    },
  });

  it('T14: an error of the store is the error of the login', async () => {
    const failure = new Error('the store is away');
    const logins = loginsIn(answering(failure));
    expect(await rejectionOf(logins.begin(sessionRequest(), LOGIN))).to.equal(failure);
    expect(await rejectionOf(logins.take(sessionRequest(), 'state'))).to.equal(failure);
  });

  it('T14: a store that throws or rejects is the error of the login', async () => {
    const failure = new Error('the store has a bug');
    const throwing: StateStore = {
      store(_req: LoginRequest, _state: unknown, _meta: object, _done: Callback) {
        throw failure;
      },
      async verify(_req: LoginRequest, _state: string, _done: Callback) {
        throw failure;
      },
    };
    expect(await rejectionOf(loginsIn(throwing).begin(sessionRequest(), LOGIN))).to.equal(failure);
    expect(await rejectionOf(loginsIn(throwing).take(sessionRequest(), 'state'))).to.equal(failure);
  });

  it('a store that says no, or gives something else than it was given, is unknown_login', async () => {
    for (const results of [
      [null, false],
      [null, true],
      [null, true, 'text'],
      [null, true, { key: 1 }],
      [null, true, {}],
    ]) {
      const logins = loginsIn(answering(...(results as [unknown, ...unknown[]])));
      await expectFailure(logins.take(sessionRequest(), 'state'), 'unknown_login');
    }
  });

  it('a record whose key was exchanged is unknown_login', async () => {
    let kept: { key: string; login: object } | undefined;
    const store: StateStore = {
      store(_req: LoginRequest, state: { key: string; login: object }, _meta: object, done: Callback) {
        kept = { ...state, key: 'another' };
        done(null, 'the-state');
      },
      verify(_req: LoginRequest, _state: string, done: Callback) {
        done(null, true, kept);
      },
    };
    await loginsIn(store).begin(sessionRequest(), LOGIN);
    await expectFailure(loginsIn(store).take(sessionRequest(), 'the-state'), 'unknown_login');
  });

  it('a store that gives no state is a TypeError', async () => {
    for (const state of [undefined, '', 7]) {
      const mistake = await rejectionOf(loginsIn(answering(null, state)).begin(sessionRequest(), LOGIN));
      expect(mistake).to.be.instanceOf(TypeError);
      expect((mistake as Error).message).to.equal('The state store gave no state.');
    }
  });
});
