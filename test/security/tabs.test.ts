import { expect } from 'chai';
import { cookieLogins } from '../../lib/index.js';
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
