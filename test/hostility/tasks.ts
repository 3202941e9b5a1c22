import fc from 'fast-check';
import { addFigures, type Count, type Figures, noFigures } from './figures.js';
import { AnswersWorld } from './properties/answers.js';
import { CallbacksWorld, type StoreKind } from './properties/callbacks.js';
import { InterleavingsWorld } from './properties/interleavings.js';
import { OptionsWorld } from './properties/options.js';
import { Violation } from './properties/violation.js';
import { subjectCalled } from './world/subjects.js';

/** One property, and how much of it is wanted. */
export interface Task {
  readonly kind: 'answers' | 'callbacks' | 'interleavings' | 'options';
  /** A subject's title; interleavings have all subjects at once. */
  readonly subject?: string;
  readonly store?: StoreKind;
  /** How much must be counted. */
  readonly target: number;
  readonly seed: number;
  /** fast-check's path to one counter-example, to repeat that alone. */
  readonly path?: string;
}

/** What a task found. */
export interface TaskResult {
  readonly figures: Figures;
  readonly failure?: string;
}

interface World {
  property(): fc.IAsyncProperty<[unknown]>;
  close(): Promise<void>;
}

const COUNTED: Readonly<Record<Task['kind'], Count>> = {
  answers: 'answers',
  callbacks: 'callbacks',
  interleavings: 'interleavings',
  options: 'optionSets',
};
/** Runs between two looks at the count. */
const BATCHES: Readonly<Record<Task['kind'], number>> = {
  answers: 500,
  callbacks: 50,
  interleavings: 100,
  options: 500,
};
const SHARE: Readonly<Record<Task['kind'], number>> = {
  answers: 1,
  callbacks: 12,
  interleavings: 1,
  options: 1,
};

export function titleOf({ kind, subject, store }: Task): string {
  return [kind, subject, store].filter(Boolean).join(' ');
}

/** Checks a property, batch by batch, until enough is counted or it does not hold. */
export async function runTask(task: Task, progress: () => void = () => {}): Promise<TaskResult> {
  const figures = noFigures();
  const world = await openWorld(task, figures);
  try {
    for (let seed = task.seed; figures[COUNTED[task.kind]] < task.target; seed += 1) {
      const missing = Math.ceil((task.target - figures[COUNTED[task.kind]]) / SHARE[task.kind]);
      const numRuns = Math.min(BATCHES[task.kind], missing);
      const path = task.path === undefined ? {} : { path: task.path };
      const before = { ...figures };
      const details = await fc.check(world.property(), {
        numRuns,
        seed,
        ...path,
        interruptAfterTimeLimit: 120_000,
        markInterruptAsFailure: false,
      });
      progress();
      if (!details.failed) {
        if (task.path !== undefined) break;
        continue;
      }
      // Shrinking ran the property many times: it counts once.
      const counted = { ...before };
      const { errorInstance: error, counterexample, counterexamplePath } = details;
      counted[error instanceof Violation ? error.fault : 'wrongOutcomes'] += 1;
      return { figures: counted, failure: describe(task, seed, counterexamplePath, error, counterexample) };
    }
    return { figures };
  } finally {
    await world.close();
  }
}

function openWorld(task: Task, figures: Figures): Promise<World> {
  const { kind, store = 'session' } = task;
  if (kind === 'interleavings') return InterleavingsWorld.open(store, figures) as Promise<World>;
  const subject = subjectCalled(task.subject ?? '');
  if (kind === 'answers') return AnswersWorld.open(subject, figures) as Promise<World>;
  if (kind === 'options') return OptionsWorld.open(subject, figures) as Promise<World>;
  return CallbacksWorld.open(subject, store, figures) as Promise<World>;
}

function describe(task: Task, seed: number, path: string | null, error: unknown, example: unknown): string {
  const { kind, subject = '-', store = '-' } = task;
  return [
    `${titleOf(task)} does not hold. ${error instanceof Error ? (error.stack ?? error.message).slice(0, 3_000) : String(error)}`,
    `counter-example: ${fc.stringify(example).slice(0, 4_000)}`,
    `repeat: npx tsx test/hostility/repeat.ts ${kind} ${subject} ${store} ${seed} ${path ?? ''}`,
  ].join('\n');
}

/** The sum of several results. */
export function sumOf(results: readonly TaskResult[]): Figures {
  const sum = noFigures();
  for (const { figures } of results) addFigures(sum, figures);
  return sum;
}
