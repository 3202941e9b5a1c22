import { expect } from 'chai';
import { LoginFailure } from '../../../lib/core/errors/index.js';
import { RedirectURI } from '../../../lib/core/login/index.js';
import { serve } from '../../support/server.js';
import { thrownBy } from '../../support/thrown.js';
import { collectsWarnings } from '../../support/warnings.js';

import express = require('express');

const SANDBOX = 'http://127.0.0.1:4000/authorize';
const NETWORK = 'https://n.example/authorize';
const AMBIGUOUS =
  'The Host header of the request is missing, malformed or ambiguous, and the redirect URI depends on it. Set baseURL, or an absolute callbackURL.';
const PROXY =
  ' A proxy says that the browser came with https: tell your framework to trust it (trust proxy in Express and NestJS, trustProxy in Fastify, app.proxy in Koa), or give an absolute callbackURL.';

interface Settings {
  readonly callbackURL?: string;
  readonly baseURL?: string;
  readonly proxy?: boolean;
  /** Whether `callbackURL` is the default. */
  readonly isDefault?: boolean;
  readonly loopback?: boolean;
  readonly authorizationURL?: string;
}

function redirectURI(settings: Settings = {}): RedirectURI {
  const {
    callbackURL = '/cb',
    proxy = false,
    isDefault = false,
    loopback = true,
    authorizationURL = SANDBOX,
  } = settings;
  const rule = { text: 'The network takes https only.', loopback, authorizationURL };
  return new RedirectURI('TheStrategy', rule, proxy, callbackURL, settings.baseURL, isDefault);
}

const resolve = (request: object, settings: Settings = {}) => redirectURI(settings).resolve(request).uri;
const at = (host: string | undefined, more: object = {}) => ({
  protocol: 'https',
  headers: { host },
  ...more,
});

