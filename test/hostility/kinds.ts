import fc from 'fast-check';
import { CALLBACKS_PER_RUN, callbackRuns, checksOfCallbacks } from './callbacks.js';
import { checksOfResponses, type ResponsesRun, responseRuns } from './responses.js';
import { startFakeNetwork } from './world/network.js';
import { SUBJECTS, type Subject, subjectCalled } from './world/subjects.js';
import { type Figures, Violation, World } from './world/world.js';

interface Kind<Run> {
  readonly title: string;
  /** How much the whole suite generates. */
  readonly amount: number;
  /** Runs per batch. The count is checked after each batch. */
  readonly batch: number;
  /** Counted items per run. @default 1 */
  readonly perRun?: number;
  readonly runs: (subject: Subject) => fc.Arbitrary<Run>;
  readonly checks: (world: World, subject: Subject) => (run: Run) => Promise<void>;
}

/** Checks that the kind's types fit together, and hides them. */
function kind<Run>({ runs, checks, ...counts }: Kind<Run>) {
  const open = async (subject: Subject, figures: Figures) => {
    const world = new World(await startFakeNetwork(), figures);
    const property = fc.asyncProperty(runs(subject), checks(world, subject));
    return { property: property as fc.IAsyncProperty<unknown>, close: () => world.close() };
  };
  return { ...counts, open };
}

const SOUND = 'T8, S1, S3, S6: one outcome, the right user and no leaked secret';

const KINDS = {
  responses: kind<ResponsesRun>({
    title: SOUND,
    amount: 60_000,
    batch: 500,
    runs: responseRuns,
    checks: checksOfResponses,
  }),
  callbacks: kind({
    title: SOUND,
    amount: 60_000,
    batch: 100,
    perRun: CALLBACKS_PER_RUN,
    runs: () => callbackRuns,
    checks: checksOfCallbacks,
  }),
};

/** fast-check's path to one counterexample, to repeat only that. */
const { FUZZ_PATH } = process.env;
const REPEATED = FUZZ_PATH === undefined ? {} : { path: FUZZ_PATH };

export interface Task {
  readonly kind: keyof typeof KINDS;
  readonly subject: string;
  readonly target: number;
  readonly seed: number;
}

/** A share of the whole suite. @throws RangeError unless `0 < share <= 1`. */
export function tasksFor(share: number, seed: number): Task[] {
  if (!(share > 0 && share <= 1)) throw new RangeError('share must be above 0 and at most 1.');
  const tasks = (Object.keys(KINDS) as Task['kind'][]).flatMap((name) => {
    const target = Math.ceil((KINDS[name].amount * share) / SUBJECTS.length);
    return SUBJECTS.map(({ title: subject }) => ({ kind: name, subject, target }));
  });
  // Far enough apart that no two tasks reach the same seeds.
  const apart = FUZZ_PATH === undefined ? 10_007 : 0;
  return tasks.map((task, index) => ({ ...task, seed: (seed + index * apart) % 2_147_483_647 }));
}

export function titleOf({ kind: name, subject }: Task): string {
  return `${KINDS[name].title}: ${name} ${subject}`;
}

/** Checks a property in batches, until the target is reached, and that nothing stays open. @throws Error with what repeats the failure. */
export async function runTask({ kind: name, subject, target, ...task }: Task): Promise<Figures> {
  const { batch, perRun = 1, open } = KINDS[name];
  const figures = { responses: 0, callbacks: 0, logins: 0 };
  // Mocha's own timer begins after this function has.
  await new Promise(setImmediate);
  const openBefore = openResources();
  const { property, close } = await open(subjectCalled(subject), figures);
  try {
    for (let { seed } = task; figures[name] < target; seed += 1) {
      const numRuns = Math.min(batch, Math.ceil((target - figures[name]) / perRun));
      const limits = { interruptAfterTimeLimit: 120_000, markInterruptAsFailure: false };
      const details = await fc.check(property, { numRuns, seed, ...REPEATED, ...limits });
      if (details.failed) throw new Error(describe(`${name} ${subject}`, seed, details));
      if (REPEATED.path !== undefined) break;
    }
  } finally {
    await close();
  }
  const end = Date.now() + 3_000;
  while (openResources() > openBefore && Date.now() < end) await new Promise(setImmediate);
  if (openResources() > openBefore) throw new Violation('socketsLeft', 'a socket or timer stays open');
  return figures;
}

function openResources(): number {
  return process.getActiveResourcesInfo().filter((name) => /^(TCP|TLS|Timeout|GetAddr)/.test(name)).length;
}

function describe(task: string, seed: number, details: fc.RunDetails<unknown>): string {
  const { errorInstance: error, counterexample, counterexamplePath } = details;
  const thrown = error instanceof Error ? (error.stack ?? error.message).slice(0, 3_000) : String(error);
  return [
    `seed ${seed}: ${thrown}`,
    `counterexample: ${fc.stringify(counterexample).slice(0, 4_000)}`,
    `repeat: FUZZ_SEED=${seed} FUZZ_PATH=${counterexamplePath} npm run step -- hostility --grep '${task}$'`,
  ].join('\n');
}

/** The seed from `FUZZ_SEED`, or a random one. @throws TypeError for an invalid seed. */
export function chosenSeed(): number {
  const { FUZZ_SEED } = process.env;
  if (FUZZ_SEED === undefined || FUZZ_SEED === '') return Math.floor(Math.random() * 2_147_483_647);
  const seed = Number(FUZZ_SEED);
  if (Number.isInteger(seed) && seed >= 0 && seed < 2_147_483_647) return seed;
  throw new TypeError('FUZZ_SEED must be a whole number from 0 to 2147483646.');
}
