import { expect } from 'chai';
import {
  cookieLogins,
  MicroblogStrategy,
  ShortVideoStrategy,
  SocialNetworkStrategy,
} from '../../../lib/index.js';
import { attempt, fakeRequest } from '../../support/attempt.js';
import { ExampleOAuth1Strategy, ExampleStrategy } from '../../support/example-networks.js';
import type { NamedStrategy } from '../../support/login-app.js';
import { keyedLogins, memoryLogins } from '../../support/logins.js';
import { thrownBy } from '../../support/thrown.js';

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

  it('takes a store of this package, and one of the application', () => {
    class OwnStore {
      save() {}
      take() {
        return undefined;
      }
    }
    for (const store of [cookieLogins({ limit: 2 }), keyedLogins(), memoryLogins(), new OwnStore()]) {
      strategyWith(store);
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
  const HOW =
    "Add store: cookieLogins({ secrets: process.env.LOGIN_SECRET }). Make a secret with: node -p \"require('crypto').randomBytes(32).toString('base64url')\".";
  const { NODE_ENV: environment } = process.env;
  afterEach(() => {
    if (environment === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = environment;
  });

  /** The clients of each protocol, by what secret they have. */
  const CLIENTS: Readonly<Record<string, (secret: string | undefined, more?: object) => NamedStrategy>> = {
    'short-video': (clientSecret, more) =>
      new ShortVideoStrategy({ clientID: 'id', clientSecret: clientSecret ?? '', ...more }, never),
    'microblog 2.0': (clientSecret, more) =>
      new MicroblogStrategy({ clientID: 'id', ...(clientSecret && { clientSecret }), ...more }, never),
    'microblog 1.0': (clientSecret, more) =>
      new MicroblogStrategy<'1.0'>(
        { version: '1.0', consumerKey: 'id', consumerSecret: clientSecret ?? '', ...more },
        never,
      ),
    'social-network 2.0': (clientSecret, more) =>
      new SocialNetworkStrategy({ clientID: '1', clientSecret: clientSecret ?? '', ...more }, never),
    'social-network 2.1': (clientSecret, more) =>
      new SocialNetworkStrategy(
        { version: '2.1', clientID: '1', ...(clientSecret && { clientSecret }), ...more },
        never,
      ),
    'social-network 2.1 with a service token': (serviceToken, more) =>
      new SocialNetworkStrategy(
        { version: '2.1', clientID: '1', ...(serviceToken && { serviceToken }), ...more },
        never,
      ),
  };
  const storeMistake = (reason: string) =>
    new RegExp(`^\\w+: option store is required: ${reason}\\. ${HOW.replaceAll(/[()\\.]/g, '\\$&')}$`);

  for (const [client, make] of Object.entries(CLIENTS)) {
    it(`C38: of ${client} must have 20 characters in production, and not be the sandbox's`, () => {
      const weak = 'the secret of this client has fewer than 20 characters';
      const known = "the secret of this client is the sandbox's, which everybody knows";
      const end = ", so it cannot make the key of a pending login's cookie";
      for (const [secret, problem] of [
        ['x'.repeat(20), undefined],
        ['x'.repeat(19), weak],
        ['sunshine42', weak],
        ['short-video-sandbox-secret', known],
        ['socialNetworkSandbox', known],
      ] as const) {
        process.env.NODE_ENV = 'production';
        make(secret, { store: keyedLogins() });
        if (problem === undefined) make(secret);
        else {
          const mistake = thrownBy(() => make(secret)) as TypeError;
          expect(mistake).to.be.instanceOf(TypeError);
          expect(mistake.message)
            .to.match(storeMistake(problem + end))
            .and.not.include(secret);
        }
        for (const mode of ['development', 'test']) {
          process.env.NODE_ENV = mode;
          make(secret);
        }
        delete process.env.NODE_ENV;
        make(secret);
      }
    });
  }

  for (const client of ['microblog 2.0', 'social-network 2.1', 'social-network 2.1 with a service token']) {
    it(`C38: is in the option store if ${client} has none`, () => {
      const make = CLIENTS[client] as (secret: undefined, more?: object) => NamedStrategy;
      const reason =
        'a pending login is kept in an encrypted cookie, and this client has no secret to make its key from';
      for (const store of [undefined, true, cookieLogins({ limit: 2 })]) {
        expect(() => make(undefined, { store })).to.throw(TypeError, storeMistake(reason));
      }
      for (const store of [keyedLogins(), memoryLogins()]) make(undefined, { store });
    });
  }
});
