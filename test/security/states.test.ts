import { expect } from 'chai';
import { randomSecret } from '../../lib/core/login/index.js';
import { describeEach, expectRefused, isOAuth2 } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { countedRandomness, fakeClock } from '../support/clock.js';
import { allow, start } from '../support/journey.js';

describeEach(
  'the state of a login',
  ({ subject, sandbox, strategy, app }) => {
    const stateOf = (authorization: string) => new URL(authorization).searchParams.get('state') ?? '';

    it('C1: no option turns the state off', async () => {
      const world = await sandbox();
      for (const state of [false, null, 'off']) {
        expect(() => strategy(world, { state })).to.throw(TypeError, /option state cannot be turned off/);
      }
      const server = await app(strategy(world), { start: { state: false } });
      expect(stateOf(await start(new Browser(), server, subject.provider))).to.have.length(43);
    });

    it('C5: a state has 43 base64url characters and is never reused', async () => {
      const server = await app(strategy(await sandbox()));
      const states: string[] = [];
      for (let count = 0; count < 20; count += 1) {
        states.push(stateOf(await start(new Browser(), server, subject.provider)));
      }
      for (const state of states) expect(state).to.match(/^[A-Za-z0-9_-]{43}$/);
      expect(new Set(states).size).to.equal(20);
    });

    it('C5: a state is 32 bytes from the cryptographic source, never shared with another caller', async () => {
      const server = await app(strategy(await sandbox()));
      const source = countedRandomness();
      try {
        // Uses up the random values made in advance.
        const before = Array.from({ length: 64 }, () => randomSecret());
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

  it('C6: a login can be finished until one millisecond before ten minutes', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    clock.stop();
    const authorization = await start(browser, server, provider);
    clock.advance(10 * 60_000 - 1);
    const page = await browser.get(await allow(browser, authorization));
    expect(page.status).to.equal(200);
  });

  it('C6: after ten minutes a login is 403 expired_login, with no request to the network', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    clock.stop();
    const authorization = await start(browser, server, provider);
    clock.advance(10 * 60_000);
    const callback = await allow(browser, authorization);
    await expectRefused(world, () => browser.get(callback), 'expired_login');
  });

  it('C6: a login finishes at a machine whose clock is behind by less than the lifetime', async () => {
    const server = await app(strategy(await sandbox()));
    const browser = new Browser();
    clock.stop();
    const callback = await allow(browser, await start(browser, server, provider));
    clock.advance(-9 * 60_000);
    expect((await browser.get(callback)).status).to.equal(200);
  });
});
