import { expect } from 'chai';
import { isLoopback, parameterTexts, withDefaultQuery, withQuery } from '../../lib/core/addresses.js';

describe('addresses', () => {
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

  it('T1: names that only look like this machine are not', () => {
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

  it('keeps the parameters of an address, replaces those that are set, and writes a space as %20', () => {
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

  it('what an address says already wins over a default', () => {
    expect(withDefaultQuery('https://n.example/?v=5.199', { v: '5.126', lang: 'ru' })).to.equal(
      'https://n.example/?v=5.199&lang=ru',
    );
  });

  it('texts, numbers and truth values become parameters; anything else is left out', () => {
    const given = {
      text: 'a',
      number: 1,
      yes: true,
      no: false,
      none: undefined,
      nothing: null,
      list: ['a'],
      object: {},
    };
    expect(parameterTexts(given)).to.deep.equal({ text: 'a', number: '1', yes: 'true', no: 'false' });
  });
});
