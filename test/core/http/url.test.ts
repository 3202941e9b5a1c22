import { expect } from 'chai';
import {
  encodePairs,
  formDecode,
  isLoopback,
  percentEncode,
  stringParameters,
  withDefaultQuery,
  withQuery,
} from '../../../lib/core/http/index.js';

describe('URLs', () => {
  it('T1: this machine is localhost, its subdomains, 127.0.0.0/8 and [::1]', () => {
    for (const host of [
      'localhost',
      'app.localhost',
      '127.0.0.1',
      '127.255.0.9',
      '[::1]',
      '0x7f.1',
      'LOCALHOST',
    ]) {
      expect([host, isLoopback(new URL(`http://${host}/`))]).to.deep.equal([host, true]);
    }
  });

  it('T1: names that only look like this machine’s are other hosts', () => {
    const hosts = [
      'localhost.example',
      '127.0.0.1.example',
      'notlocalhost',
      '128.0.0.1',
      '[::2]',
      '10.0.0.1',
      '0.0.0.0',
    ];
    for (const host of hosts) {
      expect([host, isLoopback(new URL(`http://${host}/`))]).to.deep.equal([host, false]);
    }
  });

  it('withQuery keeps a URL’s parameters, replaces those that are given, and writes a space as %20', () => {
    expect(withQuery('https://n.example/a?x=1&state=old#', { state: 'a b', scope: 'c+d' })).to.equal(
      'https://n.example/a?x=1&state=a%20b&scope=c%2Bd',
    );
    expect(withQuery('https://n.example/a?x=1?2&y', { z: "it's" })).to.equal(
      'https://n.example/a?x=1%3F2&y=&z=it%27s',
    );
    expect(withQuery('https://n.example/a', { z: "a b+it's" })).to.equal(
      'https://n.example/a?z=a%20b%2Bit%27s',
    );
    expect(withQuery('https://n.example/a?#', {})).to.equal('https://n.example/a');
  });

  it('withDefaultQuery keeps the parameters that the URL has', () => {
    expect(withDefaultQuery('https://n.example/?v=5.199', { v: '5.126', lang: 'ru' })).to.equal(
      'https://n.example/?v=5.199&lang=ru',
    );
  });

  it('only strings, numbers and booleans become parameters', () => {
    const given = {
      string: 'a',
      number: 1,
      yes: true,
      no: false,
      none: undefined,
      nothing: null,
      list: ['a'],
      object: {},
    };
    expect(stringParameters(given)).to.deep.equal({ string: 'a', number: '1', yes: 'true', no: 'false' });
  });

  it('everything but letters, digits and -._~ is percent-encoded', () => {
    expect(percentEncode("aZ09-._~ !'()*&=+/é")).to.equal('aZ09-._~%20%21%27%28%29%2A%26%3D%2B%2F%C3%A9');
    expect(percentEncode('half \ud83c')).to.equal('half%20%EF%BF%BD');
  });

  it('a form is written in order, percent-encoded', () => {
    expect(encodePairs(Object.entries({ b: 'x y', a: 'é&=', c: '' }))).to.equal('b=x%20y&a=%C3%A9%26%3D&c=');
    expect(encodePairs([])).to.equal('');
  });

  it('a form is read with each name once, decoded', () => {
    expect(formDecode('oauth_token=a%2Bb&x=c+d')).to.deep.equal({ oauth_token: 'a+b', x: 'c d' });
  });

  it('O4: an empty form and one with a name twice are unreadable', () => {
    for (const text of ['', 'a=1&a=2', 'a=1&b=2&a=1']) expect(formDecode(text)).to.equal(undefined);
  });

  it('a form field called __proto__ is a field like any other', () => {
    const form = formDecode('__proto__=x&a=1') ?? {};
    expect(Object.keys(form)).to.deep.equal(['__proto__', 'a']);
    expect(Object.getPrototypeOf(form)).to.equal(Object.prototype);
  });
});
