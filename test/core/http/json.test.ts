import { expect } from 'chai';
import {
  errorCode,
  exactIdentifier,
  isError,
  isObject,
  parseJSON,
  property,
  stringProperty,
} from '../../../lib/core/http/index.js';

describe('JSON', () => {
  const id = (text: string) =>
    exactIdentifier({ text, body: parseJSON(text) }, (parsed) => property(parsed, 'id'));

  it('only own properties are read; a string property is a non-empty string', () => {
    expect(property({ a: 1 }, 'a')).to.equal(1);
    expect(property({}, 'constructor')).to.equal(undefined);
    expect(property(JSON.parse('{"__proto__":{"id":"x"}}'), 'id')).to.equal(undefined);
    for (const value of [null, undefined, 'text', 7, ['a']])
      expect(property(value, 'length')).to.equal(undefined);
    expect(stringProperty({ a: 'x' }, 'a')).to.equal('x');
    for (const a of ['', 7, null, true, {}, ['x']]) expect(stringProperty({ a }, 'a')).to.equal(undefined);
  });

  it('neither null nor an array is an object, and text that is not JSON is undefined', () => {
    expect([{}, { a: 1 }].every(isObject)).to.equal(true);
    expect([null, [], 'x', undefined].some(isObject)).to.equal(false);
    expect(parseJSON('{"a":1}')).to.deep.equal({ a: 1 });
    for (const text of ['', '{', 'undefined', 'a=1', '<html>']) expect(parseJSON(text)).to.equal(undefined);
  });

  it('S3: 2^53+1, and longer numbers, keep every digit; small numbers and strings are taken as they are', () => {
    const long = ['9007199254740993', '1823456789012345679', '123456789012345678901234567890'];
    const small = ['1', '0', '-5', '9007199254740991'];
    for (const digits of [...long, ...small]) expect(id(`{"id":${digits}}`)).to.equal(digits);
    for (const text of ['007', '-0Xq']) expect(id(`{"id":"${text}"}`)).to.equal(text);
  });

  it('S3: anything but a whole number or a string is no ID', () => {
    const fractions = '1.5 1e3000 1e20 1.0 9007199254740990.7 1.00000000000000000001 4503599627370496.4 1e0';
    for (const value of ['""', 'null', 'true', '{}', '[1]', ...fractions.split(' ')]) {
      expect([value, id(`{"id":${value}}`)]).to.deep.equal([value, undefined]);
    }
    for (const text of ['{}', 'not JSON']) expect(id(text)).to.equal(undefined);
  });

  it('digits inside strings stay, whatever is around them', () => {
    const text = '{"name":"id\\":12345678901234567890,","id":9007199254740993,"n":"12345678901234567890"}';
    const exact = { name: 'id":12345678901234567890,', id: '9007199254740993', n: '12345678901234567890' };
    const parsed: unknown[] = [];
    const pick = (body: unknown) => parsed.push(body) && property(body, 'id');
    expect(exactIdentifier({ text, body: parseJSON(text) }, pick)).to.equal(exact.id);
    expect(parsed).to.deep.equal([exact]);
  });

  it('an error code is a non-empty string or a number', () => {
    expect(['x', 453, 0].map(errorCode)).to.deep.equal(['x', '453', '0']);
    for (const none of ['', null, true, {}]) expect(errorCode(none)).to.equal(undefined);
  });

  it('T8: a property error reports an error unless it is empty', () => {
    expect([undefined, null, '', false].some(isError)).to.equal(false);
    expect(['x', 0, 7, true, {}, []].every(isError)).to.equal(true);
  });
});
