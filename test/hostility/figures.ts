/** What a run of the suite counted. */
export interface Figures {
  /** Generated answers that a strategy was given. */
  answers: number;
  /** Generated callbacks that a strategy was given. */
  callbacks: number;
  interleavings: number;
  /** Requests of all interleavings. */
  steps: number;
  optionSets: number;
  /** Sets of options with which a login could be started. */
  starts: number;
  /** Logins that ended with a person. */
  logins: number;
  crashes: number;
  hangs: number;
  leaks: number;
  wrongPersons: number;
  /** Requests that ended twice, or not at all as they must. */
  wrongOutcomes: number;
  socketsLeft: number;
  /** Honest logins that ran into a deadline on a busy machine. */
  late: number;
}

export type Count = keyof Figures;

export function noFigures(): Figures {
  return {
    answers: 0,
    callbacks: 0,
    interleavings: 0,
    steps: 0,
    optionSets: 0,
    starts: 0,
    logins: 0,
    crashes: 0,
    hangs: 0,
    leaks: 0,
    wrongPersons: 0,
    wrongOutcomes: 0,
    socketsLeft: 0,
    late: 0,
  };
}

export function addFigures(sum: Figures, more: Readonly<Figures>): void {
  for (const name of Object.keys(sum) as Count[]) sum[name] += more[name];
}

/** Counts of faults: each must be zero in the end. */
export const FAULTS: readonly Count[] = [
  'crashes',
  'hangs',
  'leaks',
  'wrongPersons',
  'wrongOutcomes',
  'socketsLeft',
];
