import { expect } from 'chai';
import { realSockets } from '../support/real-sockets.js';
import { FAULTS } from './figures.js';
import { SAMPLE, tasksFor } from './plan.js';
import { chosenSeed } from './seed.js';
import { type Kind, runTask, titleOf } from './tasks.js';

const SOUND = 'T8, S1, S3, S6: one outcome, the right user and no leaked secret';

const PROPERTIES: Readonly<Record<Kind, string>> = {
  responses: SOUND,
  callbacks: SOUND,
  interleavings: SOUND,
  options: SOUND,
  processes: 'C26: an authorization response logs in once at two processes with one claim',
  methods: 'C24: other methods and prefetching use up nothing',
  browsers: 'C25: a login finishes in its browser, and is linked only for the user who began it',
  strays: 'T16: a response that nobody asked for logs in nobody else',
  deadlines: 'T17: a response in time counts, however busy the process was',
};

// A sample of `npm run hostility`, which generates about eight hundred times as much.
describe('generated hostile input', () => {
  realSockets();
  const seed = chosenSeed();

  for (const task of tasksFor(SAMPLE, seed)) {
    it(`${PROPERTIES[task.kind]}: ${titleOf(task)}`, async function () {
      this.timeout(60_000);
      const { figures, failure } = await runTask(task);
      // Chai would show only the first words.
      if (failure !== undefined) throw new Error(`FUZZ_SEED=${seed}: ${failure}`);
      for (const fault of FAULTS) expect(figures[fault], fault).to.equal(0);
    });
  }
});
