import { expect } from 'chai';
import type { OptionReader } from '../../lib/core/options.js';
import { reader } from '../support/options.js';

describe('options: kinds of values', () => {
  const mistake = (read: (options: OptionReader) => unknown, given: object, message: string | RegExp) =>
    expect(() => read(reader(given)), JSON.stringify(given)).to.throw(TypeError, message);

  it('a text is a text that is not empty', () => {
    for (const value of ['', 7, true, null, {}, ['a']]) {
      mistake(
        (options) => options.text('clientID'),
        { clientID: value },
        'TheStrategy: option clientID must be a non-empty text.',
      );
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

  it('a credential has no half of a character', () => {
    for (const value of ['\ud800', 'key\ud83c', '\udf38key']) {
      mistake(
        (options) => options.credential('clientID'),
        { clientID: value },
        'TheStrategy: option clientID contains half of a character, which cannot be sent. Copy it from the network again.',
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
      mistake(
        (options) => options.flag('scope'),
        { scope: value },
        'TheStrategy: option scope must be true or false.',
      );
    }
  });

  it('a list is a text or an array of texts, split at commas and spaces, each word once', () => {
    expect(reader({ scope: 'a b,c,, a\nd' }).list('scope')).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(reader({ scope: ['a b', 'c', 'a'] }).list('scope')).to.deep.equal(['a', 'b', 'c']);
    expect(reader({ scope: [] }).list('scope')).to.deep.equal([]);
    expect(reader({ scope: '' }).list('scope')).to.deep.equal([]);
    for (const value of [7, null, {}, ['a', 7], new Set(['a'])]) {
      mistake(
        (options) => options.list('scope'),
        { scope: value },
        'option scope must be a text or an array of texts.',
      );
    }
  });

  it('a list of names takes the network’s names only', () => {
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
      mistake(
        (options) => options.milliseconds('timeout'),
        { timeout: value },
        'option timeout must be a positive number of milliseconds.',
      );
    }
  });

  it('an agent is what schedules requests', () => {
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

  it('headers are an object of names and texts; names are read in lower case', () => {
    expect(reader({ scope: { 'X-App': 'a' } }).headers('scope')).to.deep.equal({ 'x-app': 'a' });
    expect(reader({}).headers('scope')).to.deep.equal({});
    for (const value of ['x: y', 7, true, { 'x-app': 1 }, { 'x-app': ['a'] }, ['x: y']]) {
      mistake(
        (options) => options.headers('scope'),
        { scope: value },
        'option scope must be an object of header names and texts.',
      );
    }
  });

  it('a function is a function', () => {
    const fn = () => {};
    expect(reader({ scope: fn }).callable('scope')).to.equal(fn);
    mistake((options) => options.callable('scope'), { scope: {} }, 'option scope must be a function.');
  });
});
