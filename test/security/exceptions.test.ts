import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, install } from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { type Done, describeEach, isOAuth1 } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { heldTimers } from '../support/clock.js';
import { logIn } from '../support/journey.js';
import type { LoginApp } from '../support/login-app.js';
import { memoryLogins } from '../support/logins.js';
import { collects } from '../support/warnings.js';
import { wholeLogin } from './hostile-network.js';

const failure = Object.assign(new Error('the application has a bug'), { status: 500 });
const fails = () => {
  throw failure;
};

describeEach('application code that fails', (contract) => {
  const { subject, sandbox, strategy, app, warnings } = contract;
  const { provider } = subject;
  const unhandled = collects('unhandledRejection');
  const timers = heldTimers();

  /** Expects that a login ends in the application's own error and has no other outcome. */
  async function expectFailure(server: LoginApp): Promise<void> {
    expect((await wholeLogin(server, provider)).status).to.equal(500);
    await nextTurn();
    expect(server.endings).to.deep.equal([{ error: failure }]);
    expect(unhandled).to.deep.equal([]);
    expect((await new Browser().get(`${server.url}/me`)).status).to.equal(200);
  }

  type Place = (how: (...args: never[]) => unknown) => Promise<LoginApp>;
  const places: Readonly<Record<string, Place>> = {
    verify: async (how) => app(strategy(await sandbox(), {}, how as never)),
    userProfile: async (userProfile) => app(Object.assign(strategy(await sandbox()), { userProfile })),
    'save of a store': async (save) => app(strategy(await sandbox(), { store: { ...memoryLogins(), save } })),
    'take of a store': async (take) => app(strategy(await sandbox(), { store: { ...memoryLogins(), take } })),
    skipUserProfile: async (skipUserProfile) => app(strategy(await sandbox(), { skipUserProfile })),
    'the option profile': async (profile) => app(strategy(await sandbox(), { profile })),
  };

  for (const [place, appWith] of Object.entries(places)) {
    it(`T14: ${place}: an exception is one Passport error`, async () => {
      await expectFailure(await appWith(fails));
    });

    // The mapping of a profile does not wait.
    if (place === 'the option profile') continue;
    it(`T14: ${place}: a rejection is one Passport error`, async () => {
      await expectFailure(await appWith(async () => fails()));
    });

    if (place === 'skipUserProfile') continue;
    it(`T14: ${place}: a function that never settles ends the login in an error after a minute`, async () => {
      let called: () => void = () => {};
      const wasCalled = new Promise<void>((resolve) => {
        called = resolve;
      });
      const server = await appWith(() => {
        called();
        return new Promise<never>(() => {});
      });
      const ending = wholeLogin(server, provider);
      await wasCalled;
      expect(server.endings).to.deep.equal([]);
      timers.pass();
      const { status, json } = await ending;
      expect([status, json.error]).to.deep.equal([500, 'TypeError']);
      expect(json.message).to.match(/ within 60 seconds\.$/);
    });
  }

  it('T14, S6: a userProfile that calls done three times and then rejects has one outcome', async () => {
    const world = await sandbox();
    const profile = { id: 'the-first', displayName: 'The First', provider };
    const userProfile = async (...args: unknown[]) => {
      const done = args.at(-1) as Done;
      done(null, profile);
      done(null, { ...profile, id: 'the-second' });
      done(failure);
      throw failure;
    };
    const server = await app(Object.assign(strategy(world), { userProfile }));
    const page = await logIn(server, provider);
    expect(page.json.user).to.deep.equal(profile);
    await nextTurn();
    expect(server.endings).to.have.length(1);
    expect(await warnings()).to.deep.equal(['userProfile gave a second outcome; the first one stands.']);
    expect(unhandled).to.deep.equal([]);
  });
});

describeEach('a login while fake timers are installed', ({ subject, ...contract }) => {
  const { sandbox, strategy, app, serving } = contract;
  const { provider } = subject;
  let clock: Clock | undefined;

  /** The defaults of `vi.useFakeTimers()`. With a fake `nextTick`, Node's own streams stand still. */
  const stopTimers = () => {
    clock = install({ toNotFake: ['nextTick', 'queueMicrotask'] });
  };
  afterEach(() => {
    clock?.uninstall();
    clock = undefined;
  });

  it('T21: succeeds, also with connections that are used again and a store that answers later', async () => {
    const server = await app(strategy(await sandbox(), { store: memoryLogins() }));
    stopTimers();
    for (let time = 0; time < 2; time += 1) expect((await wholeLogin(server, provider)).status).to.equal(200);
  });

  it('T21: keeps its deadline', async () => {
    const { world, server } = await serving({ timeout: 100 });
    const endpoint = isOAuth1(subject) ? 'access token' : 'token';
    world.fault({ network: provider, endpoint, fault: { kind: 'hang' }, times: 1 });
    stopTimers();
    const { status, json } = await wholeLogin(server, provider);
    expect([status, json.code]).to.deep.equal([504, 'timeout']);
  });
});
