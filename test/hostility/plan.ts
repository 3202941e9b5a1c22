import type { Task } from './tasks.js';
import { SUBJECTS } from './world/subjects.js';

/** How much of each kind a run generates. */
export interface Amounts {
  readonly responses: number;
  readonly callbacks: number;
  readonly interleavings: number;
  readonly optionSets: number;
}

export const WHOLE: Amounts = {
  responses: 100_000,
  callbacks: 100_000,
  interleavings: 10_000,
  optionSets: 20_000,
};
/** A sample small enough for `npm test`. */
export const SAMPLE: Amounts = { responses: 1_000, callbacks: 1_200, interleavings: 100, optionSets: 500 };

/** Scales amounts; a share of 0.1 generates a tenth. @throws RangeError unless `0 < share <= 1`. */
export function partOf(amounts: Amounts, share: number): Amounts {
  if (!(share > 0 && share <= 1)) throw new RangeError('--share must be above 0 and at most 1.');
  return {
    responses: Math.ceil(amounts.responses * share),
    callbacks: Math.ceil(amounts.callbacks * share),
    interleavings: Math.ceil(amounts.interleavings * share),
    optionSets: Math.ceil(amounts.optionSets * share),
  };
}

const STORES = ['session', 'cookies'] as const;
/** Interleavings cover all subjects, so they are split into several tasks to keep all processes busy. */
const SHARES = 3;

/** Splits amounts into tasks, longest first. */
export function tasksFor(amounts: Amounts, seed: number): Task[] {
  const share = (amount: number, parts: number) => Math.ceil(amount / parts);
  const subjects = SUBJECTS.map(({ title }) => title);
  const stores = STORES.length;
  const tasks: Omit<Task, 'seed'>[] = [
    ...STORES.flatMap((store) =>
      Array.from({ length: SHARES }, () => ({
        kind: 'interleavings' as const,
        store,
        target: share(amounts.interleavings, stores * SHARES),
      })),
    ),
    ...subjects.map((subject) => ({
      kind: 'responses' as const,
      subject,
      target: share(amounts.responses, subjects.length),
    })),
    ...STORES.flatMap((store) =>
      subjects.map((subject) => ({
        kind: 'callbacks' as const,
        subject,
        store,
        target: share(amounts.callbacks, subjects.length * stores),
      })),
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
