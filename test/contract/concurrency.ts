import { expect } from 'chai';
import type { SandboxPerson } from '../../lib/sandbox/index.js';
import { Browser } from '../support/browser.js';
import { allow, start } from '../support/journey.js';
import { type Contract, personOf } from './harness.js';

const PEOPLE: readonly SandboxPerson[] = Array.from({ length: 100 }, (_, index) => ({
  id: `person-${index}`,
  displayName: `Person Number${index}`,
  givenName: 'Person',
  familyName: `Number${index}`,
  handle: `person_${index}`,
  openId: `open-id-${index}`,
  microblogId: String(1_000_000_000_000_000_000n + BigInt(index)),
  socialNetworkId: 7_000_000_000 + index,
}));

/** Many people at the same moment, whatever the network. */
export function concurrency({ subject, sandbox, strategy, app }: Contract): void {
  const { provider } = subject;

  for (const [way, byInstance, count] of [
    ['name', false, 20],
    ['instance', true, 100],
  ] as const) {
    it(`S5: ${count} interleaved logins through the strategy's ${way} end each with its own person`, async () => {
      const people = PEOPLE.slice(0, count);
      const world = await sandbox({ people });
      const server = await app(strategy(world), { byInstance });
      const logins = await Promise.all(
        people.map(async ({ id }) => {
          const browser = new Browser();
          return { id, browser, callback: await allow(browser, await start(browser, server, provider), id) };
        }),
      );
      const users = await Promise.all(
        logins.map(async ({ id, browser, callback }) => ({ id, page: await browser.get(callback) })),
      );
      for (const { id, page } of users) {
        expect(page.json.user).to.deep.equal(personOf(subject, world, id));
      }
      expect(users).to.have.length(count);
    });
  }

  it('S5: a denial, a forged callback and a login at the same moment each get their own answer', async () => {
    const world = await sandbox();
    const server = await app(strategy(world), { byInstance: true });
    const browser = new Browser();
    const callback = await allow(browser, await start(browser, server, provider), 'anna');
    const forged = `${new URL(callback).pathname}?${callback.includes('state=') ? 'code=x&state=y' : 'denied=y'}`;
    const [login, failure, beginning] = await Promise.all([
      browser.get(callback),
      new Browser().get(`${server.url}${forged}`),
      new Browser().get(`${server.url}/login/${provider}`),
    ]);
    expect(login.json.user).to.deep.equal(personOf(subject, world, 'anna'));
    expect(failure.status).to.equal(403);
    expect(beginning.status).to.equal(302);
  });
}
