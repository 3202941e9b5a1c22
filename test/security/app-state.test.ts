import { expect } from 'chai';
import { describeEach } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { allow, logIn, start } from '../support/journey.js';

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
});
