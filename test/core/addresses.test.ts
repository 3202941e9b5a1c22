import { expect } from 'chai';
import {
  absoluteCallbackURL,
  isLoopback,
  parameterTexts,
  withDefaultQuery,
  withQuery,
} from '../../lib/core/addresses.js';

describe('addresses', () => {
  it('T1: this machine is localhost, its subdomains, 127.0.0.0/8 and [::1]', () => {
    for (const host of ['localhost', 'app.localhost', '127.0.0.1', '127.255.0.9', '[::1]', '0x7f.1', 'LOCALHOST']) {
      expect([host, isLoopback(new URL(`http://${host}/`))]).to.deep.equal([host, true]);
    }
  });

  it('T1: names that only look like this machine are not', () => {
    const hosts = ['localhost.example', '127.0.0.1.example', 'notlocalhost', '128.0.0.1', '[::2]', '10.0.0.1', '0.0.0.0'];
    for (const host of hosts) {
      expect([host, isLoopback(new URL(`http://${host}/`))]).to.deep.equal([host, false]);
    }
  });

  it('keeps the parameters of an address, replaces those that are set, and writes a space as %20', () => {
    expect(withQuery('https://n.example/a?x=1&state=old#', { state: 'a b', scope: 'c+d' })).to.equal(
      'https://n.example/a?x=1&state=a%20b&scope=c%2Bd#',
    );
  });

  it('what an address says already wins over a default', () => {
    expect(withDefaultQuery('https://n.example/?v=5.199', { v: '5.126', lang: 'ru' })).to.equal(
      'https://n.example/?v=5.199&lang=ru',
    );
  });

  it('texts, numbers and truth values become parameters; anything else is left out', () => {
    const given = { text: 'a', number: 1, yes: true, no: false, none: undefined, nothing: null, list: ['a'], object: {} };
    expect(parameterTexts(given)).to.deep.equal({ text: 'a', number: '1', yes: 'true', no: 'false' });
  });
});

describe('addresses: an absolute callback address', () => {
  it('stays as it is, whatever the request says', () => {
    const request = { headers: { host: 'evil.example' }, protocol: 'http' };
    expect(absoluteCallbackURL(request, 'https://app.example/cb?x=1', true)).to.equal('https://app.example/cb?x=1');
  });
});

describe('addresses: a relative callback address', () => {
  const resolve = (request: object, { callbackURL = '/cb', proxy = false } = {}) =>
    absoluteCallbackURL(request, callbackURL, proxy);

  it('is resolved against the protocol and host of the request', () => {
    expect(resolve({ protocol: 'https', headers: { host: 'app.example' }, url: '/login' })).to.equal(
      'https://app.example/cb',
    );
    expect(resolve({ protocol: 'http', headers: { host: '127.0.0.1:3000' }, url: '/login' })).to.equal(
      'http://127.0.0.1:3000/cb',
    );
  });

  it('without a leading slash it is resolved against the path of the request', () => {
    const request = { protocol: 'https', headers: { host: 'app.example' }, originalUrl: '/auth/login?x=1', url: '/' };
    expect(resolve(request, { callbackURL: 'cb' })).to.equal('https://app.example/auth/cb');
  });

  it('a path of the request that begins with two slashes names no other host', () => {
    for (const url of ['//evil.example/x', '/\\evil.example/x', '\\\\evil.example']) {
      const request = { protocol: 'https', headers: { host: 'app.example' }, url };
      expect(new URL(resolve(request, { callbackURL: 'cb' })).host).to.equal('app.example');
    }
  });

  it('takes the protocol from the socket where the framework says none', () => {
    expect(resolve({ headers: { host: 'app.example' }, socket: { encrypted: true } })).to.equal('https://app.example/cb');
    expect(resolve({ headers: { host: 'app.example' }, socket: {} })).to.equal('http://app.example/cb');
  });

  it('takes the host of an HTTP/2 request', () => {
    expect(resolve({ protocol: 'https', headers: { ':authority': 'app.example' } })).to.equal('https://app.example/cb');
  });

  it('takes IPv6 hosts', () => {
    expect(resolve({ protocol: 'http', headers: { host: '[::1]:3000' } })).to.equal('http://[::1]:3000/cb');
    expect(resolve({ protocol: 'http', headers: { host: '[2001:db8::1]' } })).to.equal('http://[2001:db8::1]/cb');
  });

  it('T3: forwarded headers are not believed by themselves', () => {
    const headers = {
      host: 'app.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
    };
    expect(resolve({ protocol: 'https', hostname: 'app.example', headers })).to.equal('https://app.example/cb');
    expect(resolve({ protocol: 'https', headers })).to.equal('https://app.example/cb');
  });

  it('T3: Express with trust proxy answers hostname from the forwarded header, and is believed', () => {
    const headers = { host: 'internal:8080', 'x-forwarded-host': 'app.example:8443' };
    expect(resolve({ protocol: 'https', hostname: 'app.example', headers })).to.equal('https://app.example:8443/cb');
  });

  it('T3: Fastify with trustProxy answers host from the forwarded header, and is believed', () => {
    const headers = { host: 'internal:8080', 'x-forwarded-host': 'app.example' };
    const request = { protocol: 'https', host: 'app.example', hostname: 'app.example', headers };
    expect(resolve(request)).to.equal('https://app.example/cb');
  });

  it('T3: several forwarded hosts are ambiguous with a trusted proxy, and ignored without one', () => {
    const headers = { host: 'internal', 'x-forwarded-host': 'evil.example, app.example' };
    expect(() => resolve({ protocol: 'https', hostname: 'evil.example', headers })).to.throw(
      TypeError,
      /host is missing or ambiguous\. Pass an absolute callbackURL\./,
    );
    expect(() => resolve({ protocol: 'https', headers }, { proxy: true })).to.throw(TypeError);
    expect(resolve({ protocol: 'https', hostname: 'internal', headers })).to.equal('https://internal/cb');
  });

  it('T3: with the option proxy the forwarded headers are believed', () => {
    const headers = { host: 'internal', 'x-forwarded-host': 'app.example', 'x-forwarded-proto': 'https, http' };
    expect(resolve({ protocol: 'http', headers }, { proxy: true })).to.equal('https://app.example/cb');
    expect(resolve({ protocol: 'http', headers: { host: 'app.example' } }, { proxy: true })).to.equal(
      'http://app.example/cb',
    );
  });

  it('a protocol that is neither http nor https counts as http', () => {
    const headers = { host: 'app.example', 'x-forwarded-proto': 'javascript' };
    expect(resolve({ headers }, { proxy: true })).to.equal('http://app.example/cb');
  });

  it('a host that is missing or no host name is a mistake that names the remedy', () => {
    const hosts = [undefined, '', 'a b', 'user@evil.example', 'evil.example/path', 'evil.example?x', 'a#b', 'app:x', 'a:1234567'];
    for (const host of hosts) {
      expect(() => resolve({ protocol: 'https', headers: { host } }), String(host)).to.throw(
        TypeError,
        'Pass an absolute callbackURL.',
      );
    }
  });
});
