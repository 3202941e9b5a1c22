import { inspect } from 'node:util';
import { expect } from 'chai';
import { cookieLogins } from '../../lib/index.js';
import type { SandboxPerson } from '../../sandbox/lib/index.js';
import { describeEach, personOf } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { callbackOf } from '../support/journey.js';
import type { LoginApp } from '../support/login-app.js';

const PEOPLE = ['alice', 'anna', 'max', 'alice', 'anna', 'max', 'alice', 'anna'];

/** Orders in which eight tabs finish. */
const ORDERS: Readonly<Record<string, readonly number[]>> = {
  'the same order': [0, 1, 2, 3, 4, 5, 6, 7],
  'reverse order': [7, 6, 5, 4, 3, 2, 1, 0],
  'mixed order': [3, 0, 6, 1, 7, 4, 2, 5],
};

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

  for (const [title, order] of Object.entries(ORDERS)) {
    it(`C3: eight tabs with a forged response between them finish in ${title}, at applications that share only the client secret`, async () => {
      const world = await sandbox();
      // A store of its own, so a replay guard of its own.
      const make = () => app(strategy(world, { store: cookieLogins() }), { sessionless: true });
      const servers = [await make(), await make()] as const;
      const visit = visits(new Browser());
      const callbacks: string[] = [];
      for (const [tab, person] of PEOPLE.entries()) {
        const { location } = await visit(servers[tab % 2 === 0 ? 0 : 1], `/login/${provider}`);
        const { location: callback } = await new Browser().get(`${location}&auto=allow&person=${person}`);
        callbacks.push(callback);
      }
      for (const tab of order) {
        // At the application that did not begin it.
        const server = servers[tab % 2 === 0 ? 1 : 0];
        const forged = await visit(server, forge(callbacks[tab] ?? ''));
        expect([forged.status, forged.json.failure.code]).to.deep.equal([403, 'unknown_login']);
        const page = await visit(server, callbacks[tab] ?? '');
        expect(page.json.user).to.deep.equal(personOf(subject, world, PEOPLE[tab] ?? ''));
      }
    });
  }

  it('C3: eight tabs that start at the same time and finish at the same time all log in', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    const callbacks = await Promise.all(PEOPLE.map((id) => callbackOf(browser, server, provider, id)));
    const pages = await Promise.all(callbacks.map((callback) => browser.get(callback)));
    expect(pages.map(({ json }) => json.user)).to.deep.equal(
      PEOPLE.map((id) => personOf(subject, world, id)),
    );
  });

  for (const [title, options, limit] of [
    ['eight pending logins', {}, 8],
    ['as many pending logins as the limit of the store', { store: cookieLogins({ limit: 3 }) }, 3],
  ] as const) {
    it(`C3: ${title} are kept, and the oldest is dropped first`, async () => {
      const server = await app(strategy(await sandbox(), options), { sessionless: true });
      const browser = new Browser();
      const callbacks: string[] = [];
      for (let tab = 0; tab <= limit; tab += 1) callbacks.push(await callbackOf(browser, server, provider));
      expect(browser.cookieHeader(server.url).split('; ')).to.have.length(limit);
      const [oldest = '', ...others] = callbacks;
      expect((await browser.get(oldest)).json.failure.code).to.equal('unknown_login');
      for (const callback of others) expect((await browser.get(callback)).status).to.equal(200);
      expect(browser.cookieHeader(server.url)).to.equal('');
    });
  }
});

/** An authorization response as forged by somebody who knows its parameters but not their values. */
function forge(callback: string): string {
  const url = new URL(callback);
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, `forged-${name}`);
  return url.href;
}

const CROWD: readonly SandboxPerson[] = Array.from({ length: 40 }, (_, index) => ({
  id: `person-${index}`,
  displayName: `Person Number${index}`,
  givenName: 'Person',
  familyName: `Number${index}`,
  handle: `person_${index}`,
  openId: `open-id-${index}`,
  microblogId: String(1_000_000_000_000_000_000n + BigInt(index)),
  socialNetworkId: 7_000_000_000 + index,
}));

describeEach('many users at the same time', ({ subject, sandbox, strategy, app }) => {
  const { provider, name } = subject;

  for (const [count, way] of [
    [10, 'name'],
    [10, 'instance'],
    // One strategy that covers both versions of OAuth is enough for a test of this size.
    ...(name === 'MicroblogStrategy' ? [[40, 'instance'] as const] : []),
  ] as const) {
    it(`S5: ${count} interleaved logins through the strategy's ${way} each log in the right user`, async () => {
      const people = CROWD.slice(0, count);
      const world = await sandbox({ people });
      const server = await app(strategy(world), { byInstance: way === 'instance' });
      // Starts all logins together, then finishes them together.
      const logins = await Promise.all(
        people.map(async ({ id }) => {
          const browser = new Browser();
          return { id, browser, callback: await callbackOf(browser, server, provider, id) };
        }),
      );
      const users = await Promise.all(
        logins.map(async ({ id, browser, callback }) => ({ id, page: await browser.get(callback) })),
      );
      for (const { id, page } of users) {
        expect(page.json.user, page.text).to.deep.equal(personOf(subject, world, id));
      }
      expect([users.length, server.endings.length]).to.deep.equal([count, count]);
    });
  }

  it('S5: a start, a login and a forged authorization response at the same time each get their own response', async () => {
    const world = await sandbox();
    const server = await app(strategy(world), { byInstance: true });
    const browser = new Browser();
    const callback = await callbackOf(browser, server, provider, 'anna');
    const [login, failure, beginning] = await Promise.all([
      browser.get(callback),
      new Browser().get(forge(callback)),
      new Browser().get(`${server.url}/login/${provider}`),
    ]);
    expect(login.json.user).to.deep.equal(personOf(subject, world, 'anna'));
    expect([failure.status, beginning.status]).to.deep.equal([403, 302]);
  });

  it('S5: a login through the strategy instance leaves nothing on it except the actions of Passport', async () => {
    const made = strategy(await sandbox());
    const actions = ['success', 'fail', 'redirect', 'pass', 'error'];
    /** A printed copy, because the values themselves may be changed in place. */
    const properties = () =>
      inspect(
        Object.entries(Object.getOwnPropertyDescriptors(made))
          .filter(([property]) => !actions.includes(property))
          .map(([property, { value }]) => [property, value as unknown]),
        { depth: 4 },
      );
    const before = properties();
    const server = await app(made, { byInstance: true });
    const browser = new Browser();
    expect((await browser.get(await callbackOf(browser, server, provider))).status).to.equal(200);
    expect(properties()).to.equal(before);
  });
});
