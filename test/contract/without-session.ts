import { expect } from 'chai';
import { cookieLogins } from '../../lib/index.js';
import { Browser } from '../support/browser.js';
import { fakeClock } from '../support/clock.js';
import { allow, callbackOf, deny, logIn, start } from '../support/journey.js';
import type { LoginApp } from '../support/login-app.js';
import { backendRequests, type Contract, personOf } from './harness.js';

const SECRET = 'a-secret-of-at-least-thirty-two-characters';

/** Tests of logins in an application without sessions, for every network. */
export function withoutSession({ subject, sandbox, strategy, app }: Contract): void {
  const { provider } = subject;
  const clock = fakeClock();

  /** An application without sessions keeps nothing in the process, so two of them act as two machines. */
  async function sessionless(options: Partial<Parameters<typeof cookieLogins>[0]> = {}): Promise<LoginApp> {
    const store = cookieLogins({ secrets: SECRET, ...options });
    return app(strategy(await sandbox(), { store }), { sessionless: true });
  }

  const pendingCookies = (browser: Browser, { url }: LoginApp) =>
    browser
      .cookieHeader(url)
      .split('; ')
      .filter((pair) => pair.startsWith('login.'));

  it('without a session, a user logs in and application state comes back', async () => {
    const world = await sandbox();
    const store = cookieLogins({ secrets: SECRET });
    const server = await app(strategy(world, { store }), {
      sessionless: true,
      start: { state: { returnTo: '/cart' } },
    });
    const browser = new Browser();
    const page = await logIn(server, provider, 'anna', browser);
    expect(page.json.user).to.deep.equal(personOf(subject, world, 'anna'));
    expect(page.json.info.state).to.deep.equal({ returnTo: '/cart' });
    expect(browser.cookieHeader(server.url)).to.equal('');
  });

  it('without a session, a login that starts on one machine can finish on another with the same secret', async () => {
    const browser = new Browser();
    const callback = await callbackOf(browser, await sessionless(), provider, 'max');
    const other = await sessionless();
    const cookie = `${browser.cookieHeader(new URL(callback).origin)}`;
    const page = await new Browser().get(callback.replace(new URL(callback).origin, other.url), { cookie });
    expect(page.json.user).to.deep.equal(personOf(subject, await sandbox(), 'max'));
  });

  it('C2: without a session, a pending login is used up by every outcome', async () => {
    const server = await sessionless();
    for (const decide of [allow, deny]) {
      const browser = new Browser();
      const callback = await decide(browser, await start(browser, server, provider));
      const cookie = browser.cookieHeader(server.url);
      expect((await browser.get(callback)).status).to.equal(decide === allow ? 200 : 401);
      expect(pendingCookies(browser, server)).to.deep.equal([]);
      // The browser has lost its cookie; with a copy of it a declined login is declined again, and a finished one stays finished.
      const expected = decide === allow ? 'used_login' : 'unknown_login';
      expect((await browser.get(callback)).json.failure.code).to.equal(expected);
      const replay = await browser.get(callback, { cookie });
      expect(replay.json.failure.code).to.equal(decide === allow ? 'used_login' : 'access_denied');
    }
  });

  it('C2: without a session, a shared replay guard rejects a copied login on every machine', async () => {
    const used = new Set<string>();
    const claim = async (id: string) => !used.has(id) && Boolean(used.add(id));
    const one = await sessionless({ claim });
    const other = await sessionless({ claim });
    const browser = new Browser();
    const callback = await callbackOf(browser, one, provider);
    const cookie = browser.cookieHeader(one.url);
    expect((await browser.get(callback)).status).to.equal(200);
    const before = backendRequests(await sandbox()).length;
    const replay = await browser.get(callback.replace(one.url, other.url), { cookie });
    expect(replay.status).to.equal(403);
    expect(replay.json.failure.code).to.equal('used_login');
    expect(backendRequests(await sandbox())).to.have.length(before);
  });

  it('C6: without a session, a login expires after its lifetime, even if the browser keeps the cookie', async () => {
    const server = await sessionless({ lifetime: 60_000 });
    const browser = new Browser();
    const callback = await callbackOf(browser, server, provider);
    clock.advance(60_001);
    const page = await browser.get(callback);
    expect(page.status).to.equal(403);
    expect(page.json.failure.code).to.equal('expired_login');
  });

  it('without a session, a clock that is set back by an hour does not extend a login', async () => {
    const server = await sessionless();
    const browser = new Browser();
    const callback = await callbackOf(browser, server, provider);
    clock.advance(-3_600_000);
    expect((await browser.get(callback)).json.failure.code).to.equal('expired_login');
  });

  it('C3: without a session, twenty tabs that start at the same time all finish, in reverse order', async () => {
    const world = await sandbox();
    const server = await sessionless();
    const browser = new Browser();
    const people = Array.from({ length: 20 }, (_, index) => ['alice', 'anna', 'max'][index % 3] as string);
    const callbacks = await Promise.all(people.map((id) => callbackOf(browser, server, provider, id)));
    expect(pendingCookies(browser, server)).to.have.length(20);
    expect(browser.cookieHeader(server.url).length).to.be.below(8_192);
    for (const [index, id] of [...people.entries()].reverse()) {
      const page = await browser.get(callbacks[index] ?? '');
      expect(page.json.user).to.deep.equal(personOf(subject, world, id));
    }
    expect(pendingCookies(browser, server)).to.deep.equal([]);
  });

  it('without a session, the oldest login is dropped when there are too many', async () => {
    const server = await sessionless({ limit: 3 });
    const browser = new Browser();
    const callbacks: string[] = [];
    for (let tab = 0; tab < 4; tab += 1) callbacks.push(await callbackOf(browser, server, provider));
    expect(pendingCookies(browser, server)).to.have.length(3);
    const [oldest = '', ...others] = callbacks;
    expect((await browser.get(oldest)).json.failure.code).to.equal('unknown_login');
    for (const callback of others) expect((await browser.get(callback)).status).to.equal(200);
  });

  it('without a session, application state that is too large for a cookie is a TypeError', async () => {
    const store = cookieLogins({ secrets: SECRET });
    const world = await sandbox();
    const server = await app(strategy(world, { store, stateLimit: 10_000 }), {
      sessionless: true,
      start: { state: 'x'.repeat(4_000) },
    });
    const page = await new Browser().get(`${server.url}/login/${provider}`);
    expect(page.status).to.equal(500);
    expect(page.json.error).to.equal('TypeError');
    expect(page.json.message).to.match(/^cookieLogins: the login would need a cookie of \d+ bytes/);
  });
}
