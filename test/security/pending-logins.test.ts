import crypto = require('node:crypto');

import { mock } from 'node:test';
import { expect } from 'chai';
import { randomSecret } from '../../lib/core/oauth2/index.js';
import { cookieLogins } from '../../lib/index.js';
import type { Sandbox } from '../../sandbox/lib/index.js';
import { backendRequests, describeEach, expectRefused, isOAuth2, personOf } from '../contract/harness.js';
import { tableAfter } from '../guides/pages.js';
import { Browser } from '../support/browser.js';
import { fakeClock } from '../support/clock.js';
import { allow, callbackOf, deny, FOREIGN, start, withParameters } from '../support/journey.js';
import type { LoginApp } from '../support/login-app.js';

describeEach(
  'the state of a login',
  ({ subject, sandbox, strategy, app }) => {
    it('C5: a state is 32 bytes from the cryptographic source, never shared with another caller', async () => {
      const { mock: source } = mock.method(crypto, 'randomBytes');
      try {
        // Uses up the random values made in advance.
        const before = Array.from({ length: 64 }, () => randomSecret());
        const server = await app(strategy(await sandbox()));
        const states: (string | null)[] = [];
        for (let login = 0; login < 5; login += 1)
          states.push(
            new URL(await start(new Browser(), server, subject.provider)).searchParams.get('state'),
          );
        const made = source.calls.map(({ result }) =>
          (result as unknown as Buffer | undefined)?.toString('base64url'),
        );
        expect(made).to.include.members(states);
        expect(before).to.not.include.members(states);
      } finally {
        source.restore();
      }
    });
  },
  isOAuth2,
);

describeEach('the lifetime of a login', ({ subject, serving }) => {
  const clock = fakeClock();
  const MINUTE = 60_000;

  for (const [title, after, expected, lifetime] of [
    ['C6: a login can be finished until one millisecond before ten minutes', 10 * MINUTE - 1, 200],
    ['C6: a login finishes at a machine whose clock is behind by less than the lifetime', -9 * MINUTE, 200],
    ['C6, C18: after ten minutes a login is 403 expired_login, with no request', 10 * MINUTE, 403],
    ['C6: the option lifetime of the store sets another time', MINUTE, 403, MINUTE],
  ] as const) {
    it(title, async () => {
      const { world, server } = await serving({ store: cookieLogins({ lifetime }) });
      const browser = new Browser();
      clock.stop();
      const authorization = await start(browser, server, subject.provider);
      clock.advance(after);
      const callback = await allow(browser, authorization);
      if (expected === 403) await expectRefused(world, () => browser.get(callback), 'expired_login');
      else expect((await browser.get(callback)).status).to.equal(expected);
    });
  }
});

interface Outcome {
  readonly status: number;
  readonly verify?: () => unknown;
  /** What the user does at the network. @default allow */
  readonly callback?: typeof deny;
  /** What happens to the network before the authorization response. */
  readonly before?: (world: Sandbox) => unknown;
}

/** Every way in which a login can end, except expiry. */
const OUTCOMES: Readonly<Record<string, Outcome>> = {
  'a successful login': { status: 200 },
  'a declined login': { status: 401, callback: deny },
  'a rejection by verify': { status: 401, verify: async () => false },
  'an error in verify': { status: 500, verify: () => Promise.reject(new Error('the database is down')) },
  'an error response of the network': { status: 502, before: (world) => world.reset() },
  'an unreachable network': { status: 502, before: (world) => world.close() },
};

