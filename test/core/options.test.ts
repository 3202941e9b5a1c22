import { expect } from 'chai';
import { KNOWN, reader } from '../support/options.js';

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
