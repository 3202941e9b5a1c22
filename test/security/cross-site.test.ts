import { expect } from 'chai';
import { describeEach, expectRefused } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { allow, callbackOf, start } from '../support/journey.js';

/** What a browser sends with a navigation that a page of another site began. */
const FOREIGN = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

describeEach('logins that another site begins', ({ subject, sandbox, strategy, app }) => {
  const { provider } = subject;

  it("C34: are marked, at most two, and push out only each other, never the user's eight", async () => {
    const world = await sandbox();
    const server = await app(strategy(world), { sessionless: true });
    const browser = new Browser();
    const own: string[] = [];
    for (let tab = 0; tab < 8; tab += 1) own.push(await callbackOf(browser, server, provider));
    const forced: string[] = [];
    for (let link = 0; link < 6; link += 1) {
      forced.push(await allow(browser, await start(browser, server, provider, FOREIGN)));
    }
    const names = browser
      .cookieHeader(server.url)
      .split('; ')
      .map((cookie) => cookie.split('=', 1)[0] ?? '');
    expect(names.filter((name) => /^login\.x\.[\w-]{16}$/.test(name))).to.have.length(2);
    expect(names.filter((name) => /^login\.[\w-]{16}$/.test(name))).to.have.length(8);
    const [lost = '', ...kept] = forced.slice(-3);
    await expectRefused(world, () => browser.get(lost));
    // A link of another site may log the user in: many sites have one.
    for (const callback of [...own, ...kept]) expect((await browser.get(callback)).status).to.equal(200);
    expect(browser.cookieHeader(server.url)).to.equal('');
  });

  it("C34: push out none of the user's by their size, and are refused where they do not fit", async () => {
    const start = { state: 'x'.repeat(850) };
    const server = await app(strategy(await sandbox()), { sessionless: true, start });
    const browser = new Browser();
    const own: string[] = [];
    for (let tab = 0; tab < 5; tab += 1) own.push(await callbackOf(browser, server, provider));
    const page = await browser.get(`${server.url}/login/${provider}`, FOREIGN);
    expect([page.status, page.headers['set-cookie']]).to.deep.equal([431, undefined]);
    for (const callback of own) expect((await browser.get(callback)).status).to.equal(200);
  });
});
