import { expect } from 'chai';
import {
  exactIdentifier,
  isObject,
  parseJSON,
  property,
  stringProperty,
} from '../../../lib/core/http/index.js';

describe('JSON: properties', () => {
  it('only own properties are read', () => {
    expect(property({ a: 1 }, 'a')).to.equal(1);
    expect(property({}, 'constructor')).to.equal(undefined);
    expect(property(JSON.parse('{"__proto__":{"id":"x"}}'), 'id')).to.equal(undefined);
    for (const value of [null, undefined, 'text', 7, ['a']])
      expect(property(value, 'length')).to.equal(undefined);
  });

  it('a string property is a non-empty string', () => {
    expect(stringProperty({ a: 'x' }, 'a')).to.equal('x');
    for (const a of ['', 7, null, true, {}, ['x']]) expect(stringProperty({ a }, 'a')).to.equal(undefined);
  });

  it('neither null nor an array is an object', () => {
    expect([{}, { a: 1 }, null, [], 'x', undefined].map(isObject)).to.deep.equal([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('text that is not JSON is undefined', () => {
    expect(parseJSON('{"a":1}')).to.deep.equal({ a: 1 });
    for (const text of ['', '{', 'undefined', 'a=1', '<html>']) expect(parseJSON(text)).to.equal(undefined);
  });
});

describe('JSON: exactIdentifier', () => {
  const id = (text: string) =>
    exactIdentifier({ text, body: parseJSON(text) }, (parsed) => property(parsed, 'id'));

  it('S3: 2^53+1, and longer numbers, keep every digit', () => {
    expect(id('{"id":9007199254740993}')).to.equal('9007199254740993');
    expect(id('{"id":1823456789012345679}')).to.equal('1823456789012345679');
    expect(id('{"id":123456789012345678901234567890}')).to.equal('123456789012345678901234567890');
  });

  it('small numbers and strings are taken as they are', () => {
    expect(id('{"id":1}')).to.equal('1');
    expect(id('{"id":0}')).to.equal('0');
    expect(id('{"id":-5}')).to.equal('-5');
    expect(id('{"id":9007199254740991}')).to.equal('9007199254740991');
    expect(id('{"id":"007"}')).to.equal('007');
    expect(id('{"id":"-0Xq"}')).to.equal('-0Xq');
  });

  it('S3: anything but a whole number or a string is no ID', () => {
    for (const value of [
      '""',
      'null',
      'true',
      '{}',
      '[1]',
      '1.5',
      '1e3000',
      '1e20',
      '1.0',
      '9007199254740990.7',
      '1.00000000000000000001',
      '4503599627370496.4',
      '1e0',
    ]) {
      expect([value, id(`{"id":${value}}`)]).to.deep.equal([value, undefined]);
    }
    expect(id('{}')).to.equal(undefined);
    expect(id('not JSON')).to.equal(undefined);
  });

  it('digits inside strings stay, whatever is around them', () => {
    const text = '{"name":"id\\":12345678901234567890,","id":9007199254740993,"n":"12345678901234567890"}';
    const parsed: unknown[] = [];
    expect(
      exactIdentifier({ text, body: parseJSON(text) }, (body) => parsed.push(body) && property(body, 'id')),
    ).to.equal('9007199254740993');
    expect(parsed).to.deep.equal([
      { name: 'id":12345678901234567890,', id: '9007199254740993', n: '12345678901234567890' },
    ]);
  });
});
