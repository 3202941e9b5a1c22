import { expect } from 'chai';
import { realSockets } from '../support/real-sockets.js';
import { FAULTS } from './figures.js';
import { SAMPLE, tasksFor } from './plan.js';
import { chosenSeed } from './seed.js';
import { runTask, titleOf } from './tasks.js';

// A sample of `npm run hostility`, which generates a hundred times as much.
describe('generated hostile input', () => {
  realSockets();
  const seed = chosenSeed();

  for (const task of tasksFor(SAMPLE, seed)) {
    it(`T8, S1, S3, S6: one outcome, the right user and no leaked secret: ${titleOf(task)}`, async function () {
      this.timeout(60_000);
      const { figures, failure } = await runTask(task);
      expect(failure, `FUZZ_SEED=${seed}`).to.equal(undefined);
      for (const fault of FAULTS) expect(figures[fault], fault).to.equal(0);
    });
  }
});
