import { expect } from 'chai';
import { cookieLogins, sessionLogins } from '../../../lib/core/login/index.js';
import { attempt, fakeRequest } from '../../support/attempt.js';
import { ExampleOAuth1Strategy } from '../../support/example-oauth1.js';
import { ExampleStrategy } from '../../support/example-oauth2.js';
import { memoryLogins } from '../../support/logins.js';

type StoreConstructor = new (options: { key: string }) => object;

const strategyWith = (store: unknown) => new ExampleStrategy('https://n.example', () => {}, { store });

describe('the option store', () => {
  for (const file of [
    'passport-oauth2/lib/state/store',
    'passport-oauth2/lib/state/pkcesession',
    'passport-oauth2/lib/state/session',
    'passport-oauth1/lib/requesttoken/session',
    'passport-oauth1/lib/requesttoken/state',
  ]) {
    it(`rejects the store of ${file}.js with a TypeError that says what fits`, () => {
      const Store = require(file) as StoreConstructor;
      const store = new Store({ key: 'legacy' });
      const message =
        'option store must be a login store, an object with the methods save and take: sessionLogins(), cookieLogins() or your own. Stores made for passport-oauth2 or passport-oauth1 do not fit.';
      expect(() => strategyWith(store)).to.throw(TypeError, `ExampleStrategy: ${message}`);
      expect(() => new ExampleOAuth1Strategy('https://n.example', () => {}, { store })).to.throw(
        TypeError,
        `ExampleOAuth1Strategy: ${message}`,
      );
    });
  }

  it('rejects any other value that has not both methods', () => {
    const method = () => {};
    const incomplete = [{ save: method }, { take: method }, { save: method, take: 'take' }];
    for (const store of [null, false, 7, 'session', {}, [], ...incomplete]) {
      expect(() => strategyWith(store)).to.throw(
        TypeError,
        'ExampleStrategy: option store must be a login store',
      );
    }
  });

  it('accepts the stores of this package and those of an application', () => {
    class OwnStore {
      save() {}
      take() {
        return undefined;
      }
    }
    const secrets = 'a-secret-of-at-least-thirty-two-characters';
    for (const store of [sessionLogins(), cookieLogins({ secrets }), memoryLogins(), new OwnStore()]) {
      strategyWith(store);
    }
  });

  it('means the session if it is absent or, as in passport-oauth2, true', async () => {
    for (const store of [undefined, true]) {
      const session = {};
      const { redirect } = await attempt(strategyWith(store), fakeRequest('/login', session));
      expect(redirect).to.be.a('string');
      expect(session).to.have.property('pendingLogins');
    }
  });
});
