import { expect } from 'chai';
import { backendRequests, describeEach, personOf } from '../contract/harness.js';
import { Browser, exchange } from '../support/browser.js';
import { allow, OWN_FETCH, start } from '../support/journey.js';
import type { LoginAppSettings } from '../support/login-app.js';

type Headers = Readonly<Record<string, string>>;

type Sent = readonly [method: string, headers?: Headers];

const fetched = (destination: string, mode: string, site: string): Headers => ({
  'sec-fetch-dest': destination,
  'sec-fetch-mode': mode,
  'sec-fetch-site': site,
});
const form = (site: string) => fetched('document', 'navigate', site);

/** Requests that neither start nor finish a login. */
const NO_VISITS: Readonly<Record<string, Sent>> = {
  ...Object.fromEntries(
    ['HEAD', 'OPTIONS', 'PUT', 'DELETE'].map((method): [string, Sent] => [`a ${method} request`, [method]]),
  ),
  'a prefetch by a browser': ['GET', { 'sec-purpose': 'prefetch' }],
  'a prerender by a browser': ['GET', { 'sec-purpose': 'prefetch;prerender' }],
  'a prefetch by an older browser': ['GET', { purpose: 'prefetch', 'sec-purpose': '' }],
  'a preview by Safari': ['GET', { 'x-purpose': 'preview' }],
  'a prefetch by an older Firefox': ['GET', { 'x-moz': 'Prefetch' }],
};

/** Requests that start no login. Browsers send the ones with a destination. */
const NO_STARTS: Readonly<Record<string, Sent>> = {
  ...NO_VISITS,
  'an image': ['GET', fetched('image', 'no-cors', 'cross-site')],
  'a frame': ['GET', fetched('iframe', 'navigate', 'cross-site')],
  'a frame of the same site': ['GET', fetched('iframe', 'navigate', 'same-origin')],
  'a script': ['GET', fetched('script', 'no-cors', 'cross-site')],
  'fetch of a page of the application': ['GET', OWN_FETCH],
  'a document that is no navigation': ['GET', fetched('document', 'no-cors', 'same-origin')],
  'a form of another site': ['POST', form('cross-site')],
  'a form of another site over plain http': ['POST', { origin: 'http://evil.example' }],
  'a form of a page without an origin': ['POST', { origin: 'null' }],
  'a PUT request of a page of the application': ['PUT', form('same-origin')],
};

/** Requests that start a login, whether or not the request says where it comes from. */
const STARTS_OF_PAGES: Readonly<Record<string, Sent>> = {
  'a browser that says nothing, or curl': ['GET'],
  'an address that was typed': ['GET', form('none')],
  'a link of the application': ['GET', form('same-origin')],
  'a link of another site': ['GET', form('cross-site')],
  'a link of a sibling host': ['GET', form('same-site')],
  'a browser without Sec-Fetch-Mode': ['GET', { 'sec-fetch-dest': 'document' }],
  "Node's fetch": ['GET', { 'sec-fetch-mode': 'cors' }],
  'a form of the application': ['POST', { ...form('same-origin'), origin: 'http://app.example' }],
  'a form of a program': ['POST'],
};

const STARTS: Readonly<Record<string, Sent>> = {
  ...STARTS_OF_PAGES,
  'a form of a sibling host': ['POST', { ...form('same-site'), origin: 'http://www.app.example' }],
  'a form of the application over plain http': ['POST', { origin: 'http://app.example' }],
  'a form behind a proxy': ['POST', { 'x-forwarded-host': 'a.example', origin: 'https://a.example' }],
};

/** Requests that a page of the application sends by `fetch`. */
const OWN_FETCHES: Readonly<Record<string, Sent>> = {
  'fetch of a page of the application': ['GET', OWN_FETCH],
  'fetch by POST of a page of the application': ['POST', { ...OWN_FETCH, origin: 'http://app.example' }],
  'fetch of this origin only': ['POST', fetched('empty', 'same-origin', 'same-origin')],
  'fetch of a sibling host': [
    'POST',
    { ...fetched('empty', 'cors', 'same-site'), origin: 'http://www.app.example' },
  ],
  'fetch by POST over plain http': ['POST', { origin: 'http://app.example' }],
  'fetch by POST behind a proxy': ['POST', { 'x-forwarded-host': 'a.example', origin: 'https://a.example' }],
};

/** Requests that start no login for a script. */
const NO_OWN_FETCHES: Readonly<Record<string, Sent>> = {
  ...NO_VISITS,
  ...STARTS_OF_PAGES,
  'fetch of a page of another site': [
    'POST',
    { ...fetched('empty', 'cors', 'cross-site'), origin: 'https://evil.example' },
  ],
  'fetch of another site without CORS': ['POST', fetched('empty', 'no-cors', 'cross-site')],
  'fetch of a sibling host without CORS': ['POST', fetched('empty', 'no-cors', 'same-site')],
  'a beacon of a page of the application': ['POST', fetched('empty', 'no-cors', 'same-origin')],
  'fetch that nobody accounts for': ['POST', fetched('empty', 'cors', 'none')],
  'fetch by POST of another site over plain http': ['POST', { origin: 'http://evil.example' }],
  'fetch by POST of a host that begins like this one': [
    'POST',
    { origin: 'http://app.example.evil.example' },
  ],
  'fetch by POST of another port': ['POST', { origin: 'http://app.example:8080' }],
  'fetch by POST of a page without an origin': ['POST', { origin: 'null' }],
  'fetch by GET over plain http': ['GET', { referer: 'http://app.example/' }],
  'an image of a page of the application': ['GET', fetched('image', 'no-cors', 'same-origin')],
  'a script of a page of the application': ['GET', fetched('script', 'cors', 'same-origin')],
  'a frame of a page of the application': ['GET', fetched('iframe', 'navigate', 'same-origin')],
  'fetch by PUT of a page of the application': ['PUT', OWN_FETCH],
};