describe('redirect URI', () => {
  collectsWarnings();
  const evil = { ...at('evil.example'), protocol: 'http' };

  it('is the absolute callbackURL as it is, whatever the request says', () => {
    const callbackURL = 'https://app.example/cb?x=1';
    const configured = redirectURI({ callbackURL, proxy: true });
    expect(configured.configured).to.equal(callbackURL);
    const chosen = { uri: callbackURL, isSecure: true, isConfigured: true, isResolved: false };
    expect(configured.resolve(evil)).to.deep.equal(chosen);
    expect(configured.resolve(evil, callbackURL)).to.deep.equal(chosen);
    const plain = redirectURI({ callbackURL: 'http://127.0.0.1/cb' });
    expect(plain.resolve(evil).isSecure).to.equal(false);
  });

  it('is the relative callbackURL at the baseURL, whatever the request says', () => {
    const uri = 'https://app.example/auth/cb';
    const configured = redirectURI({ callbackURL: '/auth/cb', baseURL: 'https://app.example' });
    expect(configured.configured).to.equal(uri);
    const chosen = { uri, isSecure: true, isConfigured: true, isResolved: false };
    expect(configured.resolve(evil)).to.deep.equal(chosen);
  });

  it('is the callbackURL that the login was given, resolved like the option', () => {
    const given = 'https://other.example/cb';
    const chosen = { uri: given, isSecure: true, isConfigured: false, isResolved: false };
    for (const settings of [
      {},
      { callbackURL: 'https://app.example/cb' },
      { baseURL: 'https://app.example' },
    ]) {
      expect(redirectURI(settings).resolve(at('here.example'), given)).to.deep.equal(chosen);
    }
    const atBase = redirectURI({ baseURL: 'https://app.example' }).resolve(evil, '/other');
    expect(atBase).to.deep.equal({ ...chosen, uri: 'https://app.example/other' });
    const atHost = redirectURI().resolve(at('here.example'), '/other');
    expect(atHost).to.deep.equal({ ...chosen, uri: 'https://here.example/other', isResolved: true });
  });

  it('otherwise follows the protocol and host of the request', () => {
    const relative = redirectURI();
    expect(relative.configured).to.equal(undefined);
    expect(relative.resolve(at('app.example', { url: '/login' }))).to.deep.equal({
      uri: 'https://app.example/cb',
      isSecure: true,
      isConfigured: false,
      isResolved: true,
    });
    const hosts: [object, string][] = [
      [{ protocol: 'http', headers: { host: '127.0.0.1:3000' } }, 'http://127.0.0.1:3000/cb'],
      [{ headers: { host: 'app.example' }, socket: { encrypted: true } }, 'https://app.example/cb'],
      [{ headers: { host: 'app.example' }, socket: {} }, 'http://app.example/cb'],
      [{ protocol: 'https', headers: { ':authority': 'app.example' } }, 'https://app.example/cb'],
      [at('[::1]:3000'), 'https://[::1]:3000/cb'],
      [at('[2001:db8::1]'), 'https://[2001:db8::1]/cb'],
    ];
    for (const [request, uri] of hosts) expect(resolve(request)).to.equal(uri);
  });

  it('without a leading slash follows the path of the request, which never names another host', () => {
    const request = at('app.example', { originalUrl: '/auth/login?x=1', url: '/' });
    expect(resolve(request, { callbackURL: 'cb' })).to.equal('https://app.example/auth/cb');
    for (const url of ['//evil.example/x', '/\\evil.example/x', '\\\\evil.example']) {
      expect(new URL(resolve(at('app.example', { url }), { callbackURL: 'cb' })).host).to.equal(
        'app.example',
      );
    }
  });

  it('S14: of a request with a missing or invalid host is a failure that says what to do', () => {
    const hosts = [
      '',
      'a b',
      'user@evil.example',
      'evil.example/path',
      'evil.example?x',
      'a#b',
      'a:x',
      'a:1234567',
    ];
    for (const host of [undefined, ...hosts]) {
      expect(() => resolve(at(host)), String(host)).to.throw(LoginFailure, AMBIGUOUS);
    }
  });

  it('T3: follows forwarded headers only where the framework trusts the proxy, or with the option proxy', () => {
    const forwarded = (host: string, name: string, protocol = 'https, http') => ({
      host,
      'x-forwarded-host': name,
      'x-forwarded-proto': protocol,
    });
    const evilHeaders = forwarded('app.example', 'evil.example', 'http');
    const app = (setting: string, value: unknown) => ({
      get: (name: string) => (name === setting ? value : undefined),
    });
    const trust = (answer: boolean) => app('trust proxy fn', (peer: string) => answer && peer === '10.0.0.1');
    const socket = { remoteAddress: '10.0.0.1' };
    const behind = forwarded('internal:8080', 'app.example:8443');
    const requests: [title: string, request: object, uri: string, settings?: Settings][] = [
      [
        'alone',
        { protocol: 'https', hostname: 'app.example', headers: evilHeaders },
        'https://app.example/cb',
      ],
      ['without a host name', { protocol: 'https', headers: evilHeaders }, 'https://app.example/cb'],
      [
        'Express trusts',
        { protocol: 'https', headers: behind, app: trust(true), socket },
        'https://app.example:8443/cb',
      ],
      [
        'Express does not',
        { protocol: 'https', headers: behind, app: trust(false), socket },
        'https://internal:8080/cb',
      ],
      [
        'Koa trusts',
        { protocol: 'https', headers: behind, app: app('trust proxy', true) },
        'https://app.example:8443/cb',
      ],
      [
        'another framework trusts',
        { protocol: 'https', hostname: 'app.example', headers: behind },
        'https://app.example:8443/cb',
      ],
      [
        'it does not',
        { protocol: 'https', hostname: 'INTERNAL', headers: behind },
        'https://internal:8080/cb',
      ],
      ['no forwarded host', at('app.example', { hostname: 'evil.example' }), 'https://app.example/cb'],
      ['the option', { protocol: 'http', headers: behind }, 'https://app.example:8443/cb', { proxy: true }],
      [
        'the option, no proxy',
        { protocol: 'http', headers: { host: 'app.example' } },
        'http://app.example/cb',
        { proxy: true },
      ],
      [
        'the option, a list of headers',
        { headers: { host: 'app.example', 'x-forwarded-proto': ['https', 'http'] } },
        'https://app.example/cb',
        { proxy: true },
      ],
      [
        'another protocol',
        { headers: { host: 'app.example', 'x-forwarded-proto': 'javascript' } },
        'http://app.example/cb',
        { proxy: true },
      ],
    ];
    for (const [title, request, uri, settings] of requests)
      expect(resolve(request, settings), title).to.equal(uri);
  });

  it('T3: several forwarded hosts are ambiguous behind a trusted proxy, and ignored without one', () => {
    const headers = { host: 'internal', 'x-forwarded-host': 'evil.example, app.example' };
    expect(() => resolve({ protocol: 'https', hostname: 'evil.example', headers })).to.throw(
      LoginFailure,
      AMBIGUOUS,
    );
    expect(() => resolve({ protocol: 'https', headers }, { proxy: true })).to.throw(LoginFailure, AMBIGUOUS);
    expect(resolve({ protocol: 'https', hostname: 'internal', headers })).to.equal('https://internal/cb');
  });

  // What Fastify 5 and Koa 3 report for these `Host` headers when they do not trust the proxy.
  for (const [host, hostname, uri] of [
    ['app.example:', 'app.example', undefined],
    ['x@app.example', 'app.example', undefined],
    ['x@app.example', 'x@app.example', undefined],
    ['APP.example:80', 'app.example', 'https://app.example:80/cb'],
    ['[::1]:3000', '[::1]', 'https://[::1]:3000/cb'],
  ] as const) {
    it(`S8: the host ${host}, reported as ${hostname}, does not make a forwarded host trusted`, () => {
      for (const forwarded of ['evil.example', 'app.example', 'evil.example:80']) {
        const request = { protocol: 'https', hostname, headers: { host, 'x-forwarded-host': forwarded } };
        if (uri !== undefined) expect(resolve(request)).to.equal(uri);
        else expect(() => resolve(request)).to.throw(LoginFailure, AMBIGUOUS);
      }
    });
  }

  it('T3: has the port of a forwarded host in Express, with trust proxy or with the option proxy', async () => {
    for (const trusts of [true, false]) {
      const app = express();
      app.set('trust proxy', trusts);
      const [trusting, careful] = [redirectURI({ proxy: true }), redirectURI()];
      app.use((req, res) => {
        res.json([careful.resolve(req).uri, trusting.resolve(req).uri]);
      });
      const server = await serve(app);
      const { url } = server;
      const origins = async (headers: Record<string, string>) =>
        (await (await fetch(url, { headers })).json()) as string[];
      for (const [host, expected] of [
        ['app.example:8443', 'https://app.example:8443/cb'],
        ['app.example', 'https://app.example/cb'],
        ['app.example:443', 'https://app.example/cb'],
        ['[2001:db8::1]:8443', 'https://[2001:db8::1]:8443/cb'],
        // The same name as the application's own, with the port that the browser sees.
        ['127.0.0.1:8443', 'https://127.0.0.1:8443/cb'],
        ['127.0.0.1', 'https://127.0.0.1/cb'],
        [undefined, `${url.replace('http', 'https')}/cb`],
      ] as const) {
        const headers = { 'x-forwarded-proto': 'https', ...(host && { 'x-forwarded-host': host }) };
        expect(await origins(headers)).to.deep.equal([trusts ? expected : `${url}/cb`, expected]);
      }
      await server.close();
    }
  });
});

