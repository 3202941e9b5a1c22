import fc from 'fast-check';
import { addFigures, type Count, type Figures, noFigures } from './figures.js';
import { CallbacksWorld, type StoreKind } from './properties/callbacks.js';
import { InterleavingsWorld } from './properties/interleavings.js';
import { OptionsWorld } from './properties/options.js';
import { ResponsesWorld } from './properties/responses.js';
import { Violation } from './properties/violation.js';
import { subjectCalled } from './world/subjects.js';

/** A property and how often to check it. */
export interface Task {
  readonly kind: 'responses' | 'callbacks' | 'interleavings' | 'options';
  /** A subject's title; absent for interleavings, which cover all subjects. */
  readonly subject?: string;
  readonly store?: StoreKind;
  /** The count to reach. */
  readonly target: number;
  readonly seed: number;
  /** fast-check's path to one counterexample, to repeat only that. */
  readonly path?: string;
}

/** The result of a task. */
export interface TaskResult {
  readonly figures: Figures;
  readonly failure?: string;
}

interface World {
  property(): fc.IAsyncProperty<[unknown]>;
  close(): Promise<void>;
}

const COUNTED: Readonly<Record<Task['kind'], Count>> = {
  responses: 'responses',
  callbacks: 'callbacks',
  interleavings: 'interleavings',
  options: 'optionSets',
};
/** Runs per batch. The count is checked after each batch. */
const BATCHES: Readonly<Record<Task['kind'], number>> = {
  responses: 500,
  callbacks: 50,
  interleavings: 100,
  options: 500,
};
/** Counted items per run. */
const SHARE: Readonly<Record<Task['kind'], number>> = {
  responses: 1,
  callbacks: 12,
  interleavings: 1,
  options: 1,
};

export function titleOf({ kind, subject, store }: Task): string {
  return [kind, subject, store].filter(Boolean).join(' ');
}

/** Checks a property in batches, until the target is reached or the property fails. */
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
      // Shrinking ran the property many times; count the failure once.
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
  if (kind === 'responses') return ResponsesWorld.open(subject, figures) as Promise<World>;
  if (kind === 'options') return OptionsWorld.open(subject, figures) as Promise<World>;
  return CallbacksWorld.open(subject, store, figures) as Promise<World>;
}

function describe(task: Task, seed: number, path: string | null, error: unknown, example: unknown): string {
  const { kind, subject = '-', store = '-' } = task;
  return [
    `${titleOf(task)} does not hold. ${error instanceof Error ? (error.stack ?? error.message).slice(0, 3_000) : String(error)}`,
    `counterexample: ${fc.stringify(example).slice(0, 4_000)}`,
    `repeat: npx tsx test/hostility/repeat.ts ${kind} ${subject} ${store} ${seed} ${path ?? ''}`,
  ].join('\n');
}

/** Adds up the figures of several results. */
export function sumOf(results: readonly TaskResult[]): Figures {
  const sum = noFigures();
  for (const { figures } of results) addFigures(sum, figures);
  return sum;
}
