import { expect } from 'chai';
import { backendRequests, describeEach } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { callbackOf } from '../support/journey.js';

describeEach('requests that finish a login', ({ subject: { provider }, sandbox, strategy, app }) => {
  const others: readonly [title: string, init: { method?: string; headers?: Record<string, string> }][] = [
    ...['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE'].map((method): [string, { method: string }] => [
      `a ${method} request`,
      { method },
    ]),
    ['a prefetch by a browser', { headers: { 'sec-purpose': 'prefetch' } }],
    ['a prerender by a browser', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
    ['a prefetch by an older browser', { headers: { purpose: 'prefetch', 'sec-purpose': '' } }],
    ['a preview by Safari', { headers: { 'x-purpose': 'preview' } }],
    ['a prefetch by an older Firefox', { headers: { 'x-moz': 'prefetch' } }],
  ];

  for (const [title, { method = 'GET', headers = {} }] of others) {
    it(`C24: ${title} with an authorization response spends nothing, and the login finishes afterwards`, async () => {
      const world = await sandbox();
      const server = await app(strategy(world));
      const browser = new Browser();
      const callback = await callbackOf(browser, server, provider);
      const before = backendRequests(world).length;
      const cookie = browser.cookieHeader(callback);
      const response = await fetch(callback, { method, headers: { cookie, ...headers }, redirect: 'manual' });
      expect(response.status).to.equal(405);
      expect(response.headers.getSetCookie()).to.deep.equal([]);
      expect(backendRequests(world)).to.have.length(before);
      expect(server.endings.at(-1)?.failure).to.include({ code: 'method_not_allowed' });
      expect((await browser.get(callback)).json.user).to.include({ provider });
    });
  }
});
