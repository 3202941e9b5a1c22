import { inspect } from 'node:util';
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

  it('that are undefined are left out, known or not', async () => {
    const names = [...Object.keys(TABLE), 'clientId', 'clientSecert', 'whatever'];
    const settings = read(Object.fromEntries(names.map((name) => [name, undefined])));
    expect(Object.values(settings).filter((setting) => setting !== undefined)).to.deep.equal([5_000]);
    expect(await warnings.texts()).to.deep.equal([]);
  });

  it('can have another spelling; two spellings with the same value are accepted, and with different ones a mistake', () => {
    expect(read({ clientId: 'a' }).clientID).to.equal('a');
    expect(read({ clientId: 'a', clientID: 'a' }).clientID).to.equal('a');
    expect(read({ clientId: undefined, consumerKey: 'a' }).clientID).to.equal('a');
    for (const [one, other] of [
      ['clientID', 'clientId'],
      ['clientId', 'clientID'],
    ] as const) {
      expect(() => read({ [one]: 'a', [other]: 'b' })).to.throw(
        TypeError,
        `TheStrategy: options ${one} and ${other} are two spellings of one option, and their values differ. Give one of them.`,
      );
    }
  });

  it('that must be given are named as they are spelt, with what they are', () => {
    const table = { clientID: option.required(option.text, 'It is the key', 'clientId') };
    const make = (given: object) => () => option.readOptions('TheStrategy', given, table);
    expect(make({})).to.throw(TypeError, 'TheStrategy: option clientID is required. It is the key.');
    expect(make({ clientId: undefined })).to.throw(
      TypeError,
      'option clientId is undefined. Is the environment variable set? It is the key.',
    );
  });
});

describe('the values of options', () => {
  const agent = { addRequest() {} };
  const fn = () => {};
  const again = 'Copy it from the network again';

  /** Of each kind: what is accepted, with its setting, and what is not, with the problem. */
  const KINDS: Readonly<
    Record<
      string,
      [option.Kind<unknown>, accepted: readonly [unknown, unknown][], wrong: readonly [unknown, string][]]
    >
  > = {
    'a string is a non-empty string': [
      option.text,
      [
        ['key', 'key'],
        [undefined, undefined],
      ],
      ['', ' \n', 7, true, null, {}, ['a']].map((value) => [value, 'must be a non-empty string.']),
    ],
    'a credential has no white space in it or around it': [
      option.credential,
      [['key', 'key']],
      [' key', 'key\n', 'k ey', 'key\t', 'key\u00a0'].map((value) => [
        value,
        `contains white space. ${again}, without spaces or line ends.`,
      ]),
    ],
    'a credential has no lone surrogate': [
      option.credential,
      [['key\ud83c\udf38', 'key\ud83c\udf38']],
      ['\ud800', 'key\ud83c', '\udf38key'].map((value) => [
        value,
        `contains half of a character, which cannot be sent. ${again}.`,
      ]),
    ],
    'a numeric ID is a string, or a whole number that JavaScript does not round': [
      option.numericID,
      [
        ['51000001', '51000001'],
        ['a-key', 'a-key'],
        [51_000_001, '51000001'],
        [1, '1'],
        [Number.MAX_SAFE_INTEGER, '9007199254740991'],
      ],
      [
        ...[Number.NaN, Infinity, 0, -0, -7, 1.5, 2 ** 53, 1e300, 7n, true, null, [7], ''].map(
          (value): [unknown, string] => [value, 'must be a non-empty string.'],
        ),
        ['51000001\n', 'contains white space.'],
      ],
    ],
    'a boolean is true or false': [
      option.flag,
      [
        [true, true],
        [false, false],
      ],
      ['true', 1, 0, null, {}].map((value) => [value, 'must be true or false.']),
    ],
    'a list is a string or an array of strings, split at commas and white space, without duplicates': [
      option.list,
      [
        ['a b,c,, a\nd', ['a', 'b', 'c', 'd']],
        [
          ['a b', 'c', 'a'],
          ['a', 'b', 'c'],
        ],
        [[], []],
        ['', undefined],
        [null, undefined],
      ],
      [7, {}, ['a', 7], new Set(['a'])].map((value) => [value, 'must be a string or an array of strings.']),
    ],
    'a list of names has only names that the network documents': [
      option.namesOf(['open_id', 'avatar_url'], { id: 'Leave it out', photo: 'avatar_url' }),
      [['avatar_url', ['avatar_url']]],
      [
        [['avatar_ulr'], "names 'avatar_ulr', which the network does not have. Did you mean avatar_url?"],
        [['id'], "names 'id', which the network does not have. Leave it out."],
        [['photo'], "names 'photo', which the network does not have. The network calls it 'avatar_url'."],
      ],
    ],
    'one of several words is one of them': [
      option.oneOf('hex', 'base64url'),
      [['hex', 'hex']],
      ['HEX', 1, null].map((value) => [value, "must be one of 'hex', 'base64url'."]),
    ],
    'milliseconds are a positive number that setTimeout accepts': [
      option.milliseconds,
      [
        [0.5, 0.5],
        [2_147_483_647, 2_147_483_647],
      ],
      [0, -1, Number.NaN, Infinity, 2_147_483_648, '100', null, {}].map((value) => [
        value,
        'must be a positive number of milliseconds.',
      ]),
    ],
    'a count is a whole number': [
      option.count,
      [
        [0, 0],
        [7, 7],
      ],
      [-1, 1.5, Infinity, '7', null].map((value) => [value, 'must be a whole number of at least 0.']),
    ],
    'an agent has the method addRequest': [
      option.agent,
      [[agent, agent]],
      ['http://proxy.example', {}, null, 7].map((value) => [value, 'must be an http.Agent or https.Agent.']),
    ],
    'headers are an object of names and strings; names become lower case': [
      option.headers,
      [
        [{ 'X-App': 'a' }, { 'x-app': 'a' }],
        [null, undefined],
      ],
      ['x: y', 7, true, { 'x-app': 1 }, { 'x-app': ['a'] }, ['x: y']].map((value) => [
        value,
        'must be an object of header names and strings.',
      ]),
    ],
    'a function is a function': [option.callable(), [[fn, fn]], [[{}, 'must be a function.']]],
  };
  for (const [title, [kind, accepted, wrong]] of Object.entries(KINDS)) {
    const make = (clientID: unknown) =>
      option.readOptions('TheStrategy', { clientID }, { clientID: option.optional(kind) }).clientID;
    it(title, () => {
      for (const [value, setting] of accepted) expect(make(value)).to.deep.equal(setting);
      for (const [value, problem] of wrong) {
        expect(() => make(value), inspect(value)).to.throw(
          TypeError,
          `TheStrategy: option clientID ${problem}`,
        );
      }
    });
  }
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
