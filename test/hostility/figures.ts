/** What a run of the suite counts. */
const NAMES = [
  // Generated network responses given to a strategy.
  'responses',
  // Generated callback requests given to a strategy.
  'callbacks',
  'interleavings',
  // Requests in all interleavings.
  'steps',
  'optionSets',
  // Interleavings over two processes.
  'processes',
  // Callback requests by another method than GET, or sent in advance.
  'methods',
  // Interleavings with browsers that have another one's session, and with linked accounts.
  'browsers',
  // Accounts linked to a signed-in user.
  'links',
  // Logins after a response that nobody asked for.
  'strays',
  // Logins with a response that arrived in time, but was read after its deadline.
  'deadlines',
  // Option sets that could start a login.
  'starts',
  // Successful logins.
  'logins',
  'crashes',
  'hangs',
  'leaks',
  'wrongUsers',
  // Requests with two outcomes or a wrong one.
  'wrongOutcomes',
  'socketsLeft',
  // Honest logins that timed out on a busy machine.
  'late',
] as const;

export type Count = (typeof NAMES)[number];
export type Figures = Record<Count, number>;

export function noFigures(): Figures {
  return Object.fromEntries(NAMES.map((name) => [name, 0])) as Figures;
}

export function addFigures(sum: Figures, more: Readonly<Figures>): void {
  for (const name of NAMES) sum[name] += more[name];
}

/** Counts of faults. Each must be zero at the end. */
export const FAULTS: readonly Count[] = [
  'crashes',
  'hangs',
  'leaks',
  'wrongUsers',
  'wrongOutcomes',
  'socketsLeft',
];
