import { expect } from 'chai';
import { randomSecret } from '../../lib/core/oauth2/index.js';
import { describeEach, expectRefused, isOAuth2 } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { countedRandomness, fakeClock } from '../support/clock.js';
import { allow, start } from '../support/journey.js';
import type { LoginAppSettings } from '../support/login-app.js';

describeEach(
  'the state of a login',
  ({ subject, sandbox, strategy, app }) => {
    const stateOf = (authorization: string) => new URL(authorization).searchParams.get('state') ?? '';

    async function statesOf(count: number, settings: LoginAppSettings = {}): Promise<string[]> {
      const server = await app(strategy(await sandbox()), settings);
      const states: string[] = [];
      for (let login = 0; login < count; login += 1)
        states.push(stateOf(await start(new Browser(), server, subject.provider)));
      return states;
    }

    it('C1: no option turns the state off', async () => {
      const world = await sandbox();
      for (const state of [false, null, 'off']) {
        expect(() => strategy(world, { state })).to.throw(
          TypeError,
          /option state is always on: leave it out.*authInfo\.state/,
        );
      }
      expect((await statesOf(1, { start: { state: false } }))[0]).to.have.length(43);
    });

    it('C5: a state is 32 bytes from the cryptographic source, never shared with another caller', async () => {
      const source = countedRandomness();
      try {
        // Uses up the random values made in advance.
        const before = Array.from({ length: 64 }, () => randomSecret());
        const states = await statesOf(5);
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
  const MINUTE = 60_000;

  for (const [title, after, expected] of [
    ['C6: a login can be finished until one millisecond before ten minutes', 10 * MINUTE - 1, 200],
    ['C6: a login finishes at a machine whose clock is behind by less than the lifetime', -9 * MINUTE, 200],
    [
      'C6, C18: after ten minutes a login is 403 expired_login, with no request to the network',
      10 * MINUTE,
      403,
    ],
  ] as const) {
    it(title, async () => {
      const world = await sandbox();
      const server = await app(strategy(world));
      const browser = new Browser();
      clock.stop();
      const authorization = await start(browser, server, subject.provider);
      clock.advance(after);
      const callback = await allow(browser, authorization);
      if (expected === 403) await expectRefused(world, () => browser.get(callback), 'expired_login');
      else expect((await browser.get(callback)).status).to.equal(expected);
    });
  }
});
