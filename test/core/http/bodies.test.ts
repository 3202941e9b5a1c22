import { expect } from 'chai';
import {
  exactIdentifier,
  formDecode,
  parseJSON,
  property,
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

  it('O4: a form is read with each name once, decoded; an empty one and one with a name twice are unreadable', () => {
    expect(formDecode('oauth_token=a%2Bb&x=c+d')).to.deep.equal({ oauth_token: 'a+b', x: 'c d' });
    for (const text of ['', 'a=1&a=2', 'a=1&b=2&a=1']) expect(formDecode(text)).to.equal(undefined);
    const form = formDecode('__proto__=x&a=1') ?? {};
    expect(Object.keys(form)).to.deep.equal(['__proto__', 'a']);
    expect(Object.getPrototypeOf(form)).to.equal(Object.prototype);
  });
});

describe('JSON', () => {
  it('digits inside strings stay, whatever is around them', () => {
    const text = '{"name":"id\\":12345678901234567890,","id":9007199254740993,"n":"12345678901234567890"}';
    const exact = { name: 'id":12345678901234567890,', id: '9007199254740993', n: '12345678901234567890' };
    const parsed: unknown[] = [];
    const pick = (body: unknown) => parsed.push(body) && property(body, 'id');
    expect(exactIdentifier({ text, body: parseJSON(text) }, pick)).to.equal(exact.id);
    expect(parsed).to.deep.equal([exact]);
  });
});
