import { expect } from 'chai';
import { backendRequests, describeEach, expectRefused } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { allow, callbackOf, start } from '../support/journey.js';
import type { LoginApp } from '../support/login-app.js';

/** The longest state that is kept by default. */
const LONG = 'x'.repeat(1_000);

/** What a browser sends with a navigation that a page of another site began. */
const FOREIGN = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

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
    browser.keepCookies(server.url, [`cart=${'x'.repeat(6_500)}`]);
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
