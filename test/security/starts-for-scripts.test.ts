import { expect } from 'chai';
import { describeEach, expectRefused, personOf } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { allow, deny, start } from '../support/journey.js';
import type { LoginAppSettings } from '../support/login-app.js';

/** What a browser sends with `fetch` of a page of the application. */
const OWN_FETCH = { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' };

describeEach('a login that a script begins without a redirect', ({ subject, sandbox, strategy, app }) => {
  const { provider } = subject;

  /** A page of an application that asks for the authorization URL. */
  async function begin(settings?: LoginAppSettings, options?: object, browser = new Browser()) {
    const world = await sandbox();
    const server = await app(strategy(world, options), settings);
    const page = await browser.post(`${server.url}/request/${provider}`, {}, OWN_FETCH);
    return { world, server, browser, page, authorization: page.json?.url as string };
  }

  for (const byInstance of [false, true]) {
    it(`C47: logs in like any other, ${byInstance ? 'on the instance' : "on Passport's copy"}`, async () => {
      const state = { returnTo: '/cart' };
      const { world, browser, page, authorization } = await begin({ byInstance, start: { state } });
      expect(page.headers).to.include({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      const { json } = await browser.get(await allow(browser, authorization));
      expect(json.user).to.deep.equal(personOf(subject, world, 'alice'));
      expect(json.info).to.deep.equal({ state });
    });
  }

  it('C47: asks the network for the same as a login that begins with a redirect', async () => {
    const { server, browser, authorization } = await begin();
    const [own, usual] = [authorization, await start(browser, server, provider)].map((url) => {
      const { origin, pathname, searchParams } = new URL(url);
      const names = [...searchParams].map(([name, value]) => {
        const isNew = ['state', 'code_challenge', 'oauth_token'].includes(name);
        return [name, isNew ? value.length : value];
      });
      return { origin, pathname, names };
    });
    expect(own).to.deep.equal(usual);
    // They are two logins, which finish in any order.
    expect(browser.cookies().filter(({ name }) => name.startsWith('login.'))).to.have.length(2);
  });

  it('C47: is refused in another browser, and a second time, with 403 and no request', async () => {
    const { world, browser, authorization } = await begin();
    const callback = await allow(browser, authorization);
    await expectRefused(world, () => new Browser().get(callback));
    expect((await browser.get(callback)).status).to.equal(200);
    await expectRefused(world, () => browser.get(callback), 'used_login');
  });

  it('C47: is refused with a forged response, and with that of another login in another browser', async () => {
    const { world, server, browser, authorization } = await begin();
    const other = new Browser();
    const page = await other.post(`${server.url}/request/${provider}`, {}, OWN_FETCH);
    const mixed = await allow(other, page.json.url);
    await expectRefused(world, () => browser.get(mixed));
    const forged = new URL(await allow(browser, authorization));
    for (const key of ['state', 'oauth_token']) {
      if (forged.searchParams.has(key)) forged.searchParams.set(key, 'x'.repeat(43));
    }
    await expectRefused(world, () => browser.get(forged.href));
  });

  it('C47: ends as any other when the user declines', async () => {
    const { world, browser, authorization } = await begin();
    const callback = await deny(browser, authorization);
    await expectRefused(world, () => browser.get(callback), 'access_denied', 401);
  });

  it('C37, C47: is refused with 431 where the cookies leave no room', async () => {
    const browser = new Browser();
    const world = await sandbox();
    const server = await app(strategy(world));
    browser.keepCookies(server.url, [`a=${'x'.repeat(3_800)}; Path=/`, `b=${'x'.repeat(3_600)}; Path=/`]);
    const page = await browser.post(`${server.url}/request/${provider}`, {}, OWN_FETCH);
    expect([page.status, page.json.code]).to.deep.equal([431, 'no_room']);
    expect(browser.cookies().map(({ name }) => name)).to.deep.equal(['a', 'b']);
  });
});
