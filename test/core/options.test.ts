import { expect } from 'chai';
import { isLoopback, parseURL } from '../../lib/core/hosts.js';
import * as option from '../../lib/core/options/index.js';
import { ShortVideoStrategy, SocialNetworkStrategy } from '../../lib/index.js';
import { redirectOf } from '../support/attempt.js';
import { collectsWarnings } from '../support/warnings.js';

const TABLE = {
  clientID: option.optional(option.text, 'clientId', 'consumerKey'),
  clientSecret: option.optional(option.text),
  callbackURL: option.optional(option.text),
  tokenURL: option.optional(option.endpoint, 'accessTokenUrl'),
  timeout: option.withDefault(option.milliseconds, 5_000),
  state: option.constant([true], 'is always on'),
  email: option.notTaken('the network has none'),
  provider: option.notTaken('give it at the start', (value) => value === 'ours'),
};

const read = (given: unknown) => option.readOptions('TheStrategy', given, TABLE);

describe('the options of a strategy', () => {
  const warnings = collectsWarnings();

  it('that look like a known one are a mistake that names it, whatever others call it', () => {
    for (const [name, meant] of Object.entries({
      clientSecert: 'clientSecret',
      client_secert: 'clientSecret',
      callbackUrl: 'callbackURL',
      CLIENTID: 'clientID',
      timeoux: 'timeout',
      consumer_key: 'consumerKey',
      redirectURI: 'callbackURL',
      redirectUri: 'callbackURL',
      redirect_uri: 'callbackURL',
      redirectURL: 'callbackURL',
      redirect_url: 'callbackURL',
    })) {
      expect(() => read({ [name]: 'x' }), name).to.throw(
        TypeError,
        `TheStrategy: option ${name} is unknown. Did you mean ${meant}?`,
      );
    }
  });

  it('that look like none are ignored with one warning, also those that look like one that sets nothing', async () => {
    const names = ['module', 'authPath', 'stage', 'emails', 'failureRedirectURL', 'constructor', 'toString'];
    const given: unknown = JSON.parse(`{"clientID": "a", "__proto__": "x", "${names.join('": 1, "')}": 1}`);
    expect(read(given)).to.include({ clientID: 'a', timeout: 5_000 }).and.have.all.keys(Object.keys(TABLE));
    expect(await warnings.texts()).to.deep.equal([
      `TheStrategy has no option __proto__, ${names.join(', ')}, and ignores what it does not know. What is meant for passport.authenticate, such as session, has to be given there.`,
    ]);
  });

  it('that the strategy lacks on purpose are a mistake with the reason, unless they are empty or meant for others', async () => {
    const mistake = 'TheStrategy: option email is not taken: the network has none.';
    expect(() => read({ email: true })).to.throw(TypeError, mistake);
    expect(() => read({ state: false })).to.throw(TypeError, 'TheStrategy: option state is always on.');
    expect(() => read({ provider: 'ours' })).to.throw(TypeError, 'option provider is not taken: give it');
    read({ email: '', state: true });
    expect(await warnings.texts()).to.deep.equal([]);
    read({ provider: 'theirs' });
    expect((await warnings.texts()).join()).to.include('TheStrategy has no option provider, and');
  });
});

describe('the URLs of options', () => {
  const endpoint = (tokenURL: unknown) => read({ tokenURL }).tokenURL;

  it('T1: https URLs, and http ones on this machine, are accepted unchanged', () => {
    for (const url of [
      'https://n.example/token/?v=1',
      'http://127.0.0.1:3000/token',
      'http://localhost/token',
      'http://[::1]:80/token',
      'https://n.example/token?next=https:there//and/',
    ]) {
      expect(endpoint(url)).to.equal(url);
    }
  });

  const REJECTED: Readonly<Record<string, readonly string[]>> = {
    'must begin with https:// (http is for a sandbox on this machine only)': [
      'http://n.example/token',
      'HTTP://EXAMPLE.COM/token',
      'http://localhost.example.com/token',
      'http://0.0.0.0/token',
      'http://[::2]/token',
      // A resolver may ask DNS for it.
      'http://n.localhost/token',
      'http://127.0.0.1.example/token',
      'http://10.0.0.1/token',
      'ftp://127.0.0.1/token',
      'file:///token',
      'javascript:alert(1)',
    ],
    'must be an absolute URL such as https://example.com/path': [
      '/token',
      'n.example/token',
      'https://',
      'https:///token',
      ' https://n.example/token',
      'https://n.example/to\tken',
      'https:n.example/token',
      'http:/n.example/token',
      'https:\\\\n.example/token',
      '//n.example/token',
    ],
    'must hold neither a user name, nor a password, nor a fragment': [
      'https://user@n.example/',
      'https://user:pass@n.example/',
      'https://n.example/#x',
    ],
  };
  for (const [problem, urls] of Object.entries(REJECTED)) {
    it(`T1: a URL ${problem}`, () => {
      for (const url of urls) {
        expect(() => endpoint(url), url).to.throw(TypeError, `TheStrategy: option tokenURL ${problem}.`);
      }
    });
  }
});

describe('hosts', () => {
  it('T1: this machine is localhost, its subdomains, 127.0.0.0/8 and [::1]; other hosts only look like it', () => {
    const own = 'localhost app.localhost 127.0.0.1 127.255.0.9 [::1] 0x7f.1 LOCALHOST';
    const others = 'localhost.example 127.0.0.1.example notlocalhost 128.0.0.1 [::2] 10.0.0.1 0.0.0.0';
    const isOwn = (host: string) => isLoopback(new URL(`http://${host}/`));
    for (const host of own.split(' ')) expect(isOwn(host), host).to.equal(true);
    for (const host of others.split(' ')) expect(isOwn(host), host).to.equal(false);
  });

  it('a URL with a letter beyond ASCII is one, however often it is parsed', () => {
    // Node 20 compiles a function that is called often, and its URL.canParse then denies such URLs.
    let denied = 0;
    for (let time = 0; time < 20_000; time += 1) if (!parseURL('https://münchen.example/')) denied += 1;
    expect(denied).to.equal(0);
    for (const none of ['', '/path', 'https://', 'https://a b/']) expect(parseURL(none)).to.equal(undefined);
  });
});

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

  it('adds no option, and does not replace a missing one', async () => {
    Object.assign(prototype, POLLUTION);
    expect(() => new ShortVideoStrategy({ clientSecret: 'the-secret' } as never, never)).to.throw(
      TypeError,
      'ShortVideoStrategy: option clientID is required.',
    );
    const strategy = new ShortVideoStrategy(CLIENT, never);
    const location = await redirectOf(strategy);
    expect(location.origin + location.pathname).to.equal('https://www.tiktok.com/v2/auth/authorize/');
    expect(location.searchParams.get('client_key')).to.equal('the-client');
    expect(location.searchParams.get('redirect_uri')).to.equal(
      'https://app.example/api/auth/callback/short-video',
    );
    expect(location.searchParams.get('scope')).to.equal('user.info.basic');
  });
});
