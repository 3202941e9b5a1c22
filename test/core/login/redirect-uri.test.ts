import { spawnSync } from 'node:child_process';
import { extname, join } from 'node:path';
import { expect } from 'chai';
import { warnOfStart } from '../../../lib/core/development.js';
import { LoginFailure } from '../../../lib/core/errors/index.js';
import { RedirectURI } from '../../../lib/core/login/index.js';
import { restoresMode } from '../../support/cleanup.js';
import { thrownBy } from '../../support/thrown.js';
import { collectsWarnings } from '../../support/warnings.js';

const SANDBOX = 'http://127.0.0.1:4000/authorize';
const NETWORK = 'https://n.example/authorize';
const AMBIGUOUS =
  'The Host header of the request is missing, malformed or ambiguous, and the redirect URI depends on it. Set baseURL, or an absolute callbackURL.';
const PROXY =
  ' A proxy says that the browser came with https: tell your framework to trust it (trust proxy in Express and NestJS, trustProxy in Fastify, app.proxy in Koa), or give an absolute callbackURL.';

const DEFAULTS = {
  callbackURL: '/cb',
  baseURL: undefined as string | undefined,
  proxy: false,
  /** Whether `callbackURL` is the default. */
  isDefault: false,
  authorizationURL: SANDBOX,
};
type Settings = Partial<typeof DEFAULTS>;

function redirectURI(settings: Settings = {}): RedirectURI {
  const { callbackURL, baseURL, proxy, isDefault, authorizationURL } = { ...DEFAULTS, ...settings };
  const facts = {
    brand: 'The network',
    judgeRedirectURI: ({ protocol, hostname }: URL) => ({
      isAccepted: protocol === 'https:' || hostname === '127.0.0.1',
      says: 'takes https only',
      remedy: 'Use https.',
    }),
  };
  const rule = { facts, authorizationURL };
  return new RedirectURI('TheStrategy', rule, proxy, callbackURL, baseURL, isDefault);
}

const resolve = (request: object, settings: Settings = {}) => redirectURI(settings).resolve(request).uri;
const at = (host: string | undefined, more: object = {}) => ({
  protocol: 'https',
  headers: { host },
  ...more,
});
const environmentOf = (mode: string) => {
  process.env.NODE_ENV = mode;
};

