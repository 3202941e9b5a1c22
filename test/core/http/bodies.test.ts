import { expect } from 'chai';
import {
  encodePairs,
  errorCode,
  exactIdentifier,
  formDecode,
  isError,
  isObject,
  parseJSON,
  percentEncode,
  property,
  stringProperty,
  withDefaultQuery,
  withQuery,
} from '../../../lib/core/http/index.js';

describe('queries and forms', () => {
  it('withQuery keeps a URL’s parameters, replaces those that are given, and writes a space as %20', () => {
    for (const [query, given, expected] of [
      ['?x=1&state=old#', { state: 'a b', scope: 'c+d' }, '?x=1&state=a%20b&scope=c%2Bd'],
      ['?x=1?2&y', { z: "it's" }, '?x=1%3F2&y=&z=it%27s'],
      ['', { z: "a b+it's" }, '?z=a%20b%2Bit%27s'],
      ['?#', {}, ''],
    ] as const) {
      const parameters = given as Record<string, string>;
      expect(withQuery(`https://n.example/a${query}`, parameters)).to.equal(`https://n.example/a${expected}`);
    }
    expect(withDefaultQuery('https://n.example/?v=5.199', { v: '5.126', lang: 'ru' })).to.equal(
      'https://n.example/?v=5.199&lang=ru',
    );
  });

  it('everything but letters, digits and -._~ is percent-encoded; a form is written in order', () => {
    expect(percentEncode("aZ09-._~ !'()*&=+/é")).to.equal('aZ09-._~%20%21%27%28%29%2A%26%3D%2B%2F%C3%A9');
    expect(percentEncode('half \ud83c')).to.equal('half%20%EF%BF%BD');
    expect(encodePairs(Object.entries({ b: 'x y', a: 'é&=', c: '' }))).to.equal('b=x%20y&a=%C3%A9%26%3D&c=');
    expect(encodePairs([])).to.equal('');
  });

  it('O4: a form is read with each name once, decoded; an empty one and one with a name twice are unreadable', () => {
    expect(formDecode('oauth_token=a%2Bb&x=c+d')).to.deep.equal({ oauth_token: 'a+b', x: 'c d' });
    for (const text of ['', 'a=1&a=2', 'a=1&b=2&a=1']) expect(formDecode(text)).to.equal(undefined);
    const form = formDecode('__proto__=x&a=1') ?? {};
    expect(Object.keys(form)).to.deep.equal(['__proto__', 'a']);
    expect(Object.getPrototypeOf(form)).to.equal(Object.prototype);
  });
});

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