describeEach('an authorization response works once, in the browser that started the login', (contract) => {
  const { subject, sandbox, strategy, app, begin } = contract;
  const { provider } = subject;

  it('C1, C40: an authorization response without a pending login is 403, with no request to the network, and works in its own browser after that', async () => {
    const { world, server, browser, callback } = await begin();
    await expectRefused(world, () => new Browser().get(callback));
    const { failure } = server.endings.at(-1) as { failure: { message: string } };
    expect(failure.message).to.include('The browser sent no cookie');
    // So its URL is a credential for whoever had sent that login to the user, as the guide says.
    expect((await browser.get(callback)).status).to.equal(200);
    const remaining = tableAfter('docs/security.md', '## What remains');
    expect(remaining.find(([what]) => what?.includes('URL of a callback'))?.[1]).to.equal('each network');
  });

  it('C19: the state or request token is compared with timingSafeEqual, as digests of equal length', async () => {
    const { browser, callback } = await begin();
    const { mock: compared } = mock.method(crypto, 'timingSafeEqual');
    try {
      expect((await browser.get(callback)).status).to.equal(200);
    } finally {
      compared.restore();
    }
    const lengths = compared.calls.flatMap(({ arguments: both }) => both.map(({ byteLength }) => byteLength));
    // 43 is a SHA-256 digest in base64url; the comparisons of 32 bytes are express-session's.
    expect(lengths.filter((length) => length === 43)).to.have.length.above(1);
    expect(lengths.filter((length) => length !== 43 && length !== 32)).to.deep.equal([]);
  });

  for (const [outcome, { status, verify, callback, before }] of Object.entries(OUTCOMES)) {
    it(`C2: after ${outcome}, the same authorization response is 403, here and in another process`, async () => {
      const world = await sandbox({});
      const server = await app(strategy(world, {}, verify));
      const browser = new Browser();
      const responseURL = await (callback ?? allow)(browser, await start(browser, server, provider));
      await before?.(world);
      expect((await browser.get(responseURL)).status).to.equal(status);
      // A login that never got as far as the network's token endpoint is only gone from its store.
      const expected = callback === deny ? 'unknown_login' : 'used_login';
      await expectRefused(world, () => browser.get(responseURL), expected);
      const { pathname, search } = new URL(responseURL);
      const other = await app(strategy(world, { store: cookieLogins() }, verify));
      const header = { cookie: browser.cookieHeader(server.url) };
      await expectRefused(world, () => browser.get(`${other.url}${pathname}${search}`, header));
    });
  }
});

/** What Redis does with `SET id 1 NX PXAT expiresAt`. */
function sharedClaims() {
  const claimed = new Map<string, number>();
  return {
    claimed,
    claim: async (id: string, expiresAt: number) => {
      if (claimed.has(id)) return false;
      claimed.set(id, expiresAt);
      return true;
    },
  };
}

describeEach('replayed authorization responses', ({ subject: { provider }, strategy, app, begin }) => {
  it('C2, C26: with claim, two processes that get one authorization response at once post one code', async () => {
    const { claim, claimed } = sharedClaims();
    // Each process has a store of its own, so a replay guard of its own.
    const options = () => ({ store: cookieLogins({ claim }), baseURL: 'http://127.0.0.1:3000' });
    const { world, server: here, browser, callback } = await begin(options());
    const there = await app(strategy(world, options()));
    const before = backendRequests(world).length;
    const cookie = browser.cookieHeader(here.url);
    const { pathname, search } = new URL(callback);
    const responses = await Promise.all(
      [here, there].map(({ url }) => new Browser().get(`${url}${pathname}${search}`, { cookie })),
    );
    expect(responses.map(({ status }) => status)).to.have.members([200, 403]);
    expect(responses.flatMap(({ json }) => json.failure?.code ?? [])).to.deep.equal(['used_login']);
    expect(backendRequests(world)).to.have.length(before + 2);
    expect(claimed.size).to.equal(1);
    expect([...claimed.values()][0]).to.be.above(Date.now());
  });

  it('C26: a claim that fails ends the login before its code is posted', async () => {
    const claim = () => Promise.reject(new Error('Redis is down'));
    const { world, browser, callback } = await begin({ store: cookieLogins({ claim }) });
    const before = backendRequests(world).length;
    expect((await browser.get(callback)).json).to.include({ error: 'Error', message: 'Redis is down' });
    expect(backendRequests(world)).to.have.length(before);
  });

  it('C26: an authorization response without one of its parameters claims nothing, unless a request is sent', async () => {
    const { claim, claimed } = sharedClaims();
    const { world, server, callback: whole } = await begin({ store: cookieLogins({ claim }) });
    for (const name of new URL(whole).searchParams.keys()) {
      const browser = new Browser();
      const callback = await callbackOf(browser, server, provider);
      const [before, claims] = [backendRequests(world).length, claimed.size];
      await browser.get(withParameters(callback, { [name]: undefined }));
      if (backendRequests(world).length === before) expect(claimed.size, name).to.equal(claims);
    }
  });
});

const PEOPLE = ['alice', 'anna', 'max', 'alice', 'anna', 'max', 'alice', 'anna'];

