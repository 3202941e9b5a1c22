import { realSockets } from '../support/real-sockets.js';
import { chosenSeed, runTask, tasksFor, titleOf } from './kinds.js';

/** `--share=0.04` generates 4 % of the whole. Without it, this is a sample. */
const [share = '0.0012'] = process.argv.flatMap((word) => word.split('--share=').slice(1)).slice(-1);

describe('generated hostile input', () => {
  realSockets();
  const seed = chosenSeed();

  for (const task of tasksFor(Number(share), seed)) {
    it(titleOf(task), async function () {
      this.timeout(60_000 + 500 * task.target);
      await runTask(task);
    });
  }
});
