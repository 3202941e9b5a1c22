import { expect } from 'chai';
import { cookieLogins, SocialNetworkStrategy } from '../../../lib/index.js';
import { attempt, fakeRequest } from '../../support/attempt.js';
import { ExampleOAuth1Strategy, ExampleStrategy } from '../../support/example-networks.js';

const never = () => undefined;
const strategyWith = (store: unknown, options: object = {}) =>
  new ExampleStrategy('https://n.example', never, { ...options, store });

describe('the option store', () => {
  const LEGACY = [
    'passport-oauth2/lib/state/store',
    'passport-oauth2/lib/state/pkcesession',
    'passport-oauth2/lib/state/session',
    'passport-oauth1/lib/requesttoken/session',
    'passport-oauth1/lib/requesttoken/state',
  ].map((file) => {
    const Store = require(file) as new (options: { key: string }) => object;
    return new Store({ key: 'legacy' });
  });

  it('rejects anything without the methods save and take, such as the stores of the base packages', () => {
    const method = () => {};
    const incomplete = [{ save: method }, { take: method }, { save: method, take: 'take' }];
    const message =
      'option store must be a login store: cookieLogins(), or an object of your own with the methods save and take. Stores made for passport-oauth2 or passport-oauth1 do not fit.';
    for (const store of [...LEGACY, ...incomplete, null, false, 7, 'session', {}, []]) {
      expect(() => strategyWith(store)).to.throw(TypeError, `ExampleStrategy: ${message}`);
      expect(() => new ExampleOAuth1Strategy('https://n.example', never, { store })).to.throw(
        TypeError,
        `ExampleOAuth1Strategy: ${message}`,
      );
    }
  });

  it('is an encrypted cookie if it is absent or, as in passport-oauth2, true; the session is not touched', async () => {
    for (const [store, name] of [
      [undefined, /^__Host-login\.[\w-]{16}$/],
      [true, /^__Host-login\.[\w-]{16}$/],
      [cookieLogins({ name: 'app' }), /^__Host-app\.[\w-]{16}$/],
    ] as const) {
      const cookies = {};
      const session = Object.freeze({});
      const request = Object.assign(fakeRequest('/login', cookies), { session });
      expect((await attempt(strategyWith(store), request)).redirect).to.be.a('string');
      expect(Object.keys(cookies)).to.have.length(1);
      expect(Object.keys(cookies)[0]).to.match(name);
    }
  });

  it('is explained to whoever sets sessionKey', () => {
    expect(() => strategyWith(undefined, { sessionKey: 'oauth' })).to.throw(
      TypeError,
      'ExampleStrategy: option sessionKey is not taken: a pending login is kept in a cookie of its own, not in the session. To keep two applications on one host apart, give store: cookieLogins({ name }).',
    );
  });
});

describe('the secret that makes the key of pending logins', () => {
  const { NODE_ENV: environment } = process.env;
  afterEach(() => {
    if (environment === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = environment;
  });

  const vkID = { version: '2.1', clientID: '1' } as const;
  it('C38: may be a service token of VK ID, which must have 20 characters in production as well', () => {
    const make = (serviceToken: string) => new SocialNetworkStrategy({ ...vkID, serviceToken }, never);
    process.env.NODE_ENV = 'production';
    make('x'.repeat(20));
    expect(() => make('x'.repeat(19))).to.throw(TypeError, 'has fewer than 20 characters');
    delete process.env.NODE_ENV;
    make('x'.repeat(19));
  });
});
