import { expect } from 'chai';
import { cookieLogins } from '../../lib/index.js';
import { describeEach, expectRefused } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { callbackOf, start } from '../support/journey.js';

describeEach('the owner of a pending login', ({ subject, sandbox, strategy, app }) => {
  const { provider } = subject;
  const store = cookieLogins({ secrets: 'k'.repeat(32) });

  it("C4: one strategy's authorization response is 403 at another strategy, and still logs in at its own", async () => {
    const world = await sandbox();
    const server = await app([strategy(world), strategy(world, { name: 'second-app' })]);
    const browser = new Browser();
    const callback = await callbackOf(browser, server, provider);
    await start(browser, server, 'second-app');
    const { search } = new URL(callback);
    await expectRefused(world, () => browser.get(`${server.url}/api/auth/callback/second-app${search}`));
    expect((await browser.get(callback)).status).to.equal(200);
  });

  /** Expects 403 at an application with the same secret that differs in one option. */
  async function expectForeign(options: object): Promise<void> {
    const world = await sandbox();
    const server = await app(strategy(world, { store }));
    const other = await app(strategy(world, { store, ...options }));
    const browser = new Browser();
    const callback = await callbackOf(browser, server, provider);
    const { pathname, search } = new URL(callback);
    const cookie = browser.cookieHeader(server.url);
    await expectRefused(world, () => new Browser().get(`${other.url}${pathname}${search}`, { cookie }));
    expect((await new Browser().get(callback, { cookie })).status).to.equal(200);
  }

  it("C4: one client's authorization response is 403 at another client with the same strategy name", async () => {
    await expectForeign({ clientID: 'another-client' });
  });

  it("C4: one network's authorization response is 403 at another network with the same client", async () => {
    const option = subject.oauth === '1.0a' ? 'userAuthorizationURL' : 'authorizationURL';
    await expectForeign({ [option]: 'https://another.example/authorize' });
  });
});
