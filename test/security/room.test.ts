import { expect } from 'chai';
import { backendRequests, describeEach } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { callbackOf } from '../support/journey.js';

/** What common servers accept of a header, less some room for others. */
const LARGEST_HEADER = 7_400;

/** The longest state that is kept by default. */
const LONG = 'x'.repeat(1_000);

describeEach('the room for pending logins', ({ subject, sandbox, strategy, app }) => {
  const { provider } = subject;

  /** An application, and the same with a long state in every login, which share a secret and a host. */
  async function applications() {
    const world = await sandbox();
    const server = await app(strategy(world), { sessionless: true });
    const talkative = await app(strategy(world), { sessionless: true, start: { state: LONG } });
    const browser = new Browser();
    /** Starts a login with a long state, in the browser's cookies for the other application. */
    const startLong = async (extra: Readonly<Record<string, string>> = {}) => {
      const cookie = browser.cookieHeader(server.url);
      const page = await browser.get(`${talkative.url}/login/${provider}`, { cookie, ...extra });
      browser.keepCookies(server.url, page.headers['set-cookie'] ?? []);
      return page;
    };
    return { world, server, browser, startLong };
  }

  it('C27, C37: logins with a long state push out only each other, the largest first', async () => {
    const { server, browser, startLong } = await applications();
    const callbacks: string[] = [];
    for (let tab = 0; tab < 3; tab += 1) callbacks.push(await callbackOf(browser, server, provider));
    for (let link = 0; link < 8; link += 1) {
      expect((await startLong()).status).to.equal(302);
      expect(browser.cookieHeader(server.url).length).to.be.at.most(LARGEST_HEADER);
    }
    for (const callback of callbacks) expect((await browser.get(callback)).status).to.equal(200);
  });

  it('C37: a login that does not fit beside the cookies of the application is refused with 431, before a cookie is set', async () => {
    const { world, server, browser, startLong } = await applications();
    const callback = await callbackOf(browser, server, provider);
    const requests = backendRequests(world);
    browser.keepCookies(server.url, [`cart=${'x'.repeat(6_500)}`]);
    const page = await startLong();
    expect([page.status, page.headers['set-cookie']]).to.deep.equal([431, undefined]);
    // The start of OAuth 1.0a asks for a request token before it knows what to keep.
    expect(backendRequests(world).slice(requests.length)).to.not.include('token');
    // The pages of the application load as before, and the login that was pending finishes.
    expect((await browser.get(`${server.url}/me`)).status).to.equal(200);
    expect((await browser.get(callback)).status).to.equal(200);
    expect((await callbackOf(browser, server, provider)).length).to.be.above(0);
  });

  it('C37: cookies without a value, and with the same name, count as well', async () => {
    const server = await app(strategy(await sandbox()), { sessionless: true });
    for (const cookie of ['x'.repeat(7_500), Array.from({ length: 8 }, () => `a=${LONG}`).join('; ')]) {
      const page = await new Browser().get(`${server.url}/login/${provider}`, { cookie });
      expect([page.status, page.headers['set-cookie']]).to.deep.equal([431, undefined]);
    }
  });

  it('C37: the failure has the code no_room, and says what helps', async () => {
    const server = await app(strategy(await sandbox()), { sessionless: true });
    const cookie = `cart=${'x'.repeat(7_390)}`;
    const page = await new Browser().get(`${server.url}/api/auth/callback/${provider}`, { cookie });
    expect([page.status, page.json]).to.deep.equal([
      431,
      {
        failure: {
          code: 'no_room',
          message:
            'The cookies of this site leave no room for a login. Delete the cookies of this site in the browser, then start the login again.',
        },
      },
    ]);
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
    const start = { state: 'x'.repeat(4_000) };
    const server = await app(strategy(await sandbox(), { stateLimit: 10_000 }), { start });
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
      const server = await app(strategy(await sandbox(), options), { sessionless: true });
      const browser = new Browser();
      await browser.get(`${server.url}/login/${provider}`);
      expect(browser.cookieHeader(server.url).length).to.be.within(1, largest);
    }
  });
});
