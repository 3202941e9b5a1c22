import { expect } from 'chai';
import { backendRequests, type Done, describeEach } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { callbackOf, logIn } from '../support/journey.js';

describeEach('application state', ({ subject, sandbox, strategy, app, begin }) => {
  const { provider } = subject;

  it('C17: application state is never in a URL; the state there is random', async () => {
    const state = 'app-state-of-the-test';
    const { browser, authorization, callback } = await begin({}, { start: { state } });
    const { searchParams } = new URL(authorization);
    expect(searchParams.get('state') ?? searchParams.get('oauth_token')).to.match(/^[\w-]{20,}$/);
    expect(authorization + callback).to.not.include(state);
    expect((await browser.get(callback)).json.info).to.deep.equal({ state });
  });

  it('C17: with passReqToCallback verify finds application state at req.authInfo', async () => {
    const verify = ({ authInfo }: { authInfo: object }, _t: string, _r: unknown, _p: object, done: Done) =>
      done(null, authInfo);
    const state = { returnTo: '/cart' };
    const made = strategy(await sandbox(), { passReqToCallback: true }, verify);
    expect((await logIn(await app(made, { start: { state } }), provider)).json.user).to.deep.equal({ state });
  });

  it('C17: two tabs keep their own application state', async () => {
    const world = await sandbox();
    const browser = new Browser();
    const tabs: [state: string, callback: string][] = [];
    for (const state of ['first', 'second']) {
      const server = await app(strategy(world), { start: { state } });
      tabs.unshift([state, await callbackOf(browser, server, provider)]);
    }
    for (const [state, callback] of tabs)
      expect((await browser.get(callback)).json.info).to.deep.equal({ state });
  });

  it('C27, C39: state that is too large or no JSON is a TypeError at the start, without a cookie or a request to the network', async () => {
    const world = await sandbox();
    for (const state of ['é'.repeat(512), { since: new Date(0) }]) {
      const server = await app(strategy(world), { start: { state } });
      const { status, json, headers } = await new Browser().get(`${server.url}/login/${provider}`);
      expect([status, json.error]).to.deep.equal([500, 'TypeError']);
      expect(json.message).to.match(new RegExp(`^${provider}: the state given to authenticate (has|must) `));
      expect(headers['set-cookie']).to.equal(undefined);
    }
    expect(backendRequests(world)).to.deep.equal([]);
  });
});
