import { expect } from 'chai';
import { describeEach } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { allow, logIn, start } from '../support/journey.js';

describeEach("the application's own state", ({ subject, sandbox, strategy, app }) => {
  const { provider } = subject;

  const states = {
    'a text': 'return-to=/the/cart',
    'an object': { returnTo: '/the/cart', items: [1, 2], nested: { gift: true } },
    false: false,
    'an empty text': '',
  };
  for (const [form, state] of Object.entries(states)) {
    it(`C17: ${form} as application state comes back as info.state`, async () => {
      const world = await sandbox();
      const page = await logIn(await app(strategy(world), { start: { state } }), provider);
      expect(page.json.info).to.deep.equal({ state });
    });
  }

  it('C17: the application state is never in an address: the state there is ours', async () => {
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

  it('C17: without application state there is no info.state', async () => {
    const world = await sandbox();
    const page = await logIn(await app(strategy(world)), provider);
    expect(page.json.info).to.deep.equal({});
  });

  it("C17: two tabs' application states are not mixed up", async () => {
    const world = await sandbox();
    const first = await app(strategy(world), { start: { state: 'first' } });
    const second = await app(strategy(world), { start: { state: 'second' } });
    const browser = new Browser();
    const one = await allow(browser, await start(browser, first, provider));
    const other = await allow(browser, await start(browser, second, provider));
    expect((await browser.get(other)).json.info).to.deep.equal({ state: 'second' });
    expect((await browser.get(one)).json.info).to.deep.equal({ state: 'first' });
  });
});