/** The order in which the tabs finish. */
const ORDER = [3, 0, 6, 1, 7, 4, 2, 5];

describeEach('several tabs', ({ subject, sandbox, strategy, app }) => {
  const { provider } = subject;

  /** The applications of a host: requests reach any of them, with the cookies of one browser. */
  function visits(browser: Browser) {
    const host = 'http://app.example';
    return async (server: LoginApp, url: string) => {
      const { pathname, search } = new URL(url, server.url);
      const page = await browser.get(`${server.url}${pathname}${search}`, {
        cookie: browser.cookieHeader(host),
      });
      browser.keepCookies(host, page.headers['set-cookie'] ?? []);
      return page;
    };
  }

  it('C3: eight tabs with a forged response between them finish in any order, at applications that share only the client secret', async () => {
    const world = await sandbox();
    // A store of its own, so a replay guard of its own.
    const options = () => ({ store: cookieLogins(), baseURL: 'http://127.0.0.1:3000' });
    const make = () => app(strategy(world, options()), { sessionless: true });
    const servers = [await make(), await make()] as const;
    const visit = visits(new Browser());
    const callbacks: string[] = [];
    for (const [tab, person] of PEOPLE.entries()) {
      const { location } = await visit(servers[tab % 2 === 0 ? 0 : 1], `/login/${provider}`);
      const { location: callback } = await new Browser().get(`${location}&auto=allow&person=${person}`);
      callbacks.push(callback);
    }
    for (const tab of ORDER) {
      // At the application that did not begin it.
      const server = servers[tab % 2 === 0 ? 1 : 0];
      const forged = await visit(server, forge(callbacks[tab] ?? ''));
      expect([forged.status, forged.json.failure.code]).to.deep.equal([403, 'unknown_login']);
      const page = await visit(server, callbacks[tab] ?? '');
      expect(page.json.user).to.deep.equal(personOf(subject, world, PEOPLE[tab] ?? ''));
    }
  });
});

/** An authorization response as forged by somebody who knows its parameters but not their values. */
function forge(callback: string): string {
  const url = new URL(callback);
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, `forged-${name}`);
  return url.href;
}

describeEach('many users at the same time', ({ subject, serving }) => {
  const { provider } = subject;

  for (const way of ['name', 'instance']) {
    it(`S5: interleaved logins through the strategy's ${way} each log in the right user`, async () => {
      const { world, server } = await serving({}, { byInstance: way === 'instance' });
      // Starts all logins together, then finishes them together.
      const logins = await Promise.all(
        PEOPLE.map(async (id) => {
          const browser = new Browser();
          return { id, browser, callback: await callbackOf(browser, server, provider, id) };
        }),
      );
      const pages = await Promise.all(logins.map(({ browser, callback }) => browser.get(callback)));
      expect(pages.map(({ json }) => json.user)).to.deep.equal(
        PEOPLE.map((id) => personOf(subject, world, id)),
      );
      expect(server.endings).to.have.length(PEOPLE.length);
    });
  }
});

/** The longest state that is kept by default. */
const LONG = 'x'.repeat(1_000);