describe('redirect URI', () => {
  collectsWarnings();
  const evil = { ...at('evil.example'), protocol: 'http' };

  it('is the absolute callbackURL, or the relative one at the baseURL, whatever the request says', () => {
    const callbackURL = 'https://app.example/auth/cb?x=1';
    const absolute = redirectURI({ callbackURL, proxy: true });
    const atBase = redirectURI({ callbackURL: '/auth/cb?x=1', baseURL: 'https://app.example' });
    for (const configured of [absolute, atBase]) {
      expect(configured.configured).to.equal(callbackURL);
      expect(configured.resolve(evil)).to.deep.equal({ uri: callbackURL, isResolved: false });
    }
    expect(absolute.resolve(evil, callbackURL)).to.deep.equal({ uri: callbackURL, isResolved: false });
  });

  it('is the callbackURL that the login was given, resolved like the option', () => {
    const chosen = { uri: 'https://other.example/cb', isResolved: false };
    const baseURL = 'https://app.example';
    for (const settings of [{}, { callbackURL: 'https://app.example/cb' }, { baseURL }]) {
      expect(redirectURI(settings).resolve(at('here.example'), chosen.uri)).to.deep.equal(chosen);
    }
    const atBase = redirectURI({ baseURL }).resolve(evil, '/other');
    expect(atBase).to.deep.equal({ ...chosen, uri: 'https://app.example/other' });
    const atHost = redirectURI().resolve(at('here.example'), '/other');
    expect(atHost).to.deep.equal({ uri: 'https://here.example/other', isResolved: true });
  });

  it('otherwise follows the protocol and host of the request', () => {
    const relative = redirectURI();
    expect(relative.configured).to.equal(undefined);
    const resolved = relative.resolve(at('app.example', { url: '/login' }));
    expect(resolved).to.deep.equal({ uri: 'https://app.example/cb', isResolved: true });
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
      const uri = resolve(at('app.example', { url }), { callbackURL: 'cb' });
      expect(new URL(uri).host).to.equal('app.example');
    }
  });

  it('S14: of a request with a missing or invalid host is a failure that says what to do', () => {
    const hosts = ['', 'a b', 'user@evil.example', 'evil.example/path', 'a#b', 'a:x', 'a:1234567'];
    for (const host of [undefined, ...hosts]) {
      const failure = thrownBy(() => resolve(at(host))) as LoginFailure;
      expect([failure.status, failure.message], host).to.deep.equal([400, AMBIGUOUS]);
    }
  });

  it('T3: follows forwarded headers only where the framework trusts the proxy, or with the option proxy', () => {
    const forwarded = (host: string, name: string, protocol: string) => ({
      host,
      'x-forwarded-host': name,
      'x-forwarded-proto': protocol,
    });
    const app = (setting: string, value: unknown) => ({
      get: (name: string) => (name === setting ? value : undefined),
    });
    const trust = (answer: boolean) => app('trust proxy fn', (peer: string) => answer && peer === '10.0.0.1');
    const socket = { remoteAddress: '10.0.0.1' };
    const lying = { headers: forwarded('app.example', 'evil.example', 'http') };
    const behind = { headers: forwarded('internal:8080', 'app.example:8443', 'https, http') };
    const from = (proto: string | string[]) => ({
      headers: { host: 'app.example', 'x-forwarded-proto': proto },
    });
    const proxy = { proxy: true };
    const OWN = 'https://app.example/cb';
    const INTERNAL = 'https://internal:8080/cb';
    const FORWARDED = 'https://app.example:8443/cb';
    const requests: [title: string, request: object, uri: string, settings?: Settings][] = [
      ['alone', at('', { hostname: 'app.example', ...lying }), OWN],
      ['without a host name', at('', lying), OWN],
      ['Express trusts', at('', { ...behind, app: trust(true), socket }), FORWARDED],
      ['Express does not', at('', { ...behind, app: trust(false), socket }), INTERNAL],
      ['Koa trusts', at('', { ...behind, app: app('trust proxy', true) }), FORWARDED],
      ['another framework trusts', at('', { hostname: 'app.example', ...behind }), FORWARDED],
      ['it does not', at('', { hostname: 'INTERNAL', ...behind }), INTERNAL],
      ['it reports a third host', at('', { hostname: 'other.example', ...behind }), INTERNAL],
      ['no forwarded host', at('app.example', { hostname: 'evil.example' }), OWN],
      ['the option', at('', { ...behind, protocol: 'http' }), FORWARDED, proxy],
      ['the option, no proxy', at('app.example', { protocol: 'http' }), 'http://app.example/cb', proxy],
      ['the option, a list of headers', from(['https', 'http']), OWN, proxy],
      ['another protocol', from('javascript'), 'http://app.example/cb', proxy],
    ];
    for (const [title, request, uri, settings] of requests)
      expect(resolve(request, settings), title).to.equal(uri);
  });

  it('T3: several forwarded hosts are ambiguous behind a trusted proxy, and ignored without one', () => {
    const headers = { host: 'internal', 'x-forwarded-host': 'evil.example, app.example' };
    const from = (hostname?: string) => at('', { hostname, headers });
    expect(() => resolve(from('evil.example'))).to.throw(LoginFailure, AMBIGUOUS);
    expect(() => resolve(from(), { proxy: true })).to.throw(LoginFailure, AMBIGUOUS);
    expect(resolve(from('internal'))).to.equal('https://internal/cb');
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
    for (const host of ['app.example:8443', 'APP.EXAMPLE:8443']) {
      expect(redirectURI().of(at(host), resolved), host).to.equal('https://app.example:8443/cb');
    }
  });

  it('C35: that only the start was given belongs to its own host: staging may have the same client', () => {
    const given = { ...login, redirectURI: 'https://staging.example/cb' };
    const strategy = redirectURI();
    expect(strategy.of(at('staging.example'), given)).to.equal(given.redirectURI);
    expect(strategy.of(at('app.example'), given, given.redirectURI)).to.equal(given.redirectURI);
    const failure = thrownBy(() => strategy.of(at('app.example'), given)) as LoginFailure;
    expect(failure.message).to.include('give it at both routes');
  });

  it('S8, C42: that was resolved from a request is not accepted at another host, port or protocol, nor without one', () => {
    const hosts = ['evil.example', 'sub.app.example', 'app.example', 'app.example:9999', undefined, 'a b'];
    const elsewhere = [...hosts.map((host) => at(host)), at('app.example:8443', { protocol: 'http' })];
    // The last: a store of the application lost the redirect URI.
    const attempts = [
      ...elsewhere.map((req) => [req, resolved] as const),
      [at('app.example'), login] as const,
    ];
    for (const [req, pending] of attempts) {
      const failure = thrownBy(() => redirectURI().of(req, pending)) as LoginFailure;
      expect([failure.code, failure.status]).to.deep.equal(['unknown_login', 403]);
      expect(failure.message).to.include('began under another host name, port or protocol');
    }
  });
});

