import { expect } from 'chai';
import { sharedAgents } from '../../lib/core/http/transport.js';
import { logIn } from '../support/journey.js';
import { backendRequests, type Contract } from './harness.js';

/** The cost of a login in requests and connections: counts, which do not depend on the machine's load. */
export function costs({ subject, sandbox, strategy, app }: Contract): void {
  const { provider, oauth } = subject;

  it(`a login makes ${oauth === '2.0' ? 'two' : 'three'} requests to the network`, async () => {
    const world = await sandbox();
    expect((await logIn(await app(strategy(world)), provider)).status).to.equal(200);
    expect(backendRequests(world)).to.have.length(oauth === '2.0' ? 2 : 3);
  });

  it('logins after the first open no new connection', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const agent = sharedAgents.for(new URL(world.url).protocol);
    const createConnection = agent.createConnection.bind(agent);
    let opened = 0;
    agent.createConnection = (...args) => {
      opened += 1;
      return createConnection(...args);
    };
    try {
      await logIn(server, provider);
      opened = 0;
      for (const person of ['anna', 'max', 'alice']) {
        expect((await logIn(server, provider, person)).status).to.equal(200);
      }
      expect(opened).to.equal(0);
    } finally {
      agent.createConnection = createConnection;
    }
  });
}