describe('redirect URI of a pending login', () => {
  collectsWarnings();
  const login = { id: 'i', expiresAt: 1, isSecure: true, isCrossSite: false };
  const resolved = { ...login, redirectURI: 'https://app.example:8443/cb', isResolved: true };

  it('is the one that was sent, or the configured one', () => {
    const callbackURL = 'https://app.example/cb';
    const configured = redirectURI({ callbackURL });
    expect(configured.of(at('elsewhere.example'), login)).to.equal(callbackURL);
    const given = { ...login, redirectURI: 'https://other.example/cb' };
    expect(configured.of(at('elsewhere.example'), given)).to.equal('https://other.example/cb');
    // A login of staging, brought to production, whose callback names its own.
    const elsewhere = thrownBy(() => configured.of(at('app.example'), given, callbackURL)) as LoginFailure;
    expect(elsewhere.code).to.equal('unknown_login');
    for (const host of ['app.example', 'app.example:9999', 'APP.EXAMPLE']) {
      expect(redirectURI().of(at(host), resolved), host).to.equal('https://app.example:8443/cb');
    }
  });

  it('S8: that was resolved from a request is not accepted at another host name or protocol, nor without one', () => {
    const elsewhere = [
      at('evil.example'),
      at('sub.app.example'),
      at(undefined),
      at('a b'),
      { ...at('app.example'), protocol: 'http' },
    ];
    for (const [req, pending] of [
      ...elsewhere.map((req) => [req, resolved] as const),
      // A store of the application lost the redirect URI.
      [at('app.example'), login] as const,
    ]) {
      const failure = thrownBy(() => redirectURI().of(req, pending)) as LoginFailure;
      expect([failure.code, failure.status]).to.deep.equal(['unknown_login', 403]);
      expect(failure.message).to.include('began under another host name or protocol');
    }
  });
});

