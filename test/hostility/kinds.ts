import fc from 'fast-check';
import { CALLBACKS_PER_RUN, callbackRuns, hostRuns } from './generators/callbacks.js';
import { type InterleavingKind, interleavings } from './generators/interleavings.js';
import { cutRuns, depthRuns, type ResponsesRun, responseRuns } from './generators/responses.js';
import {
  agentsRuns,
  checksOfDeadlines,
  checksOfStrays,
  deadlineRuns,
  straysRuns,
} from './properties/busy-logins.js';
import { checksOfCallbacks, checksOfHosts } from './properties/callbacks.js';
import { checksOfInterleavings } from './properties/interleavings.js';
import { checksOfOptions, optionsRuns } from './properties/options.js';
import { checksOfResponses } from './properties/responses.js';
import { type FakeNetwork, startFakeNetwork } from './world/network.js';
import { SUBJECTS, type Subject, subjectCalled } from './world/subjects.js';
import { ThreadedNetwork } from './world/threaded-network.js';
import { type Figures, sumOf, Violation, World } from './world/world.js';

interface Kind<Network extends { readonly url: string; close(): Promise<void> }, Run> {
  readonly title: string;
  /** How much the whole suite generates, and `npm test`. */
  readonly amounts: readonly [whole: number, sample: number];
  /** Into which tasks it is split, to keep all processes busy: one for each of these subjects, or that many for all subjects together. */
  readonly tasks: readonly string[] | number;
  /** Runs per batch. The count is checked after each batch. */
  readonly batch: number;
  /** Counted items per run. @default 1 */
  readonly perRun?: number;
  readonly network: () => Promise<Network>;
  readonly runs: (subject: Subject) => fc.Arbitrary<Run>;
  readonly checks: (world: World<Network>, subject: Subject) => (run: Run) => Promise<void>;
}

/** Checks that the kind's types fit together, and hides them. */
function kind<Network extends { readonly url: string; close(): Promise<void> }, Run>(
  settings: Kind<Network, Run>,
) {
  const { network, runs, checks, ...counts } = settings;
  const open = async (subject: Subject, figures: Figures) => {
    const world = new World(await network(), figures);
    const property = fc.asyncProperty(runs(subject), checks(world, subject));
    return { property: property as fc.IAsyncProperty<unknown>, close: () => world.close() };
  };
  return { ...counts, open };
}

const SOUND = 'T8, S1, S3, S6: one outcome, the right user and no leaked secret';
const PER_SUBJECT = { network: startFakeNetwork, tasks: SUBJECTS.map(({ title }) => title) } as const;
const BUSY = { network: () => ThreadedNetwork.open(), tasks: 1, batch: 20 } as const;

const together = (
  name: InterleavingKind,
  settings: Pick<Kind<FakeNetwork, never>, 'title' | 'amounts' | 'tasks'>,
) =>
  kind({
    ...settings,
    network: startFakeNetwork,
    batch: 100,
    runs: () => interleavings(name),
    checks: (world) => checksOfInterleavings(world, name),
  });

const requests = (
  name: keyof typeof callbackRuns,
  settings: Pick<Kind<FakeNetwork, never>, 'title' | 'amounts'>,
) =>
  kind({
    ...PER_SUBJECT,
    ...settings,
    batch: 100,
    perRun: CALLBACKS_PER_RUN,
    runs: () => callbackRuns[name],
    checks: (world, subject) => checksOfCallbacks(world, subject, name),
  });

type ResponsesKind = Pick<Kind<FakeNetwork, ResponsesRun>, 'title' | 'amounts' | 'runs'>;
const responses = (name: 'responses' | 'depth' | 'cuts', settings: ResponsesKind & { tasks?: string[] }) => {
  const checks: Kind<FakeNetwork, ResponsesRun>['checks'] = (...given) => checksOfResponses(...given, name);
  return kind({ ...PER_SUBJECT, ...settings, batch: 500, checks });
};

/** Every kind, those with the longest tasks first. */
const KINDS = {
  deadlines: kind({
    ...BUSY,
    title: 'T17: a response in time counts, however busy the process was',
    amounts: [500, 2],
    runs: () => deadlineRuns,
    checks: checksOfDeadlines,
  }),
  strays: kind({
    ...BUSY,
    title: 'T16: a response that nobody asked for logs in nobody else',
    amounts: [1_000, 4],
    perRun: 2,
    runs: () => straysRuns,
    checks: (world) => checksOfStrays(world, 'strays'),
  }),
  agents: kind({
    ...BUSY,
    title: 'T16: nor with any agent of the application',
    amounts: [1_000, 4],
    perRun: 3,
    runs: () => agentsRuns,
    checks: (world) => checksOfStrays(world, 'agents'),
  }),
  interleavings: together('interleavings', { title: SOUND, amounts: [6_000, 18], tasks: 6 }),
  processes: together('processes', {
    title: 'C26: an authorization response logs in once at two processes with one claim',
    amounts: [4_000, 6],
    tasks: 2,
  }),
  browsers: together('browsers', {
    title: 'C25: a login finishes in its browser, and is linked only for the user who began it',
    amounts: [4_000, 6],
    tasks: 2,
  }),
  responses: responses('responses', { title: SOUND, amounts: [60_000, 70], runs: responseRuns }),
  depth: responses('depth', {
    title: 'T19: a response is unreadable if it is nested deeper than 64 levels, and only then',
    amounts: [10_000, 10],
    runs: depthRuns,
  }),
  cuts: responses('cuts', {
    title: 'T20: a form that may have been cut short starts no login, and logs nobody in',
    amounts: [10_000, 10],
    tasks: ['microblog-1-0'],
    runs: cutRuns,
  }),
  callbacks: requests('callbacks', { title: SOUND, amounts: [60_000, 70] }),
  methods: requests('methods', {
    title: 'C24: other methods and prefetching use up nothing',
    amounts: [40_000, 24],
  }),
  foreign: requests('foreign', {
    title: 'C30: the response of another protocol starts no login, and hinders none',
    amounts: [20_000, 12],
  }),
  hosts: kind({
    ...PER_SUBJECT,
    title: 'C29, S8, S14: a login ends where it began, and a host of somebody else moves no redirect URI',
    amounts: [10_000, 10],
    batch: 500,
    runs: () => hostRuns,
    checks: checksOfHosts,
  }),
  options: kind({
    ...PER_SUBJECT,
    title: SOUND,
    amounts: [20_000, 30],
    batch: 500,
    runs: () => optionsRuns,
    checks: checksOfOptions,
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
    const { tasks: split } = KINDS[name];
    const parts =
      typeof split === 'number'
        ? Array.from({ length: split }, () => ({}))
        : split.map((subject) => ({ subject }));
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
