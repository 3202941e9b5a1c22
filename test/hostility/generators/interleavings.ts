import fc from 'fast-check';

/** One event in an application. Indexes of logins and browsers are taken modulo their count. */
export type Move =
  | { readonly do: 'start'; readonly subject: number; readonly browser: number; readonly state: unknown }
  /** Two tabs of one browser start at the same time. */
  | {
      readonly do: 'start twice';
      readonly subject: number;
      readonly browser: number;
      readonly state: unknown;
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
  /** New strategies with the same session store or cookie secret. */
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
export type Forgery = (typeof FORGERIES)[number];

const index = fc.nat(19);
const subject = fc.nat(4);
const browser = fc.nat(2);
const state = fc.constantFrom(undefined, 'the-state-of-the-app', { returnTo: '/cart', n: 1 }, 0, null, '');

const starting = { subject, browser, state };

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('start' as const), ...starting }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('start twice' as const), ...starting }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('finish' as const), login: index }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('finish both' as const), login: index, other: index }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('submit twice' as const), login: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deny' as const), login: index }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('forge' as const),
      login: index,
      subject,
      browser,
      as: fc.constantFrom(...FORGERIES),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 7 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), browser }) },
);

/** Sequences of events. */
export const interleavings: fc.Arbitrary<readonly Move[]> = fc.array(move, {
  minLength: 1,
  maxLength: 20,
  size: 'max',
});
