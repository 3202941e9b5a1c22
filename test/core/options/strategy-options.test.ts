import { expect } from 'chai';
import { MicroblogStrategy, ShortVideoStrategy, SocialNetworkStrategy } from '../../../lib/index.js';
import { redirectOf } from '../../support/attempt.js';
import type { NamedStrategy } from '../../support/login-app.js';
import { collectsWarnings } from '../../support/warnings.js';

const never = () => undefined;
const CLIENT = { clientID: 'the-client', clientSecret: 'the-secret' };

const MAKERS: Readonly<Record<string, (options: object) => NamedStrategy>> = {
  ShortVideoStrategy: (options) => new ShortVideoStrategy(options as never, never),
  'MicroblogStrategy 2.0': (options) => new MicroblogStrategy(options as never, never),
  'MicroblogStrategy 1.0': (options) => new MicroblogStrategy({ ...options, version: '1.0' } as never, never),
  'SocialNetworkStrategy 2.0': (options) => new SocialNetworkStrategy(options as never, never),
  'SocialNetworkStrategy 2.1': (options) =>
    new SocialNetworkStrategy({ ...options, version: '2.1' } as never, never),
};

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

  for (const [title, make] of Object.entries(MAKERS)) {
    if (title.startsWith('SocialNetworkStrategy')) continue;
    it(`is a TypeError of ${title}, whose network has no such IDs`, () => {
      expect(() => make({ ...CLIENT, clientID: 51_000_001 })).to.throw(
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

describe('options that cannot be used', () => {
  collectsWarnings();

  for (const [title, make] of Object.entries(MAKERS)) {
    it(`a callbackURL to which no browser can return is a TypeError of ${title}`, () => {
      for (const [callbackURL, problem] of [
        [
          'example.com/cb',
          'option callbackURL must begin with https:// or, for a path of this application, with a slash.',
        ],
        ['localhost:3000/cb', 'option callbackURL must begin with https://, http:// or a slash.'],
        ['javascript:x', 'option callbackURL must begin with https://, http:// or a slash.'],
        ['ftp://app.example/cb', 'option callbackURL must begin with https://, http:// or a slash.'],
        [' https://app.example/cb', 'option callbackURL contains white space.'],
        ['/c b', 'option callbackURL contains white space.'],
        ['https://app.example/cb#there', 'option callbackURL must not have a fragment.'],
        ['/cb#there', 'option callbackURL must not have a fragment.'],
      ] as const) {
        expect(() => make({ ...CLIENT, callbackURL }), callbackURL).to.throw(TypeError, problem);
      }
    });

    it(`a baseURL that is no https origin is a TypeError of ${title}`, () => {
      for (const baseURL of ['https://app.example', 'https://app.example:8443/', 'http://127.0.0.1:3000']) {
        make({ ...CLIENT, baseURL });
      }
      const origin = 'must be an origin without a path or a query, such as https://your.domain.';
      for (const [baseURL, problem] of [
        ['https://app.example/app', origin],
        ['https://app.example/?a=b', origin],
        ['app.example', 'must be an absolute URL such as https://example.com/path.'],
        ['http://app.example', 'must begin with https:// (http is for a sandbox on this machine only).'],
        [true, 'must be a non-empty string.'],
      ]) {
        expect(() => make({ ...CLIENT, baseURL })).to.throw(TypeError, `option baseURL ${problem}`);
      }
    });

    it(`passReqToCallback and passParamsToCallback of ${title} must be true or false`, () => {
      for (const option of ['passReqToCallback', 'passParamsToCallback']) {
        for (const value of [true, false]) make({ ...CLIENT, [option]: value });
        for (const value of ['true', 1, 0, null]) {
          expect(() => make({ ...CLIENT, [option]: value }), String(value)).to.throw(
            TypeError,
            `option ${option} must be true or false.`,
          );
        }
      }
    });

    it(`customHeaders that would split a request are a TypeError of ${title}`, () => {
      for (const customHeaders of [
        { 'x-app': 'a\r\nx-evil: 1' },
        { 'x-app': 'a\nb' },
        { 'x-app\r\nx-evil': '1' },
        { 'x app': '1' },
        { '': '1' },
      ]) {
        expect(() => make({ ...CLIENT, customHeaders }), JSON.stringify(customHeaders)).to.throw(
          TypeError,
          'option customHeaders has a name or value that no header can have.',
        );
      }
    });
  }
});
