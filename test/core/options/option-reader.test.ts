import { expect } from 'chai';
import { OptionReader } from '../../../lib/core/options/index.js';
import { KNOWN, reader } from '../../support/options.js';
import { thrownBy } from '../../support/thrown.js';

describe('OptionReader', () => {
  it('anything but an options object is a TypeError that says what is expected', () => {
    for (const given of [undefined, null, 'text', 7, [], () => {}]) {
      expect(() => reader(given), String(given)).to.throw(
        TypeError,
        'TheStrategy requires an options object as its first argument: { clientID, clientSecret, ... }',
      );
    }
  });

  it('an unknown option that looks like a known one gets a suggestion', () => {
    expect(() => reader({ clientSecert: 'x' })).to.throw(
      TypeError,
      'TheStrategy: option clientSecert is unknown. Did you mean clientSecret?',
    );
    expect(() => reader({ callbackUrl: 'x' })).to.throw(TypeError, 'Did you mean callbackURL?');
    expect(() => reader({ CLIENTID: 'x' })).to.throw(TypeError, 'Did you mean clientID?');
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

  it('frozen options are read, and never changed', () => {
    const given = Object.freeze({ clientID: 'a', scope: Object.freeze(['x', 'y']) });
    expect(reader(given).list('scope')).to.deep.equal(['x', 'y']);
    expect(given).to.deep.equal({ clientID: 'a', scope: ['x', 'y'] });
  });
});

describe('OptionReader: suggestions for an unknown name', () => {
  const OPTIONS = ['clientID', 'clientSecret', 'callbackURL', 'authorizationURL'];
  const problemOf = (name: string, known: readonly string[]) =>
    String(thrownBy(() => new OptionReader('TheStrategy', { [name]: 'x' }, known, {})));

  for (const name of ['redirectURI', 'redirectUri', 'redirect_uri', 'redirectURL', 'redirect_url']) {
    it(`${name}, as other libraries call it, is callbackURL`, () => {
      expect(problemOf(name, OPTIONS)).to.equal(
        `TypeError: TheStrategy: option ${name} is unknown. Did you mean callbackURL?`,
      );
    });
  }

  it('a name of another library is not suggested if the strategy lacks the option', () => {
    expect(problemOf('redirectURI', ['display_name', 'avatar_url'])).to.equal(
      'TypeError: TheStrategy: option redirectURI is unknown. There are display_name, avatar_url.',
    );
  });

  it('a misspelt name gets the nearest one', () => {
    expect(problemOf('client_secert', OPTIONS)).to.equal(
      'TypeError: TheStrategy: option client_secert is unknown. Did you mean clientSecret?',
    );
  });

  it('a name that is like none gets the whole list', () => {
    expect(problemOf('constructor', OPTIONS)).to.equal(
      'TypeError: TheStrategy: option constructor is unknown. There are clientID, clientSecret, callbackURL, authorizationURL.',
    );
  });
});

describe('OptionReader: values', () => {
  const mistake = (read: (options: OptionReader) => unknown, given: object, message: string | RegExp) =>
    expect(() => read(reader(given)), JSON.stringify(given)).to.throw(TypeError, message);

  it('a string is a non-empty string', () => {
    for (const value of ['', 7, true, null, {}, ['a']]) {
      mistake(
        (options) => options.string('clientID'),
        { clientID: value },
        'TheStrategy: option clientID must be a non-empty string.',
      );
    }
  });

  it('a credential has no white space in it or around it', () => {
    for (const value of [' key', 'key\n', 'k ey', 'key\t', 'key\u00a0']) {
      mistake(
        (options) => options.credential('clientID'),
        { clientID: value },
        'TheStrategy: option clientID contains white space. Copy it from the network again, without spaces or line ends.',
      );
    }
  });

  it('a credential has no lone surrogate', () => {
    for (const value of ['\ud800', 'key\ud83c', '\udf38key']) {
      mistake(
        (options) => options.credential('clientID'),
        { clientID: value },
        'TheStrategy: option clientID contains half of a character, which cannot be sent. Copy it from the network again.',
      );
    }
  });

  it('a missing required credential is a TypeError that says what it is', () => {
    mistake(
      (options) => options.requiredCredential('clientID', 'It is the key'),
      {},
      'TheStrategy: option clientID is required. It is the key.',
    );
  });

  it('a numeric ID may be a string, or a whole number that JavaScript does not round', () => {
    const idOf = (clientID: unknown) =>
      reader({ clientID }).requiredNumericID('clientID', 'It is the number');
    expect(idOf('51000001')).to.equal('51000001');
    expect(idOf('a-key')).to.equal('a-key');
    expect(idOf(51_000_001)).to.equal('51000001');
    expect(idOf(1)).to.equal('1');
    expect(idOf(Number.MAX_SAFE_INTEGER)).to.equal('9007199254740991');
    const { NaN: notANumber, POSITIVE_INFINITY } = Number;
    for (const value of [
      notANumber,
      POSITIVE_INFINITY,
      0,
      -0,
      -7,
      1.5,
      2 ** 53,
      1e300,
      7n,
      true,
      null,
      [7],
      '',
    ]) {
      expect(() => idOf(value), String(value)).to.throw(
        TypeError,
        'TheStrategy: option clientID must be a non-empty string.',
      );
    }
    expect(() => idOf(undefined)).to.throw(
      TypeError,
      'TheStrategy: option clientID is required. It is the number.',
    );
    expect(() => idOf('51000001\n')).to.throw(TypeError, 'option clientID contains white space.');
  });

  it('an optional credential may be absent, but not undefined under either spelling', () => {
    expect(reader({}).optionalCredential('clientID')).to.equal(undefined);
    expect(reader({ clientID: 'key' }).optionalCredential('clientID')).to.equal('key');
    for (const given of [{ clientID: undefined }, { clientId: undefined }]) {
      mistake(
        (options) => options.optionalCredential('clientID'),
        given,
        'TheStrategy: option clientID is undefined. Is the environment variable set? Leave the option out where there is none.',
      );
    }
  });

  it('a boolean is true or false', () => {
    expect(reader({ scope: false }).boolean('scope')).to.equal(false);
    for (const value of ['true', 1, 0, null, {}]) {
      mistake(
        (options) => options.boolean('scope'),
        { scope: value },
        'TheStrategy: option scope must be true or false.',
      );
    }
  });

  it('a list is a string or an array of strings, split at commas and white space, without duplicates', () => {
    expect(reader({ scope: 'a b,c,, a\nd' }).list('scope')).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(reader({ scope: ['a b', 'c', 'a'] }).list('scope')).to.deep.equal(['a', 'b', 'c']);
    expect(reader({ scope: [] }).list('scope')).to.deep.equal([]);
    expect(reader({ scope: '' }).list('scope')).to.deep.equal([]);
    for (const value of [7, null, {}, ['a', 7], new Set(['a'])]) {
      mistake(
        (options) => options.list('scope'),
        { scope: value },
        'option scope must be a string or an array of strings.',
      );
    }
  });

  it('a list of names accepts only names that the network documents', () => {
    const known = ['open_id', 'avatar_url'];
    expect(reader({ profileFields: 'avatar_url' }).names('profileFields', known)).to.deep.equal([
      'avatar_url',
    ]);
    mistake(
      (options) => options.names('profileFields', known),
      { profileFields: ['avatar_ulr'] },
      "option profileFields names 'avatar_ulr', which the network does not have. Did you mean avatar_url?",
    );
  });

  it('oneOf accepts only the given words', () => {
    expect(reader({ scope: 'hex' }).oneOf('scope', ['hex', 'base64url'])).to.equal('hex');
    for (const value of ['HEX', 1, null]) {
      mistake(
        (options) => options.oneOf('scope', ['hex', 'base64url']),
        { scope: value },
        "option scope must be one of 'hex', 'base64url'.",
      );
    }
  });

  it('milliseconds are a positive number that setTimeout accepts', () => {
    expect(reader({ timeout: 0.5 }).milliseconds('timeout')).to.equal(0.5);
    expect(reader({ timeout: 2_147_483_647 }).milliseconds('timeout')).to.equal(2_147_483_647);
    for (const value of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2_147_483_648, '100', null, {}]) {
      mistake(
        (options) => options.milliseconds('timeout'),
        { timeout: value },
        'option timeout must be a positive number of milliseconds.',
      );
    }
  });

  it('an agent has the method addRequest', () => {
    const agent = { addRequest() {} };
    expect(reader({ agent }).agent('agent')).to.equal(agent);
    for (const value of ['http://proxy.example', {}, null, 7]) {
      mistake(
        (options) => options.agent('agent'),
        { agent: value },
        'option agent must be an http.Agent or https.Agent.',
      );
    }
  });

  it('headers are an object of names and strings; names become lower case', () => {
    expect(reader({ scope: { 'X-App': 'a' } }).headers('scope')).to.deep.equal({ 'x-app': 'a' });
    expect(reader({}).headers('scope')).to.deep.equal({});
    for (const value of ['x: y', 7, true, { 'x-app': 1 }, { 'x-app': ['a'] }, ['x: y']]) {
      mistake(
        (options) => options.headers('scope'),
        { scope: value },
        'option scope must be an object of header names and strings.',
      );
    }
  });

  it('a function option must be a function', () => {
    const fn = () => {};
    expect(reader({ scope: fn }).function('scope')).to.equal(fn);
    mistake((options) => options.function('scope'), { scope: {} }, 'option scope must be a function.');
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
      'http://n.localhost/token',
    ]) {
      expect(endpoint(url)).to.equal(url);
    }
  });

  it('T1: http on another machine, and other protocols, are TypeErrors', () => {
    for (const url of [
      'http://n.example/token',
      'http://127.0.0.1.example/token',
      'http://10.0.0.1/token',
      'ftp://127.0.0.1/token',
      'file:///token',
      'javascript:alert(1)',
    ]) {
      expect(() => endpoint(url), url).to.throw(
        TypeError,
        'TheStrategy: option tokenURL must begin with https:// (http is for a sandbox on this machine only).',
      );
    }
  });

  it('anything but an absolute URL is a TypeError', () => {
    for (const url of ['/token', 'n.example/token', 'https://', '//n.example/token']) {
      expect(() => endpoint(url), url).to.throw(
        TypeError,
        'must be an absolute URL such as https://example.com/path',
      );
    }
  });

  it('user names, passwords and fragments are TypeErrors', () => {
    for (const url of ['https://user@n.example/', 'https://user:pass@n.example/', 'https://n.example/#x']) {
      expect(() => endpoint(url), url).to.throw(
        TypeError,
        'option tokenURL must hold neither a user name, nor a password, nor a fragment.',
      );
    }
  });

  it('a message has the documented spelling of an option, not the alias', () => {
    expect(() => reader({ accessTokenUrl: 'http://n.example/' }).endpoint('tokenURL')).to.throw(
      TypeError,
      'option tokenURL',
    );
  });
});
