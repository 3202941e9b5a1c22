import { expect } from 'chai';
import { RedirectURI } from '../../../lib/core/options/redirect-uri.js';
import { collectsWarnings } from '../../support/warnings.js';

/** A rule that no callback URL of these tests breaks: the network is a sandbox. */
const ANYTHING = { text: 'Anything.', loopback: true, authorizationURL: 'http://127.0.0.1:4000/authorize' };

const resolve = (request: object, { callbackURL = '/cb', proxy = false } = {}) =>
  new RedirectURI('TheStrategy', ANYTHING, proxy).resolve(request, callbackURL).callbackURL;

describe('redirect URI: an absolute callbackURL', () => {
  it('stays as it is, whatever the request says', () => {
    const request = { headers: { host: 'evil.example' }, protocol: 'http' };
    const callbackURL = 'https://app.example/cb?x=1';
    expect(resolve(request, { callbackURL, proxy: true })).to.equal(callbackURL);
  });
});

describe('redirect URI: a relative callbackURL', () => {
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

  it('a request path that begins with two slashes does not name another host', () => {
    for (const url of ['//evil.example/x', '/\\evil.example/x', '\\\\evil.example']) {
      const request = { protocol: 'https', headers: { host: 'app.example' }, url };
      expect(new URL(resolve(request, { callbackURL: 'cb' })).host).to.equal('app.example');
    }
  });

  it('takes the protocol from the socket if the framework has none', () => {
    expect(resolve({ headers: { host: 'app.example' }, socket: { encrypted: true } })).to.equal(
      'https://app.example/cb',
    );
    expect(resolve({ headers: { host: 'app.example' }, socket: {} })).to.equal('http://app.example/cb');
  });

  it('S8: a host that only looks different from what the framework reports does not make the forwarded host trusted', () => {
    // What Fastify 5 and Koa 3 report for these `Host` headers when they do not trust the proxy.
    for (const [host, hostname] of [
      ['app.example:', 'app.example'],
      ['x@app.example', 'app.example'],
      ['x@app.example', 'x@app.example'],
      ['APP.example:80', 'app.example'],
      ['[::1]:3000', '[::1]'],
    ] as const) {
      for (const forwarded of ['evil.example', 'app.example', 'evil.example:80']) {
        const headers = { host, 'x-forwarded-host': forwarded };
        let resolved: string;
        try {
          resolved = resolve({ protocol: 'https', hostname, headers });
        } catch (error) {
          resolved = (error as Error).message;
        }
        const outcomes = {
          'APP.example:80': 'https://app.example:80/cb',
          '[::1]:3000': 'https://[::1]:3000/cb',
        };
        expect(resolved, `${host} ${forwarded}`).to.equal(
          outcomes[host as keyof typeof outcomes] ??
            "The callback URL is relative and the request's host is missing or ambiguous. Pass an absolute callbackURL.",
        );
      }
    }
  });

  it('takes the host of an HTTP/2 request', () => {
    expect(resolve({ protocol: 'https', headers: { ':authority': 'app.example' } })).to.equal(
      'https://app.example/cb',
    );
  });

  it('accepts IPv6 hosts', () => {
    expect(resolve({ protocol: 'http', headers: { host: '[::1]:3000' } })).to.equal('http://[::1]:3000/cb');
    expect(resolve({ protocol: 'http', headers: { host: '[2001:db8::1]' } })).to.equal(
      'http://[2001:db8::1]/cb',
    );
  });

  it('T3: forwarded headers alone are not trusted', () => {
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

  it('T3: Express is asked whether it trusts the peer', () => {
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

  it('T3: other frameworks show their trust in a hostname that differs from the Host header', () => {
    const headers = { host: 'internal:8080', 'x-forwarded-host': 'app.example:8443' };
    expect(resolve({ protocol: 'https', hostname: 'app.example', headers })).to.equal(
      'https://app.example:8443/cb',
    );
    expect(resolve({ protocol: 'https', hostname: 'INTERNAL', headers })).to.equal(
      'https://internal:8080/cb',
    );
  });

  it('T3: a different hostname without a forwarded header changes nothing', () => {
    const request = { protocol: 'https', hostname: 'evil.example', headers: { host: 'app.example' } };
    expect(resolve(request)).to.equal('https://app.example/cb');
  });

  it('T3: several forwarded hosts are ambiguous behind a trusted proxy, and ignored without one', () => {
    const headers = { host: 'internal', 'x-forwarded-host': 'evil.example, app.example' };
    expect(() => resolve({ protocol: 'https', hostname: 'evil.example', headers })).to.throw(
      TypeError,
      /host is missing or ambiguous\. Pass an absolute callbackURL\./,
    );
    expect(() => resolve({ protocol: 'https', headers }, { proxy: true })).to.throw(TypeError);
    expect(resolve({ protocol: 'https', hostname: 'internal', headers })).to.equal('https://internal/cb');
  });

  it('T3: with the option proxy, the forwarded headers are trusted', () => {
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

  it('a missing or invalid host is a TypeError that says what to do', () => {
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

const RULE = {
  text: 'The network takes https only.',
  loopback: true,
  authorizationURL: 'https://n.example/authorize',
};

describe('redirect URI: warnings', () => {
  const warnings = collectsWarnings();

  it('T2: a callbackURL without TLS gets one warning that names the option', async () => {
    const redirectURI = new RedirectURI('TheStrategy', RULE, false);
    redirectURI.warn('http://app.example/cb?secret=1');
    redirectURI.warn('http://app.example/cb');
    redirectURI.warn('http://other.example/cb');
    expect(await warnings.texts()).to.deep.equal([
      'TheStrategy: option callbackURL is http://app.example/cb. The network takes https only.',
    ]);
  });

  it('T2: a relative callbackURL gets its warning when it is resolved, once', async () => {
    const redirectURI = new RedirectURI('TheStrategy', RULE, false);
    const request = { protocol: 'http', headers: { host: 'app.example' } };
    redirectURI.warn('/cb');
    expect(await warnings.texts()).to.deep.equal([]);
    for (let count = 0; count < 2; count += 1) {
      expect(redirectURI.resolve(request, '/cb').callbackURL).to.equal('http://app.example/cb');
    }
    expect(await warnings.texts()).to.deep.equal([
      'TheStrategy: option callbackURL is http://app.example/cb. The network takes https only.',
    ]);
  });

  it('T2: behind a proxy that is not trusted, the warning says how to trust it', async () => {
    const headers = { host: 'app.example', 'x-forwarded-proto': 'https' };
    new RedirectURI('TheStrategy', RULE, false).resolve({ protocol: 'http', headers }, '/cb');
    expect(await warnings.texts()).to.deep.equal([
      'TheStrategy: option callbackURL is http://app.example/cb. The network takes https only. A proxy says that the browser came with https: tell your framework to trust it (trust proxy in Express and NestJS, trustProxy in Fastify, app.proxy in Koa), or give an absolute callbackURL.',
    ]);
  });

  it('T2: at a sandbox, and on this machine, a proxy that is not trusted gets its warning, once', async () => {
    const headers = { host: '127.0.0.1:3000', 'x-forwarded-proto': 'https' };
    for (const authorizationURL of [ANYTHING.authorizationURL, RULE.authorizationURL]) {
      const redirectURI = new RedirectURI('TheStrategy', { ...RULE, authorizationURL }, false);
      for (let count = 0; count < 2; count += 1) redirectURI.resolve({ protocol: 'http', headers }, '/cb');
    }
    const text =
      'TheStrategy: option callbackURL is http://127.0.0.1:3000/cb. A proxy says that the browser came with https: tell your framework to trust it (trust proxy in Express and NestJS, trustProxy in Fastify, app.proxy in Koa), or give an absolute callbackURL.';
    expect(await warnings.texts()).to.deep.equal([text, text]);
  });

  it('T2: a proxy that is trusted, a proxy without TLS and an absolute callbackURL get no such warning', async () => {
    const headers = { host: '127.0.0.1:3000', 'x-forwarded-proto': 'https' };
    new RedirectURI('TheStrategy', ANYTHING, true).resolve({ protocol: 'http', headers }, '/cb');
    new RedirectURI('TheStrategy', ANYTHING, false).resolve({ protocol: 'https', headers }, '/cb');
    new RedirectURI('TheStrategy', ANYTHING, false).resolve(
      { protocol: 'http', headers: { ...headers, 'x-forwarded-proto': 'http' } },
      '/cb',
    );
    new RedirectURI('TheStrategy', ANYTHING, false).resolve(
      { protocol: 'http', headers },
      'http://127.0.0.1:3000/cb',
    );
    expect(await warnings.texts()).to.deep.equal([]);
  });

  it('T2: a sign-in route with another name than the default callbackURL gets one warning, only during development', async () => {
    const request = (url: string) => ({ protocol: 'https', headers: { host: 'app.example' }, url });
    const made = (defaultURL?: string) => new RedirectURI('TheStrategy', ANYTHING, false, defaultURL);
    const environment = process.env.NODE_ENV;
    process.env.NODE_ENV = 'production';
    try {
      made('/callback/first').resolve(request('/signin/second'), '/callback/first');
    } finally {
      if (environment === undefined) delete process.env.NODE_ENV;
      else process.env.NODE_ENV = environment;
    }
    made('/callback/first').resolve(request('/signin/first?next=/'), '/callback/first');
    made('/callback/first').resolve(request('/login'), '/callback/first');
    made('/callback/first').resolve(request('/signin/second'), '/callback/second');
    made().resolve(request('/signin/second'), '/callback/first');
    expect(await warnings.texts()).to.deep.equal([]);
    const redirectURI = made('/callback/first');
    for (let count = 0; count < 2; count += 1) {
      redirectURI.resolve(request('/signin/second?next=/'), '/callback/first');
    }
    expect(await warnings.texts()).to.deep.equal([
      'TheStrategy: a login began at .../signin/second, and its callback URL is /callback/first. If Passport knows the strategy as second, set the option name, too; otherwise set callbackURL.',
    ]);
  });

  it('T2: https and relative callback URLs get none', async () => {
    const redirectURI = new RedirectURI('TheStrategy', { ...RULE, loopback: false }, false);
    redirectURI.warn('https://app.example/cb');
    redirectURI.warn('/api/auth/callback/network');
    expect(await warnings.texts()).to.deep.equal([]);
  });

  it('T2: a callbackURL on this machine gets one only if the network rejects it', async () => {
    new RedirectURI('TheStrategy', RULE, false).warn('http://127.0.0.1:3000/cb');
    expect(await warnings.texts()).to.deep.equal([]);
    new RedirectURI('TheStrategy', { ...RULE, loopback: false }, false).warn('http://127.0.0.1:3000/cb');
    expect(await warnings.texts()).to.have.length(1);
  });

  it('T2: with a sandbox on this machine there is none', async () => {
    const rule = { ...RULE, loopback: false, authorizationURL: 'http://127.0.0.1:4000/authorize' };
    new RedirectURI('TheStrategy', rule, false).warn('http://app.example/cb');
    expect(await warnings.texts()).to.deep.equal([]);
  });
});
