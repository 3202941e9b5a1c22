import { inspect } from 'node:util';
import { expect } from 'chai';
import { OptionReader } from '../../../lib/core/options/index.js';

const KNOWN = [
  'clientID',
  'clientSecret',
  'callbackURL',
  'scope',
  'tokenURL',
  'agent',
  'timeout',
  'profileFields',
];
const ALIASES = { clientId: 'clientID', accessTokenUrl: 'tokenURL' };
const NOTES = { email: 'the network has none' };

/** Reads the options of a strategy called `TheStrategy`. */
const reader = (given: unknown) => new OptionReader('TheStrategy', given, KNOWN, ALIASES, NOTES);

describe('OptionReader', () => {
  it('an unknown option that looks like a known one gets a suggestion', () => {
    expect(() => reader({ clientSecert: 'x' })).to.throw(
      TypeError,
      'TheStrategy: option clientSecert is unknown. Did you mean clientSecret?',
    );
    expect(() => reader({ callbackUrl: 'x' })).to.throw(TypeError, 'Did you mean callbackURL?');
    expect(() => reader({ CLIENTID: 'x' })).to.throw(TypeError, 'Did you mean clientID?');
    expect(() => reader({ timeoux: 'x' })).to.throw(TypeError, 'Did you mean timeout?');
  });

  it('an unknown option that looks like none gets the list of options', () => {
    expect(() => reader({ responseModeName: 'x' })).to.throw(
      TypeError,
      `TheStrategy: option responseModeName is unknown. There are ${KNOWN.join(', ')}.`,
    );
  });

  it('an option that the strategy lacks on purpose gets the reason', () => {
    expect(() => reader({ email: true })).to.throw(
      TypeError,
      'TheStrategy: option email is not taken: the network has none.',
    );
  });

  it('an option that is undefined counts as absent, known or not', () => {
    expect(reader({ clientID: undefined, whatever: undefined }).raw('clientID')).to.equal(undefined);
  });

  it('an alias sets the option; two spellings with the same value are accepted', () => {
    expect(reader({ clientId: 'a' }).string('clientID')).to.equal('a');
    expect(reader({ clientId: 'a', clientID: 'a' }).string('clientID')).to.equal('a');
  });

  it('two spellings with different values are a TypeError, in either order', () => {
    expect(() => reader({ clientID: 'a', clientId: 'b' })).to.throw(
      TypeError,
      'TheStrategy: options clientID and clientId are two spellings of one option, and their values differ. Give one of them.',
    );
    expect(() => reader({ clientId: 'b', clientID: 'a' })).to.throw(
      TypeError,
      'TheStrategy: options clientId and clientID are two spellings of one option, and their values differ. Give one of them.',
    );
  });

  it('names of Object.prototype are unknown options', () => {
    expect(() => reader({ constructor: 'x' })).to.throw(TypeError, 'option constructor is unknown');
    expect(() => reader({ toString: 'x' })).to.throw(TypeError, 'option toString is unknown');
    expect(() => reader(JSON.parse('{"__proto__": "x"}'))).to.throw(TypeError, 'option __proto__ is unknown');
  });
});

describe('OptionReader: suggestions for an unknown name', () => {
  const OPTIONS = ['clientID', 'clientSecret', 'callbackURL', 'authorizationURL'];
  const list = 'There are clientID, clientSecret, callbackURL, authorizationURL.';

  for (const [name, suggestion, known = OPTIONS] of [
    // As other libraries call it.
    ...['redirectURI', 'redirectUri', 'redirect_uri', 'redirectURL', 'redirect_url'].map(
      (name) => [name, 'Did you mean callbackURL?'] as const,
    ),
    ['redirectURI', 'There are display_name, avatar_url.', ['display_name', 'avatar_url']],
    ['client_secert', 'Did you mean clientSecret?'],
    ['constructor', list],
  ] as const) {
    it(`${name} of ${known.length} options: ${suggestion}`, () => {
      expect(() => new OptionReader('TheStrategy', { [name]: 'x' }, known, {})).to.throw(
        TypeError,
        `TheStrategy: option ${name} is unknown. ${suggestion}`,
      );
    });
  }
});

