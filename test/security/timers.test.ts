import { type Clock, install } from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { describeEach, isOAuth1 } from '../contract/harness.js';
import { memoryLogins } from '../support/logins.js';
import { wholeLogin } from './hostile-network.js';

describeEach('a login while fake timers are installed', ({ subject, ...contract }) => {
  const { sandbox, strategy, app } = contract;
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
    const world = await sandbox();
    const server = await app(strategy(world, { timeout: 100 }));
    const endpoint = isOAuth1(subject) ? 'access token' : 'token';
    world.fault({ network: provider, endpoint, fault: { kind: 'hang' }, times: 1 });
    stopTimers();
    const { status, json } = await wholeLogin(server, provider);
    expect([status, json.code]).to.deep.equal([504, 'timeout']);
  });
});
