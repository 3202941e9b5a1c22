import { expect } from 'chai';
import { OptionReader } from '../../lib/core/options.js';

const KNOWN = ['clientID', 'clientSecret', 'callbackURL', 'scope', 'tokenURL', 'agent', 'timeout', 'profileFields'];
const ALIASES = { clientId: 'clientID', accessTokenUrl: 'tokenURL' };
const NOTES = { email: 'the network has none' };
const reader = (given: unknown) => new OptionReader('TheStrategy', given, KNOWN, ALIASES, NOTES);

describe('options', () => {
  it('no options object at all is a mistake that says what is expected', () => {
    for (const given of [undefined, null, 'text', 7, [], () => {}]) {
      expect(() => reader(given), String(given)).to.throw(
        TypeError,
        'TheStrategy requires an options object as its first argument: { clientID, clientSecret, ... }',
      );
    }
  });

  it('an unknown option gets a suggestion when it looks like a known one', () => {
    expect(() => reader({ clientSecert: 'x' })).to.throw(
      TypeError,
      'TheStrategy: option clientSecert is unknown. Did you mean clientSecret?',
    );
    expect(() => reader({ callbackUrl: 'x' })).to.throw(TypeError, 'Did you mean callbackURL?');
    expect(() => reader({ CLIENTID: 'x' })).to.throw(TypeError, 'Did you mean clientID?');
  });

  it('an unknown option that looks like none gets the list', () => {
    expect(() => reader({ responseModeName: 'x' })).to.throw(
      TypeError,
      `TheStrategy: option responseModeName is unknown. There are ${KNOWN.join(', ')}.`,
    );
  });

  it('an option that the network deliberately lacks says why', () => {
    expect(() => reader({ email: true })).to.throw(
      TypeError,
      'TheStrategy: option email is not taken: the network has none.',
    );
  });

  it('an option that is undefined counts as left out, known or not', () => {
    expect(reader({ clientID: undefined, whatever: undefined }).raw('clientID')).to.equal(undefined);
  });

  it('another spelling means the option; two spellings that agree are fine', () => {
    expect(reader({ clientId: 'a' }).text('clientID')).to.equal('a');
    expect(reader({ clientId: 'a', clientID: 'a' }).text('clientID')).to.equal('a');
  });

  it('two spellings that differ are a mistake, in either order', () => {
    expect(() => reader({ clientID: 'a', clientId: 'b' })).to.throw(
      TypeError,
      'TheStrategy: option clientId is another spelling of clientID, and the two differ. Give one of them.',
    );
    expect(() => reader({ clientId: 'b', clientID: 'a' })).to.throw(TypeError, 'and the two differ');
  });

  it('names like those of Object.prototype are unknown options', () => {
    expect(() => reader({ constructor: 'x' })).to.throw(TypeError, 'option constructor is unknown');
    expect(() => reader({ toString: 'x' })).to.throw(TypeError, 'option toString is unknown');
    expect(() => reader(JSON.parse('{"__proto__": "x"}'))).to.throw(TypeError, 'option __proto__ is unknown');
  });

  it('frozen options are read, and never written to', () => {
    const given = Object.freeze({ clientID: 'a', scope: Object.freeze(['x', 'y']) });
    expect(reader(given).list('scope')).to.deep.equal(['x', 'y']);
    expect(given).to.deep.equal({ clientID: 'a', scope: ['x', 'y'] });
  });
});