describe('redirect URI: warnings', () => {
  const warnings = collectsWarnings();
  restoresMode();

  const plain = at('app.example', { protocol: 'http' });
  const proxied = (host: string, proto = 'https') => ({
    protocol: 'http',
    headers: { host, 'x-forwarded-proto': proto },
  });
  const behind = proxied('127.0.0.1:3000');
  const rule =
    'TheStrategy: option callbackURL is http://app.example/cb. The network takes https only. Use https.';
  const local = 'TheStrategy: option callbackURL is http://127.0.0.1:3000/cb.';
  const network = { authorizationURL: NETWORK };
  const http = { callbackURL: 'http://app.example/cb' };
  const here = { callbackURL: 'http://127.0.0.1:3000/cb' };
  const absolute = { callbackURL: 'https://app.example/cb' };
  type Warned = readonly [title: string, settings: Settings, request?: object | undefined, warning?: string];

  const RULES: readonly Warned[] = [
    [
      'an http callbackURL',
      { ...network, callbackURL: `${http.callbackURL}?secret=1` },
      undefined,
      rule.replace('/cb.', '/cb, with a query.'),
    ],
    ['a callbackURL that becomes http', network, plain, rule],
    ['the same with a sandbox', http],
    ['an https callbackURL', { ...network, ...absolute }],
    ['a relative callbackURL before the first login', network],
    ['this machine', { ...network, ...here }],
    [
      'a URL of this machine that the network rejects',
      { ...network, callbackURL: 'http://localhost:3000/cb' },
      undefined,
      `${local.replace('127.0.0.1', 'localhost')} The network takes https only. Use https.`,
    ],
    ['a proxy that is not trusted', {}, behind, `${local}${PROXY}`],
    ['such a proxy and a network that takes https only', network, proxied('app.example'), `${rule}${PROXY}`],
    ['a trusted proxy', { proxy: true }, behind],
    ['a framework that trusts the proxy', {}, { ...behind, protocol: 'https' }],
    ['a proxy without TLS', {}, proxied('127.0.0.1:3000', 'http')],
    ['an absolute callbackURL behind a proxy', here, behind],
  ];
  /** Without the warning of the Host header, which security/wrong-person tests. */
  const texts = async () => (await warnings.texts()).filter((text) => !text.includes('option baseURL'));
  for (const [title, settings, request, warning] of RULES) {
    it(`T2: ${title} causes ${warning === undefined ? 'none' : 'one'}, also in production`, async () => {
      for (const mode of ['development', 'production']) {
        environmentOf(mode);
        const made = redirectURI(settings);
        for (let count = 0; request && count < 2; count += 1) made.resolve(request);
      }
      expect(await texts()).to.deep.equal(warning === undefined ? [] : [warning, warning]);
    });
  }

  /** What the flow does with the request that begins a login. */
  const start = (made: RedirectURI, request: object, callbackURL?: string) => {
    if (process.env.NODE_ENV !== 'production')
      warnOfStart({ name: 'network', redirectURI: made }, request, callbackURL);
    made.resolve(request, callbackURL);
  };

  const lost = (from: string, to: string) =>
    `TheStrategy: a login began at ${from}, and its redirect URI is at ${to}: the browser will not send the login's cookie there. Open the application at ${to}, or change callbackURL.`;
  const away = lost('https://localhost', 'https://app.example');
  const unsafe = lost('http://app.example', 'https://app.example');
  const named = lost('http://localhost:3000', 'http://127.0.0.1:3000');
  const HOSTS: readonly Warned[] = [
    ['the host of the redirect URI', absolute, at('app.example:8443')],
    ['another host', absolute, at('localhost'), away],
    ['another host than that of baseURL', { baseURL: 'https://app.example' }, at('localhost'), away],
    ['another protocol', absolute, plain, unsafe],
    ['the host of the redirect URI, behind a proxy that is not trusted', absolute, proxied('app.example')],
    ['the host of baseURL, behind such a proxy', { baseURL: 'https://app.example' }, proxied('app.example')],
    [
      'another host behind such a proxy',
      absolute,
      proxied('localhost'),
      lost('http://localhost', 'https://app.example'),
    ],
    ['localhost instead of 127.0.0.1', here, at('localhost:3000', { protocol: 'http' }), named],
    ['no host', absolute, at(undefined)],
    ['a relative callbackURL', {}, at('localhost')],
  ];
  for (const [title, settings, request = {}, warning] of HOSTS) {
    it(`a login that begins at ${title} causes ${warning === undefined ? 'none' : 'one, but not in production'}`, async () => {
      for (const mode of ['production', 'development']) {
        environmentOf(mode);
        const made = redirectURI(settings);
        for (let count = 0; count < 2; count += 1) start(made, request);
        const isExpected = warning !== undefined && mode === 'development';
        expect(await texts()).to.deep.equal(isExpected ? [warning] : []);
      }
    });
  }

  it('a callbackURL given for one login is compared as well', async () => {
    const made = redirectURI();
    start(made, at('localhost'), 'https://app.example/cb');
    start(redirectURI(), behind, here.callbackURL);
    expect(await texts()).to.deep.equal([away]);
  });

  it('a callbackURL without a slash causes one, which says what it depends on', async () => {
    const made = redirectURI({ callbackURL: 'auth/cb' });
    for (let count = 0; count < 2; count += 1) start(made, at('app.example', { url: '/signin/x' }));
    expect(await texts()).to.deep.equal([
      'TheStrategy: option callbackURL has no slash at its start, so it depends on the path at which the login begins. Write it with a slash, or as an absolute URL.',
    ]);
  });

  it('a sign-in route with another name than the default callbackURL causes one, but not in production', async () => {
    const from = (url: string) => at('app.example', { url });
    const made = (isDefault = true) => redirectURI({ callbackURL: '/callback/first', isDefault });
    environmentOf('production');
    start(made(), from('/signin/second'));
    environmentOf('development');
    start(made(), at('app.example', { originalUrl: '/signin/first', url: '/signin/second' }));
    for (const url of ['/signin/first?next=/', '/login']) start(made(), from(url));
    start(made(), from('/signin/second'), '/callback/second');
    start(made(false), from('/signin/second'));
    expect(await texts()).to.deep.equal([]);
    const repeated = made();
    for (let count = 0; count < 2; count += 1) start(repeated, from('/signin/second?next=/'));
    expect(await texts()).to.deep.equal([
      'TheStrategy: a login began at .../signin/second, and its callback URL is /callback/first. If Passport knows the strategy as second, also set the option name; otherwise set callbackURL.',
    ]);
  });
});

