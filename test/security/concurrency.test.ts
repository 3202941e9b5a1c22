import { inspect } from 'node:util';
import { expect } from 'chai';
import type { SandboxPerson } from '../../lib/sandbox/index.js';
import { type Contract, describeEach, personOf } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { allow, start } from '../support/journey.js';

const PEOPLE: readonly SandboxPerson[] = Array.from({ length: 1_000 }, (_, index) => ({
  id: `person-${index}`,
  displayName: `Person Number${index}`,
  givenName: 'Person',
  familyName: `Number${index}`,
  handle: `person_${index}`,
  openId: `open-id-${index}`,
  microblogId: String(1_000_000_000_000_000_000n + BigInt(index)),
  socialNetworkId: 7_000_000_000 + index,
}));

describeEach('many people at the same moment', (contract) => {
  const { subject, sandbox, strategy, app } = contract;
  const { provider } = subject;

  for (const [way, byInstance] of [
    ['name', false],
    ['instance', true],
  ] as const) {
    it(`S5: 100 interleaved logins through the strategy's ${way} end each with its own person`, async () => {
      await expectOwnPeople(contract, 100, byInstance);
    });
  }

  it('S5: starts, denials, forged callbacks and logins at the same moment each get their own answer', async () => {
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

  it('S5: a login through the instance leaves nothing on it but the actions that Passport puts there', async () => {
    const made = strategy(await sandbox());
    const actions = ['success', 'fail', 'redirect', 'pass', 'error'];
    const members = () =>
      Object.entries(Object.getOwnPropertyDescriptors(made))
        .filter(([name]) => !actions.includes(name))
        .map(([name, { value }]) => [name, value as unknown]);
    const before = printed(members());
    const server = await app(made, { byInstance: true });
    const browser = new Browser();
    const callback = await allow(browser, await start(browser, server, provider), 'anna');
    expect((await browser.get(callback)).status).to.equal(200);
    expect(printed(members())).to.equal(before);
  });
});

describeEach(
  'a thousand people at the same moment',
  (contract) => {
    it("S5: through the strategy's instance each ends as themselves", async () => {
      await expectOwnPeople(contract, 1_000, true);
    }).timeout(120_000);
  },
  // Both generations of OAuth, and of each the class that has another strategy do its work: the most to get wrong.
  ({ name }) => name === 'MicroblogStrategy',
);

/** Lets people start together, and finish together. */
async function expectOwnPeople(
  { subject, sandbox, strategy, app }: Contract,
  count: number,
  byInstance: boolean,
): Promise<void> {
  const people = PEOPLE.slice(0, count);
  const world = await sandbox({ people });
  // A thousand people on a busy machine take longer than one.
  const server = await app(strategy(world, { timeout: 50_000 }), { byInstance });
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

/** What can be compared after something was changed in place. */
function printed(members: readonly unknown[]): string {
  return inspect(members, { depth: 4 });
}
