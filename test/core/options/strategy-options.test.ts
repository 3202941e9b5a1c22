import { expect } from 'chai';
import {
  MicroblogOAuth1Strategy,
  MicroblogStrategy,
  ShortVideoStrategy,
  SocialNetworkStrategy,
} from '../../../lib/index.js';
import { redirectOf } from '../../support/attempt.js';

const never = () => undefined;
const CLIENT = { clientID: 'the-client', clientSecret: 'the-secret' };

describe('options that are a class instance', () => {
  class Settings {
    readonly clientSecret = 'the-secret';
    get clientID() {
      return 'from-a-getter';
    }
    get callbackURL() {
      return 'https://app.example/from/a/getter';
    }
    get unknownHere() {
      return 'not an option';
    }
  }
  class SpecialSettings extends Settings {
    get scope() {
      return 'user.info.basic,user.info.profile';
    }
  }

  it('are read from its getters, and from those of its base class', async () => {
    const parameters = (await redirectOf(new ShortVideoStrategy(new SpecialSettings(), never))).searchParams;
    expect(parameters.get('client_key')).to.equal('from-a-getter');
    expect(parameters.get('redirect_uri')).to.equal('https://app.example/from/a/getter');
    expect(parameters.get('scope')).to.equal('user.info.basic,user.info.profile');
  });

  it('are read from an object without a prototype, and from one that inherits from another', async () => {
    for (const options of [Object.assign(Object.create(null), CLIENT), Object.create(CLIENT)]) {
      const parameters = (await redirectOf(new ShortVideoStrategy(options as never, never))).searchParams;
      expect(parameters.get('client_key')).to.equal('the-client');
    }
  });
});

describe('a client ID that is a number', () => {
  for (const version of ['2.0', '2.1']) {
    for (const spelling of ['clientID', 'clientId']) {
      it(`is sent digit by digit by SocialNetworkStrategy ${version}, as ${spelling}`, async () => {
        const options = { [spelling]: 51_000_001, version, clientSecret: 'the-secret' };
        const strategy = new SocialNetworkStrategy(options as never, never);
        expect((await redirectOf(strategy)).searchParams.get('client_id')).to.equal('51000001');
      });
    }
  }

  type Class = new (options: object, verify: () => undefined) => object;
  for (const Class of [ShortVideoStrategy, MicroblogStrategy, MicroblogOAuth1Strategy] as Class[]) {
    it(`is a TypeError of ${Class.name}, whose network has no such IDs`, () => {
      expect(() => new Class({ ...CLIENT, clientID: 51_000_001 }, never)).to.throw(
        TypeError,
        'option clientID must be a non-empty string.',
      );
    });
  }
});

describe('a polluted Object.prototype', () => {
  const prototype = Object.prototype as Record<string, unknown>;
  const POLLUTION = {
    clientID: 'polluted-client',
    callbackURL: 'https://evil.example/cb',
    authorizationURL: 'https://evil.example/authorize',
    tokenURL: 'https://evil.example/token',
    scope: 'polluted',
    name: 'polluted',
  };
  afterEach(() => {
    for (const name of Object.keys(POLLUTION)) delete prototype[name];
  });

  it('adds no option', async () => {
    Object.assign(prototype, POLLUTION);
    const strategy = new ShortVideoStrategy(CLIENT, never);
    const location = await redirectOf(strategy);
    expect(location.origin + location.pathname).to.equal('https://www.tiktok.com/v2/auth/authorize/');
    expect(location.searchParams.get('client_key')).to.equal('the-client');
    expect(location.searchParams.get('redirect_uri')).to.equal(
      'https://app.example/api/auth/callback/short-video',
    );
    expect(location.searchParams.get('scope')).to.equal('user.info.basic');
  });

  it('does not replace a missing option', () => {
    Object.assign(prototype, POLLUTION);
    expect(() => new ShortVideoStrategy({ clientSecret: 'the-secret' } as never, never)).to.throw(
      TypeError,
      'ShortVideoStrategy: option clientID is required.',
    );
  });
});
