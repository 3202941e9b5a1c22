import { expect } from 'chai';
import { cookieLogins } from '../../lib/index.js';
import { describeEach } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { allow, callbackOf, logIn, start } from '../support/journey.js';

describeEach('application state', ({ subject, sandbox, strategy, app }) => {
  const { provider } = subject;

  const states = {
    'a string': 'return-to=/the/cart',
    'an object': { returnTo: '/the/cart', items: [1, 2], nested: { gift: true } },
    false: false,
    'an empty string': '',
  };
  for (const [form, state] of Object.entries(states)) {
    it(`C17: ${form} as application state comes back as info.state`, async () => {
      const world = await sandbox();
      const page = await logIn(await app(strategy(world), { start: { state } }), provider);
      expect(page.json.info).to.deep.equal({ state });
    });
  }

  it('C17: application state is never in a URL; the state there is random', async () => {
    const world = await sandbox();
    const server = await app(strategy(world), { start: { state: 'app-state-of-the-test' } });
    const browser = new Browser();
    const authorization = await start(browser, server, provider);
    const callback = await allow(browser, authorization);
    const { searchParams } = new URL(authorization);
    expect(searchParams.get('state') ?? searchParams.get('oauth_token')).to.match(/^[\w-]{20,}$/);
    expect(authorization).to.not.include('app-state-of-the-test');
    expect(callback).to.not.include('app-state-of-the-test');
    expect((await browser.get(callback)).json.info).to.deep.equal({ state: 'app-state-of-the-test' });
  });

  it('C17: a login without application state has no info.state', async () => {
    const world = await sandbox();
    const page = await logIn(await app(strategy(world)), provider);
    expect(page.json.info).to.deep.equal({});
  });

  it('C17: two tabs keep their own application state', async () => {
    const world = await sandbox();
    const first = await app(strategy(world), { start: { state: 'first' } });
    const second = await app(strategy(world), { start: { state: 'second' } });
    const browser = new Browser();
    const one = await allow(browser, await start(browser, first, provider));
    const other = await allow(browser, await start(browser, second, provider));
    expect((await browser.get(other)).json.info).to.deep.equal({ state: 'second' });
    expect((await browser.get(one)).json.info).to.deep.equal({ state: 'first' });
  });

  it('C27: application state of more than one kilobyte is a TypeError, unless the option stateLimit allows it', async () => {
    const world = await sandbox();
    const state = 'é'.repeat(511);
    const fits = await app(strategy(world), { start: { state } });
    expect((await logIn(fits, provider)).json.info).to.deep.equal({ state });
    const tooLong = { start: { state: `${state}é` } };
    const page = await new Browser().get(`${(await app(strategy(world), tooLong)).url}/login/${provider}`);
    expect(page.json).to.include({
      error: 'TypeError',
      message: `${provider}: the state given to authenticate has 1026 bytes as JSON, and at most 1024 are kept. Give a shorter one, for example an ID, or raise the option stateLimit.`,
    });
    const raised = await app(strategy(world, { stateLimit: 1_026 }), tooLong);
    expect((await logIn(raised, provider)).status).to.equal(200);
  });

  it('C27: forged starts with large state push out no other pending login by their size', async () => {
    const world = await sandbox();
    const store = () => cookieLogins({ secrets: 'a secret of at least 32 characters' });
    const server = await app(strategy(world, { store: store() }), { sessionless: true });
    const browser = new Browser();
    const callbacks: string[] = [];
    for (let tab = 0; tab < 5; tab += 1) callbacks.push(await callbackOf(browser, server, provider));
    // The same browser follows links to an application that keeps what a link says.
    const forged = await app(strategy(world, { store: store() }), {
      sessionless: true,
      start: { state: { returnTo: 'x'.repeat(1_000) } },
    });
    for (let link = 0; link < 8; link += 1) {
      const cookie = browser.cookieHeader(server.url);
      const { headers } = await fetch(`${forged.url}/login/${provider}`, {
        headers: { cookie },
        redirect: 'manual',
      });
      browser.keepCookies(server.url, headers.getSetCookie());
    }
    for (const callback of callbacks) expect((await browser.get(callback)).status).to.equal(200);
  });
});
