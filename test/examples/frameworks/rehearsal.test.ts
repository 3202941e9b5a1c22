import { appendFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import type { LoginStore } from '../../../lib/index.js';
import { login, rehearse, startSandbox } from '../../../sandbox/lib/index.js';
import { temporaryFolder } from '../../support/cleanup.js';
import { EXAMPLES } from '../../support/frameworks.js';
import { memoryLogins } from '../../support/logins.js';
import { realSockets } from '../../support/real-sockets.js';
import { rehearsed } from '../../support/rehearsal.js';
import { serve, type TestServer } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';
import { oneAuthority, serveTLS } from '../../support/tls-front.js';
import { collectsWarnings } from '../../support/warnings.js';
import { startApp } from '../app.js';
import { FRAMEWORKS, type Framework, NETWORKS, prepareExamples, SECRET, sandboxNetworks } from './harness.js';

/** What every response may take after the login, and twice what the strategies wait for the network. Much, because the machine may be busy. */
const PATIENCE = 4_800;
const ENDLESS = 'a page without an end';
/** One protocol and scheme for each framework, and two frameworks for each mistake, others at every commit; with `REHEARSALS=all` all of them, as every night. */
const IS_WHOLE = process.env.REHEARSALS === 'all';
const SEED = Number(process.env.FUZZ_SEED ?? 0);
const IS_SECURE = SEED % 2 === 1;

/** Stands in front of an application. @returns An object if the application is not to answer. */
type Front = (req: IncomingMessage, res: ServerResponse, query: URLSearchParams) => unknown;

function atHead(res: ServerResponse, change: () => void): void {
  const writeHead = res.writeHead.bind(res);
  res.writeHead = (status: number, ...rest: unknown[]) => {
    const [headers = {}] = rest.filter((one) => typeof one === 'object');
    for (const [name, value] of Object.entries(headers as object)) res.setHeader(name, value);
    res.statusCode = status;
    change();
    return writeHead(res.statusCode);
  };
}

const header =
  (name: string, value: string): Front =>
  (_req, res) =>
    atHead(res, () => res.setHeader(name, value));

/** Changes the cookies of the session. */
const cookies =
  (pattern: RegExp, replacement: string): Front =>
  (_req, res) =>
    atHead(res, () => {
      const set = [res.getHeader('set-cookie') ?? []].flat().map(String);
      const changed = set.map((line) =>
        line.startsWith('login') ? line : line.replace(pattern, replacement),
      );
      if (set.length > 0) res.setHeader('set-cookie', changed);
    });

/** Adds cookies with values of so many characters. */
const add = (res: ServerResponse, ...lengths: number[]) =>
  atHead(res, () => {
    for (const [index, length] of lengths.entries())
      res.appendHeader('set-cookie', `login-${index}=${'x'.repeat(length)}; Path=/; Max-Age=60; HttpOnly`);
  });

const SAME_SITE = /SameSite=\w+/i;
const redirect = (res: ServerResponse, location: string) => res.writeHead(303, { location }).end();
const crash = (res: ServerResponse) => res.writeHead(500).end('Oops');
const isCallback = ({ url = '' }: IncomingMessage) => url.includes('/callback/');

const redirectWithCode: Front = (req, res) => {
  const change = () => res.hasHeader('location') && res.setHeader('location', `/?${req.url?.split('?')[1]}`);
  if (isCallback(req)) atHead(res, change);
};

const showStack: Front = (_req, res) => {
  const end = res.end.bind(res) as (text: unknown) => ServerResponse;
  atHead(res, () => res.statusCode >= 500 && res.removeHeader('content-length'));
  res.end = (text: unknown) => end(res.statusCode < 500 ? text : 'Error\n    at finish (/srv/app.js:1:2)');
};

const LOG = join(temporaryFolder(), 'app.log');

/** The checks that find a mistake, what the remedy of the first one names, and the mistake: in front of the application, or in its options. */
type Mistake = readonly [names: string, remedy: RegExp, front: Front, options?: () => object];

/** Keeps one login, whichever tab began it. */
function lastLogin(): LoginStore {
  const store = memoryLogins();
  const save: LoginStore['save'] = (req, login) => {
    store.logins.clear();
    return store.save(req, login);
  };
  return { ...store, save };
}

const withoutBaseURL = () => ({ baseURL: undefined });
const MISTAKES: Readonly<Record<string, Mistake>> = {
  'a session that scripts can read': ['cookies', /httpOnly: true/, cookies(/; HttpOnly/i, '')],
  'SameSite=Strict': ['somebody else signed in|cookies', /'lax'/, cookies(SAME_SITE, 'SameSite=Strict')],
  'SameSite=None without Secure': ['session|cookies', /sameSite: 'lax'/, cookies(SAME_SITE, 'SameSite=None')],
  'a cookie that browsers drop': [
    'cookies',
    /on the server/,
    (req, res) => isCallback(req) && add(res, 5_000),
  ],
  'cookies that no server takes': ['cookies', /on the server/, (_req, res) => add(res, 2_700, 2_700, 2_700)],
  'a guard that drops the payload of VK ID': [
    'other form of the response',
    /isLoginResponse/,
    (_req, res, query) => query.has('payload') && redirect(res, '/'),
  ],
  'an error at a decline': [
    'decline|reload after failure',
    /failureRedirect/,
    (_req, res, query) => query.has('error') && crash(res),
  ],
  [ENDLESS]: ['decline', /branch/, (_req, res, query) => query.has('error') && res],
  'a visible stack': ['network error|error pages', /handler/, showStack],
  'a crash at a callback without parameters': [
    'stray callback',
    /failureRedirect/,
    (req, res, { size }) => isCallback(req) && size === 0 && crash(res),
  ],
  'a login of whoever opens a callback': [
    'planted callback|expired login',
    /option store/,
    // A cookie that expires with the login, which the store does not ask for.
    (_req, res) => add(res, 1),
    () => ({ store: memoryLogins() }),
  ],
  'a store of one login': ['two tabs|planted callback', /store/, () => false, () => ({ store: lastLogin() })],
  'a redirect URI that follows Host': ['foreign Host', /baseURL/, () => false, withoutBaseURL],
  'a redirect URI that follows Host after a redirect': [
    'foreign Host',
    /baseURL/,
    ({ url = '' }, res, query) =>
      url.includes('/signin/') && !query.has('go') && redirect(res, `${url.split('?')[0]}?go=1`),
    withoutBaseURL,
  ],
  'a redirect URI that follows X-Forwarded-Host': [
    'foreign X-Forwarded-Host',
    /baseURL/,
    ({ headers }, res) => !headers.host?.startsWith('127.0.0.1') && res.writeHead(421).end('Not here'),
    () => ({ baseURL: undefined, proxy: true }),
  ],
  'a response that caches keep': ['caching', /Cache-Control/, header('Cache-Control', 'public')],
  'a leaked address': ['Referrer-Policy', /Referrer-/, header('Referrer-Policy', 'unsafe-url')],
  'a code in an address': ['secrets in responses', /URLs of your own/, redirectWithCode],
  'a code in the log': ['secrets in logs', /without/, ({ url }) => appendFileSync(LOG, `${url}\n`)],
};

describe('a rehearsal of the example for', function () {
  this.timeout(120_000);
  const open = realSockets();
  collectsWarnings();
  before(prepareExamples);
  const authority = oneAuthority(['IP:127.0.0.1']);

  /** Starts the example with a sandbox of its own. @returns Its URL. */
  async function start(
    { load }: Framework,
    front?: Front,
    options?: () => object,
    listen: (listener: RequestListener) => Promise<TestServer> = serve,
  ): Promise<string> {
    const sandbox = open(await startSandbox());
    let listener: RequestListener = (_req, res) => res.end();
    const server = open(
      await listen((req, res) => {
        const { searchParams } = new URL(req.url ?? '', 'http://localhost');
        if (front?.(req, res, searchParams) instanceof Object) return;
        listener(req, res);
      }),
    );
    const own = { baseURL: server.url, timeout: PATIENCE / 2, ...options?.() };
    const networks = Object.entries(sandboxNetworks(sandbox)).map(([name, given]) => [
      name,
      { ...given, ...own },
    ]);
    const app = await load({
      networks: Object.fromEntries(networks),
      secret: SECRET,
      report: () => {},
    });
    open({ close: async () => app.close?.() });
    ({ listener } = app);
    return server.url;
  }

  for (const [index, framework] of FRAMEWORKS.entries()) {
    const { title, sessionless } = framework;
    for (const [place, { name }] of NETWORKS.entries()) {
      for (const scheme of ['http', 'https']) {
        const isDrawn = (index + place + SEED) % NETWORKS.length === 0 && (scheme === 'https') === IS_SECURE;
        if (!IS_WHOLE && !isDrawn) continue;
        it(`${title} finds nothing wrong with ${name} over ${scheme}`, async () => {
          const session = !sessionless;
          const listen = (listener: RequestListener) => serveTLS(authority, listener);
          const app = await start(framework, undefined, undefined, scheme === 'https' ? listen : serve);
          const given = { patience: PATIENCE, session, ca: authority.chain };
          const { checks } = await rehearse(`${app}/api/auth/signin/${name}`, given);
          expect(checks.filter(({ passed }) => passed === false)).to.deep.equal([]);
          expect(checks).to.have.length(39);
          const early = checks.find((check) => check.name === 'somebody else signed in');
          expect(early?.passed).to.equal(session || undefined);
        });
      }
    }
  }

  // One kind of session for each framework.
  const frameworks = FRAMEWORKS.filter(({ title }) => /(?:express-|\/|koa-)session$/.test(title));
  for (const [index, framework] of frameworks.entries()) {
    for (const [place, [title, [list, remedy, ...mistake]]] of Object.entries(MISTAKES).entries()) {
      if (!IS_WHOLE && (index + place + SEED) % 3 !== 0) continue;
      it(`${framework.title} finds ${title}`, async () => {
        const names = list.split('|');
        const url = `${await start(framework, ...mistake)}/api/auth/signin/social-network-vk-id`;
        const patience = title === ENDLESS ? 1_600 : PATIENCE;
        const { checks } = await rehearse(url, { patience, only: names, log: LOG });
        const failed = checks.filter(({ passed }) => passed === false);
        expect(failed.map((check) => check.name)).to.have.members(names);
        for (const found of failed) expect(found.remedy).to.match(found.name === names[0] ? remedy : /./);
      });
    }
  }

  it('Express takes the form of a link', async () => {
    const app = await start(FRAMEWORKS[1] as Framework);
    const alice = await login(`${app}/api/auth/signin/microblog`, { person: 'alice' });
    const refused = await alice.link('/link/short-video', { deny: true });
    expect(refused.response.status).to.equal(401);
    expect(refused.url.split('?')[0]).to.equal(`${app}/api/auth/callback/short-video`);
    const linked = await alice.link('/link/short-video', { person: 'anna', form: { token: 'unused' } });
    const account = await linked.response.json();
    expect(linked.url).to.equal(`${app}/`);
    const anna = await login(`${app}/api/auth/signin/short-video`, { person: 'anna' });
    expect(await anna.response.json()).to.deep.equal(account);
    expect((await rejectionOf(alice.link('/', { form: 'token' } as never))) as Error)
      .to.be.an.instanceOf(TypeError)
      .with.property('message', 'link: form must be an object of names and values');
  });

  for (const [file, name, ...words] of [
    ['express/server.js', 'microblog-1-0'],
    ['express/server.js', 'social-network', 'cookie-session'],
    ['express/server.js', 'microblog', 'sessionless'],
    ['express-4/server.js', 'short-video'],
    ['fastify/server.js', 'social-network'],
    ['koa/server.js', 'short-video'],
    ['nestjs/dist/main.js', 'social-network-vk-id'],
    ['nestjs-11/dist/main.js', 'microblog'],
  ] as const)
    it(`${[file, ...words].join(' ')} finds nothing wrong, started as its README says`, async () => {
      const app = await startApp({}, join(EXAMPLES, file), ...words);
      const session = words[0] !== 'sessionless';
      await rehearsed(`${app.url}/api/auth/signin/${name}`, { session }).finally(() => app.close());
    });
});
