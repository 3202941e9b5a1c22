import fc from 'fast-check';
import { either, type Generated, just, one } from './arbitraries.js';

const index = fc.nat(19);
const subject = fc.nat(4);
const browser = fc.nat(2);
const state = one<unknown>(undefined, 'the-state-of-the-app', { returnTo: '/cart', n: 1 }, 0, null, '');
/** `links`: whether through `passport.authorize`. */
const starting = { subject, browser, state, links: fc.boolean() };
const forging = { do: just('forge'), login: index, subject, browser };

const FORGERIES = [
  'an invented state',
  'the state of another browser',
  'the state of another strategy',
] as const;
/** The complete authorization response of a login, in another browser that has a copy of the session cookie. */
const COPIES = ['a copied session', 'a copied session and logins of its own'] as const;

/** One event in an application. Indexes of logins, browsers and processes are taken modulo their count. */
const ACTIONS = {
  start: fc.record({ do: just('start'), ...starting }),
  startTwice: fc.record({ do: just('start twice'), ...starting }),
  finish: fc.record({ do: just('finish'), login: index }),
  finishBoth: fc.record({ do: just('finish both'), login: index, other: index }),
  submitTwice: fc.record({ do: just('submit twice'), login: index }),
  deny: fc.record({ do: just('deny'), login: index }),
  forge: fc.record({ ...forging, as: one<Forgery>(...FORGERIES) }),
  copy: fc.record({ ...forging, as: one<Forgery>(...COPIES) }),
  /** A used authorization response arrives again, with the cookies that the browser had when its login began. */
  replay: fc.record({ do: just('replay'), login: index }),
  /** The authorization response of one of the latest logins arrives through `passport.authorize`. */
  link: fc.record({ do: just('link'), latest: fc.nat(2) }),
  /** The login's session is planted in a new browser, whose user logs in and then opens the login's authorization response. */
  plant: fc.record({ do: just('plant'), login: index, subject }),
  restart: just({ do: 'restart' }),
  wait: fc.record({ do: just('wait'), minutes: fc.integer({ min: 1, max: 7 }) }),
  forget: fc.record({ do: just('forget'), browser }),
};
type Forgery = (typeof FORGERIES)[number] | (typeof COPIES)[number];
type Action = Generated<(typeof ACTIONS)[keyof typeof ACTIONS]>;

/** An event, with the process that gets the visit, and the one that gets a second visit at the same time. */
export type Move = Action & { readonly at: readonly [number, number] };
export type MoveOf<Kind extends Move['do']> = Extract<Move, { do: Kind }>;

type Weights = Readonly<Partial<Record<keyof typeof ACTIONS, number>>>;

const USUAL: Weights = {
  start: 8,
  startTwice: 2,
  finish: 6,
  finishBoth: 2,
  submitTwice: 2,
  deny: 1,
  forge: 4,
  restart: 1,
  wait: 1,
  forget: 1,
};

/** How often each event happens, in one process, in two, and with browsers that have another one's session. */
const WEIGHTS = {
  interleavings: USUAL,
  processes: { ...USUAL, submitTwice: 5, replay: 3 },
  browsers: { ...USUAL, copy: 4, link: 6, plant: 2 },
} as const satisfies Readonly<Record<string, Weights>>;
export type InterleavingKind = keyof typeof WEIGHTS;

/** Logs a user in, in each of the first browsers, so that links begin with somebody signed in. */
const signedIn = fc.array(fc.record(starting), { maxLength: 3 }).map((starts) =>
  starts.flatMap((start, number): Move[] => [
    { do: 'start', ...start, browser: number, at: [0, 0] },
    { do: 'finish', login: number, at: [0, 0] },
  ]),
);

export function interleavings(kind: InterleavingKind): fc.Arbitrary<readonly Move[]> {
  const weights = Object.entries(WEIGHTS[kind]) as [keyof typeof ACTIONS, number][];
  const action = either<Action>(...weights.map(([name, weight]) => [weight, ACTIONS[name]] as const));
  const move = fc
    .tuple(action, fc.tuple(fc.nat(1), fc.nat(1)))
    .map(([chosen, at]): Move => ({ ...chosen, at }));
  const moves = fc.array(move, { minLength: 1, maxLength: 20, size: 'max' });
  if (kind !== 'browsers') return moves;
  return fc.tuple(signedIn, moves).map(([first, others]) => [...first, ...others]);
}
