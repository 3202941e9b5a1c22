import { expect } from 'chai';
import { cookieLogins, type LoginStore, type PendingLogin } from '../../lib/index.js';
import type { Sandbox } from '../../sandbox/lib/index.js';
import { describeEach, expectRefused } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { allow, deny, start, withParameters } from '../support/journey.js';
import { hostileScene, reset } from './hostile-network.js';

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
  'an error in verify': { status: 500, verify: () => Promise.reject(new Error('the database is down')) },
  'an error response of the network': { status: 502, before: (world) => world.reset() },
  'an unreachable network': { status: 502, before: (world) => world.close() },
};

describeEach('an authorization response works once, in the browser that started the login', (contract) => {
  const { subject, sandbox, strategy, app, begin } = contract;
  const { provider } = subject;
  const key = subject.oauth === '2.0' ? 'state' : 'oauth_token';

  it('C1: an authorization response without a pending login is 403, with no request to the network', async () => {
    const { world, server, callback } = await begin();
    await expectRefused(world, () => new Browser().get(callback));
    const { failure } = server.endings.at(-1) as { failure: { message: string } };
    expect(failure.message).to.include('The browser sent no cookie');
  });

  it('C1: an invented code and state are 403, with no request to the network', async () => {
    const { world, browser, callback } = await begin();
    const { searchParams } = new URL(callback);
    const invented = Object.fromEntries(Array.from(searchParams.keys(), (name) => [name, 'made-up']));
    for (const changes of [invented, { ...invented, [key]: undefined }])
      await expectRefused(world, () => browser.get(withParameters(callback, changes)));
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

  it('C1, C2, O3: a store that returns its one login to every caller passes off no other login, and none twice', async () => {
    let kept: PendingLogin | undefined;
    let calls = 0;
    const store: LoginStore = {
      save(_req, login) {
        kept = login;
      },
      take() {
        calls += 1;
        return kept;
      },
    };
    const { world, browser, callback } = await begin({ store });
    await expectRefused(world, () => browser.get(withParameters(callback, { [key]: undefined })));
    expect(calls).to.equal(0);
    await expectRefused(world, () => browser.get(withParameters(callback, { [key]: 'forged' })));
    expect(calls).to.equal(1);
    expect((await browser.get(callback)).status).to.equal(200);
    await expectRefused(world, () => browser.get(callback), 'used_login');
  });

  it('C13, T15: a token request that gets 503 or loses its connection is not retried', async () => {
    const scene = await hostileScene(contract);
    const tokenEndpoint = scene.endpoints.at(-2) ?? 'tokenURL';
    scene.meddle(tokenEndpoint, () => ({ status: 503, headers: { 'retry-after': '0' } }));
    expect((await scene.attempt()).status).to.equal(503);
    expect(scene.seenAt(tokenEndpoint)).to.have.length(1);
    scene.meddle(tokenEndpoint, reset);
    expect((await scene.attempt()).json).to.include({ error: 'UnreachableError', code: 'connection_failed' });
    expect(scene.seenAt(tokenEndpoint)).to.have.length(2);
  });
});
