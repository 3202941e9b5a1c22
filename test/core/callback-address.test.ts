import { expect } from 'chai';
import { absoluteCallbackURL } from '../../lib/core/addresses.js';

describe('addresses: an absolute callback address', () => {
  it('stays as it is, whatever the request says', () => {
    const request = { headers: { host: 'evil.example' }, protocol: 'http' };
    expect(absoluteCallbackURL(request, 'https://app.example/cb?x=1', true)).to.equal(
      'https://app.example/cb?x=1',
    );
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
    const request = {
      protocol: 'https',
      headers: { host: 'app.example' },
      originalUrl: '/auth/login?x=1',
      url: '/',
    };
    expect(resolve(request, { callbackURL: 'cb' })).to.equal('https://app.example/auth/cb');
  });

  it('a path of the request that begins with two slashes names no other host', () => {
    for (const url of ['//evil.example/x', '/\\evil.example/x', '\\\\evil.example']) {
      const request = { protocol: 'https', headers: { host: 'app.example' }, url };
      expect(new URL(resolve(request, { callbackURL: 'cb' })).host).to.equal('app.example');
    }
  });

  it('takes the protocol from the socket where the framework says none', () => {
    expect(resolve({ headers: { host: 'app.example' }, socket: { encrypted: true } })).to.equal(
      'https://app.example/cb',
    );
    expect(resolve({ headers: { host: 'app.example' }, socket: {} })).to.equal('http://app.example/cb');
  });

  it('takes the host of an HTTP/2 request', () => {
    expect(resolve({ protocol: 'https', headers: { ':authority': 'app.example' } })).to.equal(
      'https://app.example/cb',
    );
  });

  it('takes IPv6 hosts', () => {
    expect(resolve({ protocol: 'http', headers: { host: '[::1]:3000' } })).to.equal('http://[::1]:3000/cb');
    expect(resolve({ protocol: 'http', headers: { host: '[2001:db8::1]' } })).to.equal(
      'http://[2001:db8::1]/cb',
    );
  });

  it('T3: forwarded headers are not believed by themselves', () => {
    const headers = {
      host: 'app.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
    };
    expect(resolve({ protocol: 'https', hostname: 'app.example', headers })).to.equal(
      'https://app.example/cb',
    );
    expect(resolve({ protocol: 'https', headers })).to.equal('https://app.example/cb');
  });

  it('T3: Express is asked whether it trusts the peer that sent the request', () => {
    const headers = { host: 'internal:8080', 'x-forwarded-host': 'app.example:8443' };
    const asked: unknown[] = [];
    const app = (isTrusted: boolean) => ({
      get: (setting: string) => (peer: string) => {
        asked.push([setting, peer]);
        return isTrusted;
      },
    });
    const request = {
      protocol: 'https',
      hostname: 'app.example',
      headers,
      socket: { remoteAddress: '10.0.0.1' },
    };
    expect(resolve({ ...request, app: app(true) })).to.equal('https://app.example:8443/cb');
    expect(resolve({ ...request, app: app(false) })).to.equal('https://internal:8080/cb');
    expect(asked).to.deep.equal([
      ['trust proxy fn', '10.0.0.1'],
      ['trust proxy fn', '10.0.0.1'],
    ]);
  });

  it('T3: other frameworks give away their trust by the hostname that they answer', () => {
    const headers = { host: 'internal:8080', 'x-forwarded-host': 'app.example:8443' };
    expect(resolve({ protocol: 'https', hostname: 'app.example', headers })).to.equal(
      'https://app.example:8443/cb',
    );
    expect(resolve({ protocol: 'https', hostname: 'INTERNAL', headers })).to.equal(
      'https://internal:8080/cb',
    );
  });

  it('T3: a hostname that differs without a forwarded header changes nothing', () => {
    const request = { protocol: 'https', hostname: 'evil.example', headers: { host: 'app.example' } };
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
    const headers = {
      host: 'internal',
      'x-forwarded-host': 'app.example',
      'x-forwarded-proto': 'https, http',
    };
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
    const hosts = [
      undefined,
      '',
      'a b',
      'user@evil.example',
      'evil.example/path',
      'evil.example?x',
      'a#b',
      'app:x',
      'a:1234567',
    ];
    for (const host of hosts) {
      expect(() => resolve({ protocol: 'https', headers: { host } }), String(host)).to.throw(
        TypeError,
        'Pass an absolute callbackURL.',
      );
    }
  });
});
