import { expect } from 'chai';
import * as option from '../../../lib/core/options/index.js';
import { collectsWarnings } from '../../support/warnings.js';

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

/** Reads the options of a strategy called `TheStrategy`. */
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
    const names = ['module', 'authPath', 'stage', 'emails', 'constructor', 'toString'];
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

  it('a message has the documented spelling of an option, not the alias', () => {
    expect(() => read({ accessTokenUrl: 'http://n.example/' })).to.throw(TypeError, 'option tokenURL');
  });
});
