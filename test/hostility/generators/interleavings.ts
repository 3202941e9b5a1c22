import fc from 'fast-check';

/** Which kind of interleavings a world runs. */
export type InterleavingKind = 'interleavings' | 'processes' | 'browsers';

/** One event in an application. Indexes of logins, browsers and processes are taken modulo their count. */
export type Move = Action & {
  /** The process that gets the visit, and the one that gets a second visit at the same time. */
  readonly at: readonly [number, number];
};

type Action =
  /** Twice: two tabs of one browser start at the same time. */
  | {
      readonly do: 'start' | 'start twice';
      readonly subject: number;
      readonly browser: number;
      readonly state: unknown;
      /** Whether through `passport.authorize`. */
      readonly links: boolean;
    }
  | { readonly do: 'finish'; readonly login: number }
  /** Two logins finish at the same time. */
  | { readonly do: 'finish both'; readonly login: number; readonly other: number }
  /** One authorization response arrives twice at the same time. */
  | { readonly do: 'submit twice'; readonly login: number }
  | { readonly do: 'deny'; readonly login: number }
  | {
      readonly do: 'forge';
      readonly login: number;
      readonly subject: number;
      readonly browser: number;
      readonly as: Forgery;
    }
  /** A used authorization response arrives again, with the cookies that the browser had when its login began. */
  | { readonly do: 'replay'; readonly login: number }
  /** The authorization response of one of the latest logins arrives through `passport.authorize`. */
  | { readonly do: 'link'; readonly latest: number }
  /**
   * The login's session is planted in a new browser, whose user logs in and then opens the login's authorization response.
   */
  | { readonly do: 'plant'; readonly login: number; readonly subject: number }
  /** New strategies with the same secrets. */
  | { readonly do: 'restart' }
  | { readonly do: 'wait'; readonly minutes: number }
  /** The browser loses its cookies. */
  | { readonly do: 'forget'; readonly browser: number };

export const FORGERIES = [
  'an invented state',
  'the state of another browser',
  'the state of another strategy',
  'no state',
  'an error without a state',
  'a state and nothing else',
] as const;
/** The complete authorization response of a login, in another browser that has a copy of the session cookie. */
export const COPIES = ['a copied session', 'a copied session and logins of its own'] as const;
export type Forgery = (typeof FORGERIES)[number] | (typeof COPIES)[number];

const index = fc.nat(19);
const subject = fc.nat(4);
const browser = fc.nat(2);
const state = fc.constantFrom(undefined, 'the-state-of-the-app', { returnTo: '/cart', n: 1 }, 0, null, '');

const starting = { subject, browser, state, links: fc.boolean() };

const forging = { do: fc.constant('forge' as const), login: index, subject, browser };

type Weighted = fc.WeightedArbitrary<Action>;

const USUAL: readonly Weighted[] = [
  { weight: 8, arbitrary: fc.record({ do: fc.constant('start' as const), ...starting }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('start twice' as const), ...starting }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('finish' as const), login: index }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('finish both' as const), login: index, other: index }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('submit twice' as const), login: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deny' as const), login: index }) },
  { weight: 4, arbitrary: fc.record({ ...forging, as: fc.constantFrom(...FORGERIES) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 7 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), browser }) },
];

const MORE: Readonly<Record<InterleavingKind, readonly Weighted[]>> = {
  interleavings: [],
  processes: [
    { weight: 3, arbitrary: fc.record({ do: fc.constant('submit twice' as const), login: index }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('replay' as const), login: index }) },
  ],
  browsers: [
    { weight: 4, arbitrary: fc.record({ ...forging, as: fc.constantFrom(...COPIES) }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('link' as const), latest: fc.nat(2) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('plant' as const), login: index, subject }) },
  ],
};

/** Logs a user in, in each of the first browsers, so that links begin with somebody signed in. */
const signedIn: fc.Arbitrary<readonly Action[]> = fc
  .array(fc.record(starting), { maxLength: 3 })
  .map((starts) =>
    starts.flatMap((start, number): Action[] => [
      { do: 'start', ...start, browser: number },
      { do: 'finish', login: number },
    ]),
  );

/** Sequences of events. */
export function interleavings(kind: InterleavingKind): fc.Arbitrary<readonly Move[]> {
  const action: fc.Arbitrary<Action> = fc.oneof(...USUAL, ...MORE[kind]);
  const at = fc.tuple(fc.nat(1), fc.nat(1));
  const move: fc.Arbitrary<Move> = fc
    .tuple(action, at)
    .map(([chosen, processes]) => ({ ...chosen, at: processes }));
  const moves = fc.array(move, { minLength: 1, maxLength: 20, size: 'max' });
  if (kind !== 'browsers') return moves;
  return fc
    .tuple(signedIn, moves)
    .map(([first, others]) => [...first.map((login): Move => ({ ...login, at: [0, 0] })), ...others]);
}
