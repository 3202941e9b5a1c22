import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { realSockets } from '../support/real-sockets.js';
import { plainResponse } from './generators/responses.js';
import { chosenSeed, runTask, SAMPLE, tasksFor, titleOf } from './kinds.js';
import { checksOfResponses } from './properties/responses.js';
import { startFakeNetwork } from './world/network.js';
import { secretsShown } from './world/secrets.js';
import { subjectCalled } from './world/subjects.js';
import { FAULTS, sumOf, World } from './world/world.js';

// A sample of `npm run hostility`, which generates about eight hundred times as much.
describe('generated hostile input', () => {
  realSockets();
  const seed = chosenSeed();

  for (const task of tasksFor(SAMPLE, seed)) {
    it(titleOf(task), async function () {
      this.timeout(60_000);
      const { figures, failure } = await runTask(task);
      // Chai would show only the first words.
      if (failure !== undefined) throw new Error(`FUZZ_SEED=${seed}: ${failure}`);
      for (const fault of FAULTS) expect(figures[fault], fault).to.equal(0);
    });
  }
});

describe('the leak detection of generated logins', () => {
  realSockets();

  it('does not report text that a request token shares with another response', async () => {
    const letters = 'x'.repeat(40);
    const requestToken = `oauth_token=${letters}-token&oauth_token_secret=x0123&oauth_callback_confirmed=true`;
    const plan = {
      'request-token': [plainResponse(requestToken)],
      token: [plainResponse(JSON.stringify({ error: letters }))],
    };
    const world = new World(await startFakeNetwork(), sumOf([]));
    try {
      await checksOfResponses(
        world,
        subjectCalled('microblog-1.0'),
      )({ call: -1, plan, allowsRetries: false });
      expect(world.figures.responses).to.equal(2);
    } finally {
      await world.close();
    }
  });

  it('reports the random part of a request token anywhere', async () => {
    const network = await startFakeNetwork();
    try {
      const random = randomUUID();
      network.startRun({}, 'microblog-1.0');
      network.registerState(`oauth_token ${random} and more`);
      expect(secretsShown(`the end: ${random}`, network.fresh())).to.have.lengthOf(1);
      expect(secretsShown('oauth_token of another user', network.fresh())).to.deep.equal([]);
    } finally {
      await network.close();
    }
  });
});
