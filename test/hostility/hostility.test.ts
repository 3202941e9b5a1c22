import fc from 'fast-check';
import { realSockets } from '../support/real-sockets.js';
import { CALLBACKS_PER_RUN, callbackRuns, checksOfCallbacks } from './callbacks.js';
import { checksOfResponses, type ResponsesRun, responseRuns } from './responses.js';
import { startFakeNetwork } from './world/network.js';
import { SUBJECTS, type Subject } from './world/subjects.js';
import { Violation, World } from './world/world.js';

interface Kind<Run> {
  readonly name: 'responses' | 'callbacks';
  /** How much the whole suite generates. */
  readonly amount: number;
  /** Runs per batch. The count is checked after each batch. */
  readonly batch: number;
  readonly perRun: number;
  readonly runs: (subject: Subject) => fc.Arbitrary<Run>;
  readonly checks: (world: World, subject: Subject) => (run: Run) => Promise<void>;
}

/** Checks that the kind's types fit together, and hides them. */
function kind<Run>({ runs, checks, ...counts }: Kind<Run>) {
  const open = async (subject: Subject) => {
    const world = new World(await startFakeNetwork());
    const property = fc.asyncProperty(runs(subject), checks(world, subject));
    return { world, property: property as fc.IAsyncProperty<unknown> };
  };
  return { ...counts, open };
}

const KINDS = [
  kind<ResponsesRun>({
    name: 'responses',
    amount: 60_000,
    batch: 500,
    perRun: 1,
    runs: responseRuns,
    checks: checksOfResponses,
  }),
  kind({
    name: 'callbacks',
    amount: 60_000,
    batch: 100,
    perRun: CALLBACKS_PER_RUN,
    runs: () => callbackRuns,
    checks: checksOfCallbacks,
  }),
];

/** `FUZZ_PATH` is fast-check's path to one counterexample, and repeats only that. */
const { FUZZ_SEED = '', FUZZ_PATH } = process.env;
const SEED = FUZZ_SEED === '' ? Math.floor(Math.random() * 2_147_483_647) : Number(FUZZ_SEED);
/** `--share=0.04` generates 4 % of the whole. Without it, this is a sample. */
const [SHARE = '0.0012'] = process.argv.flatMap((word) => word.split('--share=').slice(1)).slice(-1);

/** Checks a property in batches, until the target is reached, and that nothing stays open. @throws Error with what repeats the failure. */
async function check(chosen: (typeof KINDS)[number], subject: Subject, target: number, first: number) {
  const { name, batch, perRun, open } = chosen;
  // Mocha's own timer begins after this function has.
  await new Promise(setImmediate);
  const openBefore = openResources();
  const { world, property } = await open(subject);
  try {
    for (let seed = first; world.counted < target; seed += 1) {
      const numRuns = Math.min(batch, Math.ceil((target - world.counted) / perRun));
      const limits = { interruptAfterTimeLimit: 120_000, markInterruptAsFailure: false };
      const path = FUZZ_PATH === undefined ? {} : { path: FUZZ_PATH };
      const details = await fc.check(property, { numRuns, seed, ...path, ...limits });
      if (details.failed) throw new Error(described(`${name} ${subject.title}`, seed, details));
      if (FUZZ_PATH !== undefined) break;
    }
  } finally {
    await world.close();
  }
  const end = Date.now() + 3_000;
  while (openResources() > openBefore && Date.now() < end) await new Promise(setImmediate);
  if (openResources() > openBefore) throw new Violation('socketsLeft', 'a socket or timer stays open');
}

function openResources(): number {
  return process.getActiveResourcesInfo().filter((name) => /^(TCP|TLS|Timeout|GetAddr)/.test(name)).length;
}

function described(task: string, seed: number, details: fc.RunDetails<unknown>): string {
  const { errorInstance: error, counterexample, counterexamplePath } = details;
  const thrown = error instanceof Error ? (error.stack ?? error.message).slice(0, 3_000) : String(error);
  return [
    `seed ${seed}: ${thrown}`,
    `counterexample: ${fc.stringify(counterexample).slice(0, 4_000)}`,
    `repeat: FUZZ_SEED=${seed} FUZZ_PATH=${counterexamplePath} npm run step -- hostility --grep '${task}$'`,
  ].join('\n');
}

describe('generated hostile input', () => {
  realSockets();

  for (const [row, one] of KINDS.entries()) {
    for (const [column, subject] of SUBJECTS.entries()) {
      it(`T8, S1, S3, S6: one outcome, the right user and no leaked secret: ${one.name} ${subject.title}`, async function () {
        const target = Math.ceil((one.amount * Number(SHARE)) / SUBJECTS.length);
        this.timeout(60_000 + 500 * target);
        // Far enough apart that no two reach the same seeds.
        const apart = FUZZ_PATH === undefined ? 10_007 * (row * SUBJECTS.length + column) : 0;
        await check(one, subject, target, (SEED + apart) % 2_147_483_647);
      });
    }
  }
});
