import fc from 'fast-check';
import { addFigures, type Count, type Figures, noFigures } from './figures.js';
import { CallbacksWorld } from './properties/callbacks.js';
import { DeadlinesWorld } from './properties/deadlines.js';
import { InterleavingsWorld } from './properties/interleavings.js';
import { OptionsWorld } from './properties/options.js';
import { ResponsesWorld } from './properties/responses.js';
import { StraysWorld } from './properties/strays.js';
import { Violation } from './properties/violation.js';
import { subjectCalled } from './world/subjects.js';

/** A kind of generated input. */
export type Kind =
  | 'responses'
  | 'callbacks'
  | 'methods'
  | 'interleavings'
  | 'processes'
  | 'browsers'
  | 'options'
  | 'strays'
  | 'deadlines';

/** A property and how often to check it. */
export interface Task {
  readonly kind: Kind;
  /** A subject's title; absent for kinds that cover all subjects. */
  readonly subject?: string;
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

interface KindSettings {
  readonly counted: Count;
  /** Runs per batch. The count is checked after each batch. */
  readonly batch: number;
  /** Counted items per run. */
  readonly perRun: number;
}

const KINDS: Readonly<Record<Kind, KindSettings>> = {
  responses: { counted: 'responses', batch: 500, perRun: 1 },
  callbacks: { counted: 'callbacks', batch: 100, perRun: 6 },
  methods: { counted: 'methods', batch: 100, perRun: 6 },
  interleavings: { counted: 'interleavings', batch: 100, perRun: 1 },
  processes: { counted: 'processes', batch: 100, perRun: 1 },
  browsers: { counted: 'browsers', batch: 100, perRun: 1 },
  options: { counted: 'optionSets', batch: 500, perRun: 1 },
  strays: { counted: 'strays', batch: 20, perRun: 2 },
  deadlines: { counted: 'deadlines', batch: 20, perRun: 1 },
};

export function titleOf({ kind, subject }: Task): string {
  return [kind, subject].filter(Boolean).join(' ');
}

/** Checks a property in batches, until the target is reached or the property fails. */
export async function runTask(task: Task, progress: () => void = () => {}): Promise<TaskResult> {
  const figures = noFigures();
  const { counted, batch, perRun } = KINDS[task.kind];
  const world = await openWorld(task, figures);
  try {
    for (let seed = task.seed; figures[counted] < task.target; seed += 1) {
      const missing = Math.ceil((task.target - figures[counted]) / perRun);
      const numRuns = Math.min(batch, missing);
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
      const atFailure = { ...before };
      const { errorInstance: error, counterexample, counterexamplePath } = details;
      atFailure[error instanceof Violation ? error.fault : 'wrongOutcomes'] += 1;
      return { figures: atFailure, failure: describe(task, seed, counterexamplePath, error, counterexample) };
    }
    return { figures };
  } finally {
    await world.close();
  }
}

function openWorld({ kind, subject = '' }: Task, figures: Figures): Promise<World> {
  switch (kind) {
    case 'responses':
      return ResponsesWorld.open(subjectCalled(subject), figures) as Promise<World>;
    case 'options':
      return OptionsWorld.open(subjectCalled(subject), figures) as Promise<World>;
    case 'callbacks':
    case 'methods':
      return CallbacksWorld.open(kind, subjectCalled(subject), figures) as Promise<World>;
    case 'strays':
      return StraysWorld.open(figures) as Promise<World>;
    case 'deadlines':
      return DeadlinesWorld.open(figures) as Promise<World>;
    default:
      return InterleavingsWorld.open(kind, figures) as Promise<World>;
  }
}

function describe(task: Task, seed: number, path: string | null, error: unknown, example: unknown): string {
  const { kind, subject = '-' } = task;
  return [
    `${titleOf(task)} does not hold. ${error instanceof Error ? (error.stack ?? error.message).slice(0, 3_000) : String(error)}`,
    `counterexample: ${fc.stringify(example).slice(0, 4_000)}`,
    `repeat: npx tsx test/hostility/repeat.ts ${kind} ${subject} ${seed} ${path ?? ''}`,
  ].join('\n');
}

/** Adds up the figures of several results. */
export function sumOf(results: readonly TaskResult[]): Figures {
  const sum = noFigures();
  for (const { figures } of results) addFigures(sum, figures);
  return sum;
}
