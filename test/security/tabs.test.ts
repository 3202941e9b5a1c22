import { expect } from 'chai';
import { cookieLogins } from '../../lib/index.js';
import type { SandboxPerson } from '../../sandbox/lib/index.js';
import { describeEach, personOf } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { callbackOf } from '../support/journey.js';
import type { LoginApp } from '../support/login-app.js';

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
});

/** An authorization response as forged by somebody who knows its parameters but not their values. */
function forge(callback: string): string {
  const url = new URL(callback);
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, `forged-${name}`);
  return url.href;
}

const CROWD: readonly SandboxPerson[] = Array.from({ length: 10 }, (_, index) => ({
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
  const { provider } = subject;

  for (const way of ['name', 'instance']) {
    it(`S5: ten interleaved logins through the strategy's ${way} each log in the right user`, async () => {
      const world = await sandbox({ people: CROWD });
      const server = await app(strategy(world), { byInstance: way === 'instance' });
      // Starts all logins together, then finishes them together.
      const logins = await Promise.all(
        CROWD.map(async ({ id }) => {
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
      expect([users.length, server.endings.length]).to.deep.equal([10, 10]);
    });
  }
});
