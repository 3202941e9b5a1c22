import { expect } from 'chai';
import { backendRequests, describeEach, expectRefused } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { allow, callbackOf, start } from '../support/journey.js';
import type { LoginApp } from '../support/login-app.js';

/** What common servers accept of a header, less some room for others. */
const LARGEST_HEADER = 7_400;

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
    const startLong = async () => {
      const cookie = browser.cookieHeader(server.url);
      const page = await browser.get(`${talkative.url}/login/${provider}`, { cookie });
      browser.keepCookies(server.url, page.headers['set-cookie'] ?? []);
      return page;
    };
    return { server, browser, startLong };
  }

  it('C27, C37: logins with a long state push out only each other, the largest first', async () => {
    const { server, browser, startLong } = await applications();
    const callbacks = await tabs(3, browser, server);
    for (let link = 0; link < 8; link += 1) {
      expect((await startLong()).status).to.equal(302);
      expect(browser.cookieHeader(server.url).length).to.be.at.most(LARGEST_HEADER);
    }
    await expectLogins(browser, callbacks);
  });

  it('C37: a login that does not fit beside the cookies of the application is refused with 431, before a cookie is set', async () => {
    const { server, browser, startLong } = await applications();
    const callbacks = await tabs(1, browser, server);
    const requests = backendRequests(await sandbox());
    browser.keepCookies(server.url, [`cart=${'x'.repeat(6_500)}`]);
    const page = await startLong();
    expect([page.status, page.headers['set-cookie']]).to.deep.equal([431, undefined]);
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

  it('C37: a login that leaves no room goes before the cookies of the application do', async () => {
    const { server, browser, startLong } = await applications();
    expect((await startLong()).status).to.equal(302);
    const [large = ''] = browser.cookieHeader(server.url).split('=', 1);
    browser.keepCookies(server.url, [`cart=${'x'.repeat(5_000)}`]);
    const { headers } = await browser.get(`${server.url}/login/${provider}`, {
      cookie: `${browser.cookieHeader(server.url)}; menu=${'x'.repeat(700)}`,
    });
    const removed = (headers['set-cookie'] ?? []).filter((line) => line.includes('Max-Age=0'));
    expect(removed.map((line) => line.split('=', 1)[0])).to.deep.equal([large]);
  });

  it('C27: application state that no cookie can hold is a TypeError, however large stateLimit is', async () => {
    const server = await lean({ stateLimit: 10_000 }, { state: 'x'.repeat(4_000) });
    const { status, json, headers } = await new Browser().get(`${server.url}/login/${provider}`);
    expect([status, json.error, headers['set-cookie']]).to.deep.equal([500, 'TypeError', undefined]);
    expect(json.message).to.match(/^cookieLogins: the login would need a cookie of \d+ bytes/);
  });

  it('C37: the cookie of a login has at most 220 bytes with an absolute redirect URI, and 300 with a relative one', async () => {
    const absolute = { callbackURL: `https://app.example/api/auth/callback/${provider}` };
    for (const [options, largest] of [
      [absolute, 220],
      [{}, 300],
    ] as const) {
      const server = await lean(options);
      const browser = new Browser();
      await browser.get(`${server.url}/login/${provider}`);
      expect(browser.cookieHeader(server.url).length).to.be.within(1, largest);
    }
  });

  describe('logins that another site begins', () => {
    it("C34: are marked, at most two, and push out only each other, never the user's eight", async () => {
      const server = await lean();
      const browser = new Browser();
      const own = await tabs(8, browser, server);
      const forced = await tabs(6, browser, server, FOREIGN);
      const cookies = browser.cookieHeader(server.url).split('; ');
      expect(cookies.filter((cookie) => /^login\.x\.[\w-]{16}=/.test(cookie))).to.have.length(2);
      expect(cookies.filter((cookie) => /^login\.[\w-]{16}=/.test(cookie))).to.have.length(8);
      const [lost = '', ...kept] = forced.slice(-3);
      await expectRefused(await sandbox(), () => browser.get(lost));
      // A link of another site may log the user in: many sites have one.
      await expectLogins(browser, [...own, ...kept]);
      expect(browser.cookieHeader(server.url)).to.equal('');
    });

    it("C34: push out none of the user's by their size, and are refused where they do not fit", async () => {
      const server = await lean({}, { state: 'x'.repeat(850) });
      const browser = new Browser();
      const own = await tabs(5, browser, server);
      const page = await browser.get(`${server.url}/login/${provider}`, FOREIGN);
      expect([page.status, page.headers['set-cookie']]).to.deep.equal([431, undefined]);
      await expectLogins(browser, own);
    });
  });
});