describe('options: kinds of values', () => {
  const mistake = (read: (options: OptionReader) => unknown, given: object, message: string | RegExp) =>
    expect(() => read(reader(given)), JSON.stringify(given)).to.throw(TypeError, message);

  it('a text is a text that is not empty', () => {
    for (const value of ['', 7, true, null, {}, ['a']]) {
      mistake((options) => options.text('clientID'), { clientID: value }, 'TheStrategy: option clientID must be a non-empty text.');
    }
  });

  it('a credential has no white space in or around it', () => {
    for (const value of [' key', 'key\n', 'k ey', 'key\t', 'key\u00a0']) {
      mistake(
        (options) => options.credential('clientID'),
        { clientID: value },
        'TheStrategy: option clientID contains white space. Copy it from the network again, without spaces or line ends.',
      );
    }
  });

  it('a required credential that is missing says what it is', () => {
    mistake(
      (options) => options.requiredCredential('clientID', 'It is the key'),
      {},
      'TheStrategy: option clientID is required. It is the key.',
    );
  });

  it('a flag is true or false', () => {
    expect(reader({ scope: false }).flag('scope')).to.equal(false);
    for (const value of ['true', 1, 0, null, {}]) {
      mistake((options) => options.flag('scope'), { scope: value }, 'TheStrategy: option scope must be true or false.');
    }
  });

  it('a list is a text or an array of texts, split at commas and spaces, each word once', () => {
    expect(reader({ scope: 'a b,c,, a\nd' }).list('scope')).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(reader({ scope: ['a b', 'c', 'a'] }).list('scope')).to.deep.equal(['a', 'b', 'c']);
    expect(reader({ scope: [] }).list('scope')).to.deep.equal([]);
    expect(reader({ scope: '' }).list('scope')).to.deep.equal([]);
    for (const value of [7, null, {}, ['a', 7], new Set(['a'])]) {
      mistake((options) => options.list('scope'), { scope: value }, 'option scope must be a text or an array of texts.');
    }
  });

  it('a list of names takes the network’s names only', () => {
    const known = ['open_id', 'avatar_url'];
    expect(reader({ profileFields: 'avatar_url' }).names('profileFields', known)).to.deep.equal(['avatar_url']);
    mistake(
      (options) => options.names('profileFields', known),
      { profileFields: ['avatar_ulr'] },
      "option profileFields names 'avatar_ulr', which the network does not have. Did you mean avatar_url?",
    );
  });

  it('one of several words is one of them', () => {
    expect(reader({ scope: 'hex' }).oneOf('scope', ['hex', 'base64url'])).to.equal('hex');
    for (const value of ['HEX', 1, null]) {
      mistake(
        (options) => options.oneOf('scope', ['hex', 'base64url']),
        { scope: value },
        "option scope must be one of 'hex', 'base64url'.",
      );
    }
  });

  it('milliseconds are a positive number that a timer can count', () => {
    expect(reader({ timeout: 0.5 }).milliseconds('timeout')).to.equal(0.5);
    expect(reader({ timeout: 2_147_483_647 }).milliseconds('timeout')).to.equal(2_147_483_647);
    for (const value of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2_147_483_648, '100', null, {}]) {
      mistake((options) => options.milliseconds('timeout'), { timeout: value }, 'option timeout must be a positive number of milliseconds.');
    }
  });

  it('an agent is what schedules requests', () => {
    const agent = { addRequest() {} };
    expect(reader({ agent }).agent('agent')).to.equal(agent);
    for (const value of ['http://proxy.example', {}, null, 7]) {
      mistake((options) => options.agent('agent'), { agent: value }, 'option agent must be an http.Agent or https.Agent.');
    }
  });

  it('headers are an object of names and texts; names are read in lower case', () => {
    expect(reader({ scope: { 'X-App': 'a' } }).headers('scope')).to.deep.equal({ 'x-app': 'a' });
    expect(reader({}).headers('scope')).to.deep.equal({});
    for (const value of ['x: y', 7, true, { 'x-app': 1 }, { 'x-app': ['a'] }, ['x: y']]) {
      mistake((options) => options.headers('scope'), { scope: value }, 'option scope must be an object of header names and texts.');
    }
  });

  it('a function is a function', () => {
    const fn = () => {};
    expect(reader({ scope: fn }).callable('scope')).to.equal(fn);
    mistake((options) => options.callable('scope'), { scope: {} }, 'option scope must be a function.');
  });
});

describe('options: addresses', () => {
  const endpoint = (tokenURL: unknown) => reader({ tokenURL }).endpoint('tokenURL');

  it('T1: https addresses, and http ones on this machine, are taken as they are', () => {
    for (const address of [
      'https://n.example/token/?v=1',
      'http://127.0.0.1:3000/token',
      'http://localhost/token',
      'http://[::1]:80/token',
      'http://n.localhost/token',
    ]) {
      expect(endpoint(address)).to.equal(address);
    }
  });

  it('T1: http beyond this machine, and other protocols, are mistakes', () => {
    for (const address of [
      'http://n.example/token',
      'http://127.0.0.1.example/token',
      'http://10.0.0.1/token',
      'ftp://127.0.0.1/token',
      'file:///token',
      'javascript:alert(1)',
    ]) {
      expect(() => endpoint(address), address).to.throw(
        TypeError,
        'TheStrategy: option tokenURL must begin with https:// (http is for a sandbox on this machine only).',
      );
    }
  });

  it('what is no absolute address is a mistake', () => {
    for (const address of ['/token', 'n.example/token', 'https://', '//n.example/token']) {
      expect(() => endpoint(address), address).to.throw(TypeError, 'must be an absolute address such as https://example.com/path');
    }
  });

  it('user names, passwords and fragments are mistakes', () => {
    for (const address of ['https://user@n.example/', 'https://user:pass@n.example/', 'https://n.example/#x']) {
      expect(() => endpoint(address), address).to.throw(
        TypeError,
        'option tokenURL must hold neither a user name, nor a password, nor a fragment.',
      );
    }
  });

  it('the spelling in a message is the one of the documentation', () => {
    expect(() => reader({ accessTokenUrl: 'http://n.example/' }).endpoint('tokenURL')).to.throw(TypeError, 'option tokenURL');
  });
});
