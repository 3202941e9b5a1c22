import { inspect } from 'node:util';
import { expect } from 'chai';
import type { SandboxPerson } from '../../sandbox/lib/index.js';
import { type Contract, describeEach, personOf } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { allow, start } from '../support/journey.js';

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

describeEach('many users at the same time', (contract) => {
  const { subject, sandbox, strategy, app } = contract;
  const { provider } = subject;

  for (const [way, byInstance] of [
    ['name', false],
    ['instance', true],
  ] as const) {
    it(`S5: 10 interleaved logins through the strategy's ${way} each log in the right user`, async () => {
      await expectRightUsers(contract, 10, byInstance);
    });
  }

  it('S5: a start, a login and a forged authorization response at the same time each get their own response', async () => {
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

  it('S5: a login through the strategy instance leaves nothing on it except the actions of Passport', async () => {
    const made = strategy(await sandbox());
    const actions = ['success', 'fail', 'redirect', 'pass', 'error'];
    const properties = () =>
      Object.entries(Object.getOwnPropertyDescriptors(made))
        .filter(([name]) => !actions.includes(name))
        .map(([name, { value }]) => [name, value as unknown]);
    const before = printed(properties());
    const server = await app(made, { byInstance: true });
    const browser = new Browser();
    const callback = await allow(browser, await start(browser, server, provider), 'anna');
    expect((await browser.get(callback)).status).to.equal(200);
    expect(printed(properties())).to.equal(before);
  });
});

describeEach(
  'a hundred users at the same time',
  (contract) => {
    it("S5: 100 interleaved logins through the strategy's instance each log in the right user", async () => {
      await expectRightUsers(contract, 100, true);
    });
  },
  // One strategy that covers both versions of OAuth is enough for a test of this size.
  ({ name }) => name === 'MicroblogStrategy',
);

/** Starts all logins together, then finishes them together. */
async function expectRightUsers(
  { subject, sandbox, strategy, app }: Contract,
  count: number,
  byInstance: boolean,
): Promise<void> {
  const people = PEOPLE.slice(0, count);
  const world = await sandbox({ people });
  const server = await app(strategy(world), { byInstance });
  const logins = await Promise.all(
    people.map(async ({ id }) => {
      const browser = new Browser();
      const authorization = await start(browser, server, subject.provider);
      return { id, browser, callback: await allow(browser, authorization, id) };
    }),
  );
  const users = await Promise.all(
    logins.map(async ({ id, browser, callback }) => ({ id, page: await browser.get(callback) })),
  );
  for (const { id, page } of users) {
    expect(page.json.user, page.text).to.deep.equal(personOf(subject, world, id));
  }
  expect(users).to.have.length(count);
  expect(server.endings).to.have.length(count);
}

/** A printed copy, because the values themselves may be changed in place. */
function printed(properties: readonly unknown[]): string {
  return inspect(properties, { depth: 4 });
}
