import { expect } from 'chai';
import { cookieLogins } from '../../lib/index.js';
import type { Sandbox } from '../../sandbox/lib/index.js';
import { describeEach, expectRefused, profileRequests } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { allow, callbackOf, deny, start } from '../support/journey.js';
import { hostileScene } from './hostile-network.js';

interface Outcome {
  readonly status: number;
  readonly verify?: () => unknown;
  /** What the user does at the network. @default allow */
  readonly callback?: typeof deny;
  /** What happens to the network before the authorization response. */
  readonly before?: (world: Sandbox) => unknown;
}

/** Every way in which a login can end, except expiry. */
const OUTCOMES: Readonly<Record<string, Outcome>> = {
  'a successful login': { status: 200 },
  'a declined login': { status: 401, callback: deny },
  'a rejection by verify': { status: 401, verify: async () => false },
  'an error in verify': {
    status: 500,
    verify: async () => {
      throw new Error('the database is down');
    },
  },
  'an error response of the network': { status: 502, before: (world) => world.reset() },
  'an unreachable network': { status: 502, before: (world) => world.close() },
};

describeEach('an authorization response works once, in the browser that started the login', (contract) => {
  const { subject, sandbox, strategy, app } = contract;
  const { provider } = subject;

  it('C1: an authorization response without a pending login is 403, with no request to the network', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const callback = await callbackOf(new Browser(), server, provider);
    await expectRefused(world, () => new Browser().get(callback));
    expect(server.endings.at(-1)?.failure)
      .to.have.property('message')
      .that.includes('The browser sent no cookie');
  });

  it('C1: an invented code and state are 403, with no request to the network', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    await start(browser, server, provider);
    const query = { '1.0a': 'oauth_token=made-up&oauth_verifier=up', '2.0': 'code=made&state=up' };
    for (const made of [
      query[subject.oauth],
      query[subject.oauth].replace(/&?(state|oauth_token)=[^&]*/, ''),
    ]) {
      await expectRefused(world, () => browser.get(`${server.url}/api/auth/callback/${provider}?${made}`));
    }
  });

  for (const [outcome, { status, verify, callback, before }] of Object.entries(OUTCOMES)) {
    it(`C2: after ${outcome}, the same authorization response is 403, here and in another process`, async () => {
      const world = await sandbox({});
      const server = await app(strategy(world, {}, verify));
      const browser = new Browser();
      const responseURL = await (callback ?? allow)(browser, await start(browser, server, provider));
      await before?.(world);
      expect((await browser.get(responseURL)).status).to.equal(status);
      // A login that never got as far as the network's token endpoint is only gone from its store.
      const expected = callback === deny ? 'unknown_login' : 'used_login';
      await expectRefused(world, () => browser.get(responseURL), expected);
      const { pathname, search } = new URL(responseURL);
      const other = await app(strategy(world, { store: cookieLogins() }, verify));
      const header = { cookie: browser.cookieHeader(server.url) };
      await expectRefused(world, () => browser.get(`${other.url}${pathname}${search}`, header));
    });
  }

  it('C13: two copies of one authorization response at the same time cause one login and one profile request', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    const callback = await callbackOf(browser, server, provider);
    const pages = await Promise.all([browser.get(callback), browser.get(callback)]);
    expect(pages.map(({ status }) => status)).to.have.members([200, 403]);
    expect(profileRequests(subject, world)).to.equal(1);
  });

  it('C13, T15: a token request that gets 503 or loses its connection is not retried', async () => {
    const scene = await hostileScene(contract);
    const tokenEndpoint = scene.endpoints.at(-2) ?? 'tokenURL';
    scene.meddle(tokenEndpoint, () => ({ status: 503, headers: { 'retry-after': '0' } }));
    expect((await scene.attempt()).status).to.equal(502);
    expect(scene.seenAt(tokenEndpoint)).to.have.length(1);
    scene.meddle(tokenEndpoint, (_honest, { socket }) => {
      socket.resetAndDestroy();
      return new Promise<never>(() => {});
    });
    expect((await scene.attempt()).json).to.include({ error: 'UnreachableError', code: 'connection_failed' });
    expect(scene.seenAt(tokenEndpoint)).to.have.length(2);
  });
});