describe('redirect URI: warnings', () => {
  const warnings = collectsWarnings();
  const { NODE_ENV: environment } = process.env;
  afterEach(() => {
    if (environment === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = environment;
  });

  const behind = { protocol: 'http', headers: { host: '127.0.0.1:3000', 'x-forwarded-proto': 'https' } };
  const plain = { protocol: 'http', headers: { host: 'app.example' } };
  const rule = 'TheStrategy: option callbackURL is http://app.example/cb. The network takes https only.';
  const local = 'TheStrategy: option callbackURL is http://127.0.0.1:3000/cb.';
  const network = { authorizationURL: NETWORK };
  const here = 'http://127.0.0.1:3000/cb';

  const RULES: readonly [
    title: string,
    settings: Settings,
    request: object | undefined,
    expected: string[],
  ][] = [
    ['an http callbackURL', { ...network, callbackURL: 'http://app.example/cb?secret=1' }, undefined, [rule]],
    ['a callbackURL that becomes http', network, plain, [rule]],
    ['the same with a sandbox', { callbackURL: 'http://app.example/cb' }, undefined, []],
    ['an https callbackURL', { ...network, callbackURL: 'https://app.example/cb' }, undefined, []],
    ['a relative callbackURL before the first login', network, undefined, []],
    ['this machine', { ...network, callbackURL: here }, undefined, []],
    [
      'this machine at a network that rejects it',
      { ...network, callbackURL: here, loopback: false },
      undefined,
      [`${local} The network takes https only.`],
    ],
    ['a proxy that is not trusted', {}, behind, [`${local}${PROXY}`]],
    [
      'such a proxy and a network that takes https only',
      network,
      { ...behind, headers: { ...behind.headers, host: 'app.example' } },
      [`${rule}${PROXY}`],
    ],
    ['a trusted proxy', { proxy: true }, behind, []],
    ['a framework that trusts the proxy', {}, { ...behind, protocol: 'https' }, []],
    [
      'a proxy without TLS',
      {},
      { ...behind, headers: { ...behind.headers, 'x-forwarded-proto': 'http' } },
      [],
    ],
    ['an absolute callbackURL behind a proxy', { callbackURL: here }, behind, []],
  ];
  /** Without the warning of the Host header, which security/wrong-person tests. */
  const texts = async () => (await warnings.texts()).filter((text) => !text.includes('option baseURL'));
  for (const [title, settings, request, expected] of RULES) {
    it(`T2: ${title} causes ${expected.length === 0 ? 'none' : 'one'}, also in production`, async () => {
      for (const mode of ['development', 'production']) {
        process.env.NODE_ENV = mode;
        const made = redirectURI(settings);
        for (let count = 0; request && count < 2; count += 1) made.resolve(request);
      }
      expect(await texts()).to.deep.equal([...expected, ...expected]);
    });
  }

  const lost = (from: string, to: string, hint = '') =>
    `TheStrategy: a login began at ${from}, and its redirect URI is at ${to}: the browser will not send the login's cookie there. Open the application at ${to}, or change callbackURL.${hint}`;
  const absolute = { callbackURL: 'https://app.example/cb' };
  const HOSTS: readonly [title: string, settings: Settings, request: object, expected: string[]][] = [
    ['the host of the redirect URI', absolute, at('app.example:8443'), []],
    ['another host', absolute, at('localhost'), [lost('https://localhost', 'https://app.example')]],
    [
      'another host than that of baseURL',
      { baseURL: 'https://app.example' },
      at('localhost'),
      [lost('https://localhost', 'https://app.example')],
    ],
    ['another protocol', absolute, plain, [lost('http://app.example', 'https://app.example')]],
    [
      'another protocol behind a proxy that is not trusted',
      absolute,
      { ...plain, headers: { host: 'app.example', 'x-forwarded-proto': 'https' } },
      [lost('http://app.example', 'https://app.example', PROXY)],
    ],
    [
      'localhost instead of 127.0.0.1',
      { callbackURL: here },
      { ...plain, headers: { host: 'localhost:3000' } },
      [lost('http://localhost', 'http://127.0.0.1')],
    ],
    ['no host', absolute, at(undefined), []],
    ['a relative callbackURL', {}, at('localhost'), []],
  ];
  for (const [title, settings, request, expected] of HOSTS) {
    it(`a login that begins at ${title} causes ${expected.length === 0 ? 'none' : 'one, but not in production'}`, async () => {
      for (const mode of ['production', 'development']) {
        process.env.NODE_ENV = mode;
        const made = redirectURI(settings);
        for (let count = 0; count < 2; count += 1) made.resolve(request);
        expect(await texts()).to.deep.equal(mode === 'production' ? [] : expected);
      }
    });
  }

  it('a callbackURL given for one login is compared as well', async () => {
    const made = redirectURI();
    made.resolve(at('localhost'), 'https://app.example/cb');
    expect(await texts()).to.deep.equal([lost('https://localhost', 'https://app.example')]);
  });

  it('a sign-in route with another name than the default callbackURL causes one, but not in production', async () => {
    const from = (url: string) => at('app.example', { url });
    const made = (isDefault = true) => redirectURI({ callbackURL: '/callback/first', isDefault });
    process.env.NODE_ENV = 'production';
    made().resolve(from('/signin/second'));
    process.env.NODE_ENV = 'development';
    for (const url of ['/signin/first?next=/', '/login']) made().resolve(from(url));
    made().resolve(from('/signin/second'), '/callback/second');
    made(false).resolve(from('/signin/second'));
    expect(await texts()).to.deep.equal([]);
    const repeated = made();
    for (let count = 0; count < 2; count += 1) repeated.resolve(from('/signin/second?next=/'));
    expect(await texts()).to.deep.equal([
      'TheStrategy: a login began at .../signin/second, and its callback URL is /callback/first. If Passport knows the strategy as second, set the option name, too; otherwise set callbackURL.',
    ]);
  });
});