describeEach('requests that start or finish a login', ({ subject: { provider }, serving, begin }) => {
  it('C24: only a visit finishes a login: anything else with its authorization response spends nothing', async () => {
    const { world, server, browser, callback } = await begin();
    const before = backendRequests(world);
    const cookie = browser.cookieHeader(callback);
    // By POST, a login may start, but not finish.
    const post: Sent = ['POST'];
    for (const [title, [method, headers]] of Object.entries({ ...NO_VISITS, post })) {
      const response = await send(callback, method, { ...headers, cookie });
      expect(response, title).to.deep.equal({ status: 405, location: undefined, cookies: [] });
      expect(server.endings.at(-1)?.failure).to.include({ code: 'method_not_allowed' });
    }
    expect(backendRequests(world)).to.deep.equal(before);
    expect((await browser.get(callback)).json.user).to.include({ provider });
  });

  it('C33: nothing else starts a login: no cookie, no request to the network, and a sentence that says why', async () => {
    const { world, server } = await serving();
    const message =
      'A login starts when a browser opens its page: by a link, a redirect, window.location or a form of this site, but not by fetch, a service worker, a frame, an image or a page loaded in advance. Open the page that starts the login.';
    const failure = { code: 'not_a_navigation', message };
    for (const [title, [method, headers]] of Object.entries(NO_STARTS)) {
      // The callback's route takes every method.
      const response = await send(`${server.url}/api/auth/callback/${provider}`, method, headers);
      expect(response, title).to.deep.equal({ status: 403, location: undefined, cookies: [] });
      expect(server.endings.at(-1), title).to.deep.equal({ status: 403, failure });
    }
    expect(server.endings).to.have.length(Object.keys(NO_STARTS).length);
    expect(backendRequests(world)).to.deep.equal([]);
  });

  it('C33: visits of browsers, forms of the application and programs start a login', async () => {
    const { world, server } = await serving();
    for (const [title, [method, headers]] of Object.entries(STARTS)) {
      const at = `${server.url}/api/auth/callback/${provider}`;
      const response = await send(at, method, { host: 'app.example', ...headers });
      expect([title, response.status, response.cookies.length]).to.deep.equal([title, 302, 1]);
      expect(response.location).to.include(world.url);
    }
  });

  it('C47: a page of the application starts a login without a redirect', async () => {
    const { server } = await serving();
    for (const [title, [method, headers]] of Object.entries(OWN_FETCHES)) {
      const response = await send(`${server.url}/request/${provider}`, method, {
        host: 'app.example',
        ...headers,
      });
      expect([title, response.status, response.cookies.length]).to.deep.equal([title, 200, 1]);
    }
  });

  it('C47: nothing else does: no cookie, no request to the network, and a sentence that says why', async () => {
    const { world, server } = await serving();
    const message =
      "This route starts a login for a script of the application's own pages. Call it with fetch(url, { method: 'POST' }) from a page of this site; to open it in a browser is not enough.";
    for (const [title, [method, headers]] of Object.entries(NO_OWN_FETCHES)) {
      const at = `${server.url}/request/${provider}`;
      const response = await send(at, method, { host: 'app.example', ...headers });
      expect(response, title).to.deep.equal({ status: 403, location: undefined, cookies: [] });
      const { error } = server.endings.at(-1) ?? {};
      expect(error, title).to.include({ name: 'LoginFailure', code: 'not_a_navigation', message });
    }
    expect(server.endings).to.have.length(Object.keys(NO_OWN_FETCHES).length);
    expect(backendRequests(world)).to.deep.equal([]);
  });

  it("C30, C47: a page's request with a parameter of an authorization response starts no login", async () => {
    const { server } = await serving();
    for (const query of ['code=a', 'state=a', 'oauth_token=a', 'payload={}', 'error=a']) {
      const at = `${server.url}/request/${provider}?${query}`;
      const response = await send(at, 'POST', OWN_FETCH);
      expect(response, query).to.deep.equal({ status: 403, location: undefined, cookies: [] });
    }
  });
});

/** Sends a request with exactly these headers; `fetch` adds some of its own. */
async function send(url: string, method: string, sent: Headers = {}) {
  const { status, headers } = await exchange(url, method, '', sent);
  return { status, location: headers.location, cookies: headers['set-cookie'] ?? [] };
}

describeEach('a login that a script begins without a redirect', ({ subject, serving }) => {
  const { provider } = subject;

  /** A page of an application that asks for the authorization URL. */
  async function begin(settings?: LoginAppSettings, options?: object, browser = new Browser()) {
    const { world, server } = await serving(options, settings);
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

  it('C37, C47: is refused with 431 where the cookies leave no room', async () => {
    const browser = new Browser();
    const { server } = await serving();
    browser.keepCookies(server.url, [`a=${'x'.repeat(3_800)}; Path=/`, `b=${'x'.repeat(3_600)}; Path=/`]);
    const page = await browser.post(`${server.url}/request/${provider}`, {}, OWN_FETCH);
    expect([page.status, page.json.code]).to.deep.equal([431, 'no_room']);
    expect(browser.cookies().map(({ name }) => name)).to.deep.equal(['a', 'b']);
  });
});
