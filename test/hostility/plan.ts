import type { Task } from './tasks.js';
import { SUBJECTS } from './world/subjects.js';

/** How much of each kind a run generates. */
export type Amounts = Readonly<
  Record<
    | 'responses'
    | 'callbacks'
    | 'interleavings'
    | 'optionSets'
    | 'processes'
    | 'methods'
    | 'browsers'
    | 'strays'
    | 'deadlines',
    number
  >
>;

export const WHOLE: Amounts = {
  responses: 100_000,
  callbacks: 100_000,
  interleavings: 10_000,
  optionSets: 20_000,
  processes: 5_000,
  methods: 50_000,
  browsers: 5_000,
  strays: 1_000,
  deadlines: 500,
};
/** A sample small enough for `npm test`. */
export const SAMPLE: Amounts = {
  responses: 120,
  callbacks: 150,
  interleavings: 30,
  optionSets: 60,
  processes: 10,
  methods: 40,
  browsers: 12,
  strays: 4,
  deadlines: 2,
};

/** Scales amounts; a share of 0.1 generates a tenth. @throws RangeError unless `0 < share <= 1`. */
export function partOf(amounts: Amounts, share: number): Amounts {
  if (!(share > 0 && share <= 1)) throw new RangeError('--share must be above 0 and at most 1.');
  const scaled = { ...amounts };
  for (const name of namesOf(amounts)) scaled[name] = Math.ceil(amounts[name] * share);
  return scaled;
}

export function namesOf(amounts: Amounts): (keyof Amounts)[] {
  return Object.keys(amounts) as (keyof Amounts)[];
}

/** Interleavings cover all subjects, so they are split into several tasks to keep all processes busy. */
const SHARES = { interleavings: 6, processes: 2, browsers: 2 };

/** Splits amounts into tasks, longest first. */
export function tasksFor(amounts: Amounts, seed: number): Task[] {
  const share = (amount: number, parts: number) => Math.ceil(amount / parts);
  const subjects = SUBJECTS.map(({ title }) => title);
  const tasks: Omit<Task, 'seed'>[] = [
    { kind: 'deadlines', target: amounts.deadlines },
    { kind: 'strays', target: amounts.strays },
    ...(['interleavings', 'processes', 'browsers'] as const).flatMap((kind) =>
      Array.from({ length: SHARES[kind] }, () => ({ kind, target: share(amounts[kind], SHARES[kind]) })),
    ),
    ...subjects.map((subject) => ({
      kind: 'responses' as const,
      subject,
      target: share(amounts.responses, subjects.length),
    })),
    ...(['callbacks', 'methods'] as const).flatMap((kind) =>
      subjects.map((subject) => ({ kind, subject, target: share(amounts[kind], subjects.length) })),
    ),
    ...subjects.map((subject) => ({
      kind: 'options' as const,
      subject,
      target: share(amounts.optionSets, subjects.length),
    })),
  ];
  // Far enough apart that no two tasks reach the same seeds.
  return tasks.map((task, index) => ({ ...task, seed: (seed + index * 10_007) % 2_147_483_647 }));
}
