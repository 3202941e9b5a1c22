import { expect } from 'chai';
import { newSecret } from '../../lib/core/proof.js';
import { backendRequests, describeEach, isOAuth2 } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { fakeClock } from '../support/clock.js';
import { allow, start } from '../support/journey.js';
import { countedRandomness } from '../support/randomness.js';

describeEach(
  'the state of a login',
  ({ subject, sandbox, strategy, app }) => {
    const stateOf = (authorization: string) => new URL(authorization).searchParams.get('state') ?? '';

    it('C5: a state has 43 characters of base64url, and never comes twice', async () => {
      const server = await app(strategy(await sandbox()));
      const states: string[] = [];
      for (let count = 0; count < 200; count += 1) {
        states.push(stateOf(await start(new Browser(), server, subject.provider)));
      }
      for (const state of states) expect(state).to.match(/^[A-Za-z0-9_-]{43}$/);
      expect(new Set(states).size).to.equal(200);
      // 256 random bits: at every place but the last, 200 of them have at least half of the 64 letters.
      for (let place = 0; place < 42; place += 1) {
        expect(new Set(states.map((state) => state[place])).size).to.be.above(32);
      }
    });

    it('C5: a state is 32 bytes of the cryptographic source, which nobody else gets', async () => {
      const server = await app(strategy(await sandbox()));
      const source = countedRandomness();
      try {
        // Those that were there before.
        const before = Array.from({ length: 64 }, () => newSecret());
        const states: string[] = [];
        for (let count = 0; count < 5; count += 1) {
          states.push(stateOf(await start(new Browser(), server, subject.provider)));
        }
        expect(source.made()).to.include.members(states);
        expect(before).to.not.include.members(states);
      } finally {
        source.release();
      }
    });
  },
  isOAuth2,
);

describeEach('the lifetime of a login', ({ subject, sandbox, strategy, app }) => {
  const clock = fakeClock();
  const { provider } = subject;

  it('C5: every login has a state or request token of its own', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const seen = new Set<string | null>();
    for (let count = 0; count < 50; count += 1) {
      const { searchParams } = new URL(await start(new Browser(), server, provider));
      seen.add(searchParams.get('state') ?? searchParams.get('oauth_token'));
    }
    expect(seen.size).to.equal(50);
    expect(seen.has(null)).to.equal(false);
  });

  it('C6: a millisecond before ten minutes a login can be finished', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    clock.stop();
    const authorization = await start(browser, server, provider);
    clock.advance(10 * 60_000 - 1);
    const page = await browser.get(await allow(browser, authorization));
    expect(page.status).to.equal(200);
  });

  it('C6: after ten minutes it is 403 expired_login, and the network is not asked', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    clock.stop();
    const authorization = await start(browser, server, provider);
    clock.advance(10 * 60_000);
    const callback = await allow(browser, authorization);
    const requests = backendRequests(world);
    const page = await browser.get(callback);
    expect(page.status).to.equal(403);
    expect(page.json.failure.code).to.equal('expired_login');
    expect(backendRequests(world)).to.deep.equal(requests);
  });

  it('C6: a clock that was turned back makes no login last longer', async () => {
    const server = await app(strategy(await sandbox()));
    const browser = new Browser();
    clock.stop();
    const callback = await allow(browser, await start(browser, server, provider));
    clock.advance(-2 * 60_000);
    const page = await browser.get(callback);
    expect([page.status, page.json.failure.code]).to.deep.equal([403, 'expired_login']);
  });
});
