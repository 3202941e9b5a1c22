import fc from 'fast-check';

/** A login after a response that nobody asked for, about another user. */
export interface StrayRound {
  readonly step: 'token' | 'profile';
  /** Milliseconds until the network sends it. */
  readonly delay: number;
  /** Milliseconds from then until it is sent once more; `undefined` if it is not. */
  readonly repeated: number | undefined;
  /** Milliseconds that the network takes for its own response to the next token request. */
  readonly slowness: number;
  /** Milliseconds for which the process is busy before the login goes on; `undefined` if it is idle until the response has arrived. */
  readonly busy: number | undefined;
  /** The process is busy again after some turns of the event loop. */
  readonly busyAgain: { readonly turns: number; readonly milliseconds: number };
}

export interface StraysRun {
  readonly subject: number;
  /** Whether logins share connections. */
  readonly shared: boolean;
  readonly rounds: readonly StrayRound[];
}

/** A login whose process is busy until a deadline has passed. */
export interface DeadlineRun {
  readonly subject: number;
  /** The request whose deadline passes. */
  readonly step: 'token' | 'profile';
  /** Milliseconds until the network responds. */
  readonly delay: number;
  /** Characters that make the response larger. */
  readonly padding: number;
  /** Milliseconds for which the process is busy after the deadline. */
  readonly overrun: number;
}

const subject = fc.nat(4);
const step = fc.constantFrom('token' as const, 'profile' as const);

export const straysRuns: fc.Arbitrary<StraysRun> = fc.record({
  subject,
  shared: fc.boolean(),
  rounds: fc.array(
    fc.record({
      // A profile is no token response, so it is found out more easily.
      step: fc.oneof({ weight: 3, arbitrary: fc.constant('token' as const) }, { weight: 1, arbitrary: step }),
      delay: fc.nat(20),
      repeated: fc.option(fc.integer({ min: 11, max: 40 }), { nil: undefined }),
      slowness: fc.nat(20),
      busy: fc.option(fc.integer({ min: 3, max: 70 }), { nil: undefined, freq: 3 }),
      busyAgain: fc.oneof(
        fc.constant({ turns: 0, milliseconds: 0 }),
        fc.record({ turns: fc.nat(4), milliseconds: fc.integer({ min: 3, max: 70 }) }),
      ),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

export const deadlineRuns: fc.Arbitrary<DeadlineRun> = fc.record({
  subject,
  step,
  delay: fc.nat(60),
  // What the kernel takes in while nobody reads.
  padding: fc.oneof(fc.constant(0), fc.nat(40_000)),
  overrun: fc.integer({ min: 5, max: 60 }),
});