const ROOT = join(__dirname, '../../..');
/** The compiled tests run the compiled code. */
const EXTENSION = extname(__filename);
const LOADER = EXTENSION === '.ts' ? ['--require', 'tsx/cjs'] : [];

/** A login that begins with a misspelt option, and a callback that belongs to none; then which files have been loaded. */
const PROGRAM = `
const passport = require('passport');
const { ShortVideoStrategy } = require('./lib/index${EXTENSION}');
const options = { clientID: 'a-client-key', clientSecret: 'a-secret-of-twenty-characters', baseURL: 'https://app.example' };
passport.use(new ShortVideoStrategy(options, () => {}));
const res = { setHeader() {}, appendHeader() {}, end: () => {} };
const run = (url) => new Promise((resolve) => {
  const req = { url, headers: { host: 'other.example' }, res };
  passport.authenticate('short-video', { scop: 'x' }, resolve)(req, { ...res, end: resolve }, resolve);
});
run('/login').then(() => run('/callback?code=x&state=y')).then(() => {
  console.log(Object.keys(require.cache).some((file) => /core.development\\${EXTENSION}$/.test(file)));
});
`;

describe('warnings for developers', () => {
  for (const [environment, isLoaded] of [
    ['production', false],
    ['development', true],
  ] as const) {
    it(`are ${isLoaded ? 'loaded and given' : 'neither loaded nor given'} in ${environment}`, function () {
      this.timeout(20_000);
      const { stdout, stderr } = spawnSync(process.execPath, [...LOADER, '-e', PROGRAM], {
        cwd: ROOT,
        encoding: 'utf8',
        env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: environment },
      });
      expect(stdout.trim(), stderr).to.equal(String(isLoaded));
      for (const warning of ['no option scop', 'a login began at', 'belongs to no pending login'])
        expect(stderr.includes(warning), stderr).to.equal(isLoaded);
    });
  }
});
