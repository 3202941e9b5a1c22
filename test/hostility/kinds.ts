import fc from 'fast-check';
import { CALLBACKS_PER_RUN, callbackRuns, checksOfCallbacks } from './callbacks.js';
import { checksOfInterleavings, interleavings } from './interleavings.js';
import { checksOfResponses, type ResponsesRun, responseRuns } from './responses.js';
import { startFakeNetwork } from './world/network.js';
import { SUBJECTS, type Subject, subjectCalled } from './world/subjects.js';
import { type Figures, sumOf, Violation, World } from './world/world.js';

interface Kind<Run> {
  readonly title: string;
  /** How much the whole suite generates, and `npm test`. */
  readonly amounts: readonly [whole: number, sample: number];
  /** Into how many tasks for all subjects together it is split, to keep all processes busy. @default one for each subject */
  readonly tasks?: number;
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
  return { tasks: 0, ...counts, open };
}

const SOUND = 'T8, S1, S3, S6: one outcome, the right user and no leaked secret';

/** Every kind, those with the longest tasks first. */
const KINDS = {
  interleavings: kind({
    title: SOUND,
    amounts: [6_000, 18],
    tasks: 6,
    batch: 100,
    runs: () => interleavings,
    checks: checksOfInterleavings,
  }),
  responses: kind<ResponsesRun>({
    title: SOUND,
    amounts: [60_000, 70],
    batch: 500,
    runs: responseRuns,
    checks: checksOfResponses,
  }),
  callbacks: kind({
    title: SOUND,
    amounts: [60_000, 70],
    batch: 100,
    perRun: CALLBACKS_PER_RUN,
    runs: () => callbackRuns,
    checks: checksOfCallbacks,
  }),
};

export type KindName = keyof typeof KINDS;
export type Amounts = Readonly<Record<KindName, number>>;

const NAMES = Object.keys(KINDS) as KindName[];

function amounts(amountOf: (whole: number, sample: number) => number): Amounts {
  return Object.fromEntries(NAMES.map((name) => [name, amountOf(...KINDS[name].amounts)])) as Amounts;
}

export const SAMPLE = amounts((_whole, sample) => sample);

/** A share of the whole suite. @throws RangeError unless `0 < share <= 1`. */
export function partOf(share: number): Amounts {
  if (!(share > 0 && share <= 1)) throw new RangeError('--share must be above 0 and at most 1.');
  return amounts((whole) => Math.ceil(whole * share));
}

export interface Task {
  readonly kind: KindName;
  readonly subject?: string;
  readonly target: number;
  readonly seed: number;
  /** fast-check's path to one counterexample, to repeat only that. */
  readonly path?: string;
}

export function tasksFor(wanted: Amounts, seed: number): Task[] {
  const tasks = NAMES.flatMap((name) => {
    const { tasks: count } = KINDS[name];
    const parts =
      count === 0
        ? SUBJECTS.map(({ title: subject }) => ({ subject }))
        : Array.from({ length: count }, () => ({}));
    return parts.map((part) => ({ kind: name, ...part, target: Math.ceil(wanted[name] / parts.length) }));
  });
  // Far enough apart that no two tasks reach the same seeds.
  return tasks.map((task, index) => ({ ...task, seed: (seed + index * 10_007) % 2_147_483_647 }));
}

export function nameOf({ kind: name, subject }: Task): string {
  return [name, subject].filter(Boolean).join(' ');
}

export function titleOf(task: Task): string {
  return `${KINDS[task.kind].title}: ${nameOf(task)}`;
}

export interface TaskResult {
  readonly figures: Figures;
  readonly failure?: string;
}

/** Checks a property in batches, until the target is reached or the property fails. */
export async function runTask(task: Task, progress: () => void = () => {}): Promise<TaskResult> {
  const figures = sumOf([]);
  const { batch, perRun = 1, open } = KINDS[task.kind];
  const { property, close } = await open(subjectCalled(task.subject ?? SUBJECTS[0]?.title ?? ''), figures);
  try {
    for (let seed = task.seed; figures[task.kind] < task.target; seed += 1) {
      const numRuns = Math.min(batch, Math.ceil((task.target - figures[task.kind]) / perRun));
      const path = task.path === undefined ? {} : { path: task.path };
      const before = { ...figures };
      const limits = { interruptAfterTimeLimit: 120_000, markInterruptAsFailure: false };
      const details = await fc.check(property, { numRuns, seed, ...path, ...limits });
      progress();
      if (details.failed) {
        // Shrinking ran the property many times; count the failure once.
        const { errorInstance: error } = details;
        before[error instanceof Violation ? error.fault : 'wrongOutcomes'] += 1;
        return { figures: before, failure: describe(task, seed, details) };
      }
      if (task.path !== undefined) break;
    }
    return { figures };
  } finally {
    await close();
  }
}

function describe(task: Task, seed: number, details: fc.RunDetails<unknown>): string {
  const { errorInstance: error, counterexample, counterexamplePath } = details;
  const thrown = error instanceof Error ? (error.stack ?? error.message).slice(0, 3_000) : String(error);
  return [
    `${nameOf(task)} does not hold. ${thrown}`,
    `counterexample: ${fc.stringify(counterexample).slice(0, 4_000)}`,
    `repeat: npm run step -- hostility repeat ${task.kind} ${task.subject ?? '-'} ${seed} ${counterexamplePath ?? ''}`,
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