describe('OptionReader: values', () => {
  type Read = (options: OptionReader) => unknown;
  const agent = { addRequest() {} };
  const fn = () => {};
  const again = 'Copy it from the network again';
  const id: Read = (options) => options.requiredNumericID('clientID', 'It is the number');

  /** Of each kind: how it is read, what is accepted with its value, and what is not, with the problem. */
  const KINDS: Readonly<
    Record<string, [Read, accepted: readonly [unknown, unknown][], wrong: readonly [unknown, string][]]>
  > = {
    'a string is a non-empty string': [
      (options) => options.string('clientID'),
      [
        ['key', 'key'],
        [undefined, undefined],
      ],
      ['', 7, true, null, {}, ['a']].map((value) => [value, 'must be a non-empty string.']),
    ],
    'a credential has no white space in it or around it': [
      (options) => options.credential('clientID'),
      [['key', 'key']],
      [' key', 'key\n', 'k ey', 'key\t', 'key\u00a0'].map((value) => [
        value,
        `contains white space. ${again}, without spaces or line ends.`,
      ]),
    ],
    'a credential has no lone surrogate': [
      (options) => options.credential('clientID'),
      [['key\ud83c\udf38', 'key\ud83c\udf38']],
      ['\ud800', 'key\ud83c', '\udf38key'].map((value) => [
        value,
        `contains half of a character, which cannot be sent. ${again}.`,
      ]),
    ],
    'a required credential is there, or its mistake says what it is': [
      (options) => options.requiredCredential('clientID', 'It is the key'),
      [['key', 'key']],
      [[undefined, 'is undefined. Is the environment variable set? It is the key.']],
    ],
    'an optional credential may be left out, but not undefined': [
      (options) => options.optionalCredential('clientID'),
      [['key', 'key']],
      [
        [
          undefined,
          'is undefined. Is the environment variable set? Leave the option out where there is none.',
        ],
      ],
    ],
    'a numeric ID is a string, or a whole number that JavaScript does not round': [
      id,
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
        [undefined, 'is undefined. Is the environment variable set? It is the number.'],
        ['51000001\n', 'contains white space.'],
      ],
    ],
    'a boolean is true or false': [
      (options) => options.boolean('clientID'),
      [
        [true, true],
        [false, false],
      ],
      ['true', 1, 0, null, {}].map((value) => [value, 'must be true or false.']),
    ],
    'a list is a string or an array of strings, split at commas and white space, without duplicates': [
      (options) => options.list('clientID'),
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
      (options) =>
        options.names('clientID', ['open_id', 'avatar_url'], { id: 'Leave it out', photo: 'avatar_url' }),
      [['avatar_url', ['avatar_url']]],
      [
        [['avatar_ulr'], "names 'avatar_ulr', which the network does not have. Did you mean avatar_url?"],
        [['id'], "names 'id', which the network does not have. Leave it out."],
        [['photo'], "names 'photo', which the network does not have. The network calls it 'avatar_url'."],
      ],
    ],
    'one of several words is one of them': [
      (options) => options.oneOf('clientID', ['hex', 'base64url']),
      [['hex', 'hex']],
      ['HEX', 1, null].map((value) => [value, "must be one of 'hex', 'base64url'."]),
    ],
    'milliseconds are a positive number that setTimeout accepts': [
      (options) => options.milliseconds('clientID'),
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
      (options) => options.count('clientID'),
      [
        [0, 0],
        [7, 7],
      ],
      [-1, 1.5, Infinity, '7', null].map((value) => [value, 'must be a whole number of at least 0.']),
    ],
    'an agent has the method addRequest': [
      (options) => options.agent('clientID'),
      [[agent, agent]],
      ['http://proxy.example', {}, null, 7].map((value) => [value, 'must be an http.Agent or https.Agent.']),
    ],
    'headers are an object of names and strings; names become lower case': [
      (options) => options.headers('clientID'),
      [
        [{ 'X-App': 'a' }, { 'x-app': 'a' }],
        [undefined, {}],
      ],
      ['x: y', 7, true, { 'x-app': 1 }, { 'x-app': ['a'] }, ['x: y']].map((value) => [
        value,
        'must be an object of header names and strings.',
      ]),
    ],
    'a function is a function': [
      (options) => options.function('clientID'),
      [[fn, fn]],
      [[{}, 'must be a function.']],
    ],
  };
  for (const [title, [read, accepted, wrong]] of Object.entries(KINDS)) {
    it(title, () => {
      for (const [clientID, value] of accepted) expect(read(reader({ clientID }))).to.deep.equal(value);
      for (const [clientID, problem] of wrong) {
        expect(() => read(reader({ clientID })), inspect(clientID)).to.throw(
          TypeError,
          `TheStrategy: option clientID ${problem}`,
        );
      }
    });
  }

  it('a credential that is undefined under another spelling is named as it was spelt', () => {
    expect(reader({}).optionalCredential('clientID')).to.equal(undefined);
    const options = reader({ clientId: undefined });
    for (const read of [() => options.optionalCredential('clientID'), () => id(options)])
      expect(read).to.throw(TypeError, 'option clientId is undefined.');
  });
});

describe('OptionReader: endpoints', () => {
  const endpoint = (tokenURL: unknown) => reader({ tokenURL }).endpoint('tokenURL');

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
    expect(() => reader({ accessTokenUrl: 'http://n.example/' }).endpoint('tokenURL')).to.throw(
      TypeError,
      'option tokenURL',
    );
  });
});
