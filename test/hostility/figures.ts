/** Counts of a run of the suite. */
export interface Figures {
  /** Generated network responses given to a strategy. */
  responses: number;
  /** Generated callback requests given to a strategy. */
  callbacks: number;
  interleavings: number;
  /** Requests in all interleavings. */
  steps: number;
  optionSets: number;
  /** Interleavings over two processes. */
  processes: number;
  /** Callback requests by another method than GET, or sent in advance. */
  methods: number;
  /** Interleavings with browsers that have another one's session, and with linked accounts. */
  browsers: number;
  /** Accounts linked to a signed-in user. */
  links: number;
  /** Logins after a response that nobody asked for. */
  strays: number;
  /** Logins with a response that arrived in time, but was read after its deadline. */
  deadlines: number;
  /** Option sets that could start a login. */
  starts: number;
  /** Successful logins. */
  logins: number;
  crashes: number;
  hangs: number;
  leaks: number;
  wrongUsers: number;
  /** Requests with two outcomes or a wrong one. */
  wrongOutcomes: number;
  socketsLeft: number;
  /** Honest logins that timed out on a busy machine. */
  late: number;
}

export type Count = keyof Figures;

export function noFigures(): Figures {
  return {
    responses: 0,
    callbacks: 0,
    interleavings: 0,
    steps: 0,
    optionSets: 0,
    processes: 0,
    methods: 0,
    browsers: 0,
    links: 0,
    strays: 0,
    deadlines: 0,
    starts: 0,
    logins: 0,
    crashes: 0,
    hangs: 0,
    leaks: 0,
    wrongUsers: 0,
    wrongOutcomes: 0,
    socketsLeft: 0,
    late: 0,
  };
}

export function addFigures(sum: Figures, more: Readonly<Figures>): void {
  for (const name of Object.keys(sum) as Count[]) sum[name] += more[name];
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