describeEach('the room for pending logins', ({ subject: { provider }, sandbox, strategy, app }) => {
  /** An application without sessions. */
  const lean = async (options: object = {}, start: object = {}) =>
    app(strategy(await sandbox(), options), { sessionless: true, start });

  /** Begins logins one after another. @returns Their authorization responses. */
  async function tabs(count: number, browser: Browser, server: LoginApp, headers = {}): Promise<string[]> {
    const callbacks: string[] = [];
    for (let tab = 0; tab < count; tab += 1)
      callbacks.push(await allow(browser, await start(browser, server, provider, headers)));
    return callbacks;
  }

  async function expectLogins(browser: Browser, callbacks: readonly string[]): Promise<void> {
    for (const callback of callbacks) expect((await browser.get(callback)).status).to.equal(200);
  }

  /** An application, and the same with a long state in every login, which share a secret and a host. */
  async function applications() {
    const [server, talkative] = [await lean(), await lean({}, { state: LONG })];
    const browser = new Browser();
    /** Starts a login with a long state, in the browser's cookies for the other application. */
    const startLong = async (headers = {}) => {
      const cookie = browser.cookieHeader(server.url);
      const page = await browser.get(`${talkative.url}/login/${provider}`, { ...headers, cookie });
      browser.keepCookies(server.url, page.headers['set-cookie'] ?? []);
      return page;
    };
    return { server, browser, startLong };
  }

  it('C37: a login that does not fit beside the cookies of the application is refused with 431, before a cookie is set', async () => {
    const { server, browser, startLong } = await applications();
    const callbacks = await tabs(1, browser, server);
    const requests = backendRequests(await sandbox());
    const part = 'x'.repeat(3_247);
    browser.keepCookies(server.url, [`cart=${part}`, `seen=${part}`]);
    for (const headers of [{}, FOREIGN]) {
      const page = await startLong(headers);
      expect([page.status, page.headers['set-cookie']]).to.deep.equal([431, undefined]);
    }
    // The start of OAuth 1.0a asks for a request token before it knows what to keep.
    expect(backendRequests(await sandbox()).slice(requests.length)).to.not.include('token');
    // The pages of the application load as before, and the login that was pending finishes.
    expect((await browser.get(`${server.url}/me`)).status).to.equal(200);
    await expectLogins(browser, callbacks);
    expect((await callbackOf(browser, server, provider)).length).to.be.above(0);
  });

  it('C37: cookies without a value, and with the same name, count as well; the failure has the code no_room, and says what helps', async () => {
    const { url } = await lean();
    const message =
      'The cookies of this site leave no room for a login. Delete the cookies of this site in the browser, then start the login again.';
    const repeated = Array.from({ length: 8 }, () => `a=${LONG}`).join('; ');
    for (const cookie of ['x'.repeat(7_500), repeated, `cart=${'x'.repeat(7_390)}`]) {
      const page = await new Browser().get(`${url}/api/auth/callback/${provider}`, { cookie });
      expect([page.status, page.headers['set-cookie']]).to.deep.equal([431, undefined]);
      expect(page.json).to.deep.equal({ failure: { code: 'no_room', message } });
    }
  });

  it('C45: logins that another site begins have two places on a host, whatever the names of its stores', async () => {
    const { url } = await lean();
    const browser = new Browser();
    const [last, ...tenants] = await Promise.all(
      Array.from({ length: 7 }, (_, tenant) =>
        lean({ store: cookieLogins({ name: `tenant-${tenant}` }) }, { state: LONG }),
      ),
    );
    const begin = async (server: LoginApp, headers: object) => {
      const cookie = browser.cookieHeader(url);
      const page = await browser.get(`${server.url}/login/${provider}`, { ...headers, cookie });
      browser.keepCookies(url, page.headers['set-cookie'] ?? []);
      return page.status;
    };
    for (const server of [...tenants, ...tenants]) expect(await begin(server, FOREIGN)).to.equal(302);
    const names = browser.cookieHeader(url).match(/[^ ;=]+(?==)/g);
    expect(names).to.have.members(['login.x.1', 'login.x.2']);
    expect(await begin(last as LoginApp, {})).to.equal(302);
  });

  it("C34: logins that another site begins are marked, at most two, and push out only each other, never the user's eight", async () => {
    const server = await lean();
    const browser = new Browser();
    const own = await tabs(8, browser, server);
    const forced = await tabs(6, browser, server, FOREIGN);
    own.push(...(await tabs(1, browser, server)));
    const cookies = browser.cookieHeader(server.url).split('; ');
    expect(cookies.filter((cookie) => /^login\.x\.[12]=/.test(cookie))).to.have.length(2);
    expect(cookies.filter((cookie) => /^login\.[\w-]{16}=/.test(cookie))).to.have.length(8);
    const [lost = '', ...kept] = forced.slice(-3);
    for (const oldest of [lost, own.shift() ?? ''])
      await expectRefused(await sandbox(), () => browser.get(oldest));
    // A link of another site may log the user in: many sites have one.
    await expectLogins(browser, [...own, ...kept]);
    expect(browser.cookieHeader(server.url)).to.equal('');
    // Of many that start at once, none sees the cookies of the others: they overwrite each other.
    const atOnce = new Browser();
    for (let count = 0; count < 4; count += 1) {
      const { headers } = await new Browser().get(`${server.url}/login/${provider}`, FOREIGN);
      atOnce.keepCookies(server.url, headers['set-cookie'] ?? []);
    }
    expect(atOnce.cookieHeader(server.url)).to.match(/^login\.x\.1=[\w-]+$/);
  });
});
