import { expect } from 'chai';
import { realSockets } from '../support/real-sockets.js';
import { chosenSeed, runTask, SAMPLE, tasksFor, titleOf } from './kinds.js';
import { FAULTS } from './world/world.js';

// A sample of `npm run step -- hostility`, which generates about eight hundred times as much.
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
