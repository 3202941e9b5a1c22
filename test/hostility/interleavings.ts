import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import * as lib from '../../lib/index.js';
import { either, type Generated, just, one } from './arbitraries.js';
import { Application, Browser, type Ending, LINK, verifyAnyone } from './world/application.js';
import { secretsShown, shownBy } from './world/secrets.js';
import {
  callbackQuery,
  denialQuery,
  type Library,
  SUBJECTS,
  type Subject,
  strategyOf,
  textOf,
  user,
} from './world/subjects.js';
import {
  anotherLibrary,
  expectNoSecrets,
  type Figures,
  Violation,
  type World,
  withShiftedClock,
} from './world/world.js';

import session = require('express-session');

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

const LIFETIME = 600_000;
const DEADLINE = 5_000;
/** The store drops the oldest login beyond eight, by design. Two can start at once. */
const MAX_PENDING = 7;
const INVENTED = 'invented-state-0123456789-0123456789-012345';

interface ModelLogin {
  readonly subject: Subject;
  readonly browser: number;
  readonly key: string;
  readonly owner: number;
  readonly state: unknown;
  readonly expiresAt: number;
  /** The user who was signed in when it began to link an account. */
  readonly linksTo: string | undefined;
  readonly copy: Browser;
  pending: boolean;
  sent: boolean;
}

/** Where a visit goes: the process, and the options of `passport.authenticate`. */
interface Target {
  readonly at: number;
  readonly options?: object;
}

/** What processes share, as Redis does with `SET id 1 NX PXAT expiresAt`. */
function sharedClaim() {
  const claimed = new Map<string, number>();
  return async (id: string, expiresAt: number): Promise<boolean> => {
    await new Promise(setImmediate);
    if ((claimed.get(id) ?? 0) > Date.now()) return false;
    claimed.set(id, expiresAt);
    return true;
  };
}

/** Checks an application with every network and concurrent users, in one process or in two. */
export function checksOfInterleavings(world: World, kind: InterleavingKind) {
  const libraries = kind === 'processes' ? [lib, anotherLibrary()] : [lib];
  return (moves: readonly Move[]): Promise<void> =>
    withShiftedClock((advance) => new Interleaving(world, kind, libraries).run(moves, advance));
}

/** One sequence of events, and what is expected after each. */
class Interleaving {
  private readonly sessions = new session.MemoryStore();
  private readonly claim = sharedClaim();
  private readonly applications: Application[];
  private readonly browsers = [new Browser(), new Browser(), new Browser()];
  private readonly logins: ModelLogin[] = [];
  private owners = 0;

  constructor(
    private readonly world: World,
    private readonly kind: InterleavingKind,
    private readonly libraries: readonly Library[],
  ) {
    this.applications = libraries.map((library) => this.newApplication(library));
  }

  /** An application as after a restart: new strategies for every network, with the same secrets. */
  private newApplication(library: Library): Application {
    const { agent, network } = this.world;
    // Without claim, the strategies share the library's default store and so its replay guard.
    const store = this.kind === 'processes' && { store: library.cookieLogins({ claim: this.claim }) };
    // Without sessions, nobody is signed in to whom an account could be linked.
    const linksTo = this.kind === 'browsers' ? undefined : () => undefined;
    const options = { agent, timeout: DEADLINE, linksTo, ...store };
    const strategies = SUBJECTS.map((one) => strategyOf(one, network.url, verifyAnyone(), options, library));
    return new Application(strategies, this.kind === 'browsers' ? this.sessions : undefined);
  }

  async run(moves: readonly Move[], advance: (milliseconds: number) => void): Promise<void> {
    for (const move of moves) {
      if (move.do === 'wait') advance(move.minutes * 60_000);
      else await this.make(move);
    }
    // Every login that is still pending can be finished.
    for (const login of this.logins.filter(({ pending }) => pending)) await this.finish(login, login.owner);
    await this.world.settle(this.applications.flatMap(({ secondOutcomes }) => secondOutcomes));
    this.world.figures[this.kind] += 1;
  }

  private async make(move: Exclude<Move, { do: 'wait' }>): Promise<void> {
    const { logins } = this;
    const [at, alsoAt] = move.at;
    if (move.do === 'start') return this.start(move, at);
    if (move.do === 'start twice')
      return void (await Promise.all([this.start(move, at), this.start(move, alsoAt)]));
    if (move.do === 'restart') {
      const index = at % this.libraries.length;
      this.applications[index] = this.newApplication(this.libraries[index] as Library);
      return;
    }
    if (move.do === 'forget') return this.forget(move.browser);
    const count = Math.max(1, logins.length);
    const login = move.do === 'link' ? logins.at(-1 - (move.latest % count)) : logins[move.login % count];
    if (move.do === 'forge') return this.forge(move, login);
    if (!login) return;
    if (move.do === 'deny') return this.deny(login, at);
    if (move.do === 'submit twice') return this.submitTwice(login, at);
    if (move.do === 'replay') return this.replay(login, at);
    if (move.do === 'link') return this.link(login, at);
    if (move.do === 'plant') return this.plant(login, SUBJECTS[move.subject] as Subject, at);
    const other = move.do === 'finish both' ? (logins[move.other % count] as ModelLogin) : login;
    const also = other === login ? [] : [this.finish(other, alsoAt)];
    await Promise.all([this.finish(login, at), ...also]);
  }

  private async start(move: MoveOf<'start' | 'start twice'>, at: number): Promise<void> {
    const { browser: number, state, links } = move;
    const waiting = this.logins.filter((login) => login.pending && login.browser === number);
    if (waiting.length >= MAX_PENDING) return;
    const subject = SUBJECTS[move.subject] as Subject;
    const login = await this.begin(this.browserOf(number), subject, { at, state, links });
    this.logins.push({ ...login, browser: number });
  }

  private async begin(
    browser: Browser,
    subject: Subject,
    { at, state, links = false }: { at: number; state: unknown; links?: boolean },
  ): Promise<Omit<ModelLogin, 'browser'>> {
    const linksTo = links ? await browser.signedInUser(this.sessions) : undefined;
    const options = { ...(links && LINK), ...(state !== undefined && { state }) };
    this.world.figures.steps += 1;
    const key = await this.applicationAt(at).start(subject.title, browser, options);
    this.owners += 1;
    const expiresAt = Date.now() + LIFETIME;
    const copy = browser.copy();
    return { subject, key, owner: this.owners, state, expiresAt, linksTo, copy, pending: true, sent: false };
  }

  private async finish(login: ModelLogin, at: number): Promise<void> {
    const isPending = markSent(login);
    const ending = await this.visit(this.browserOf(login.browser), login.subject, responseTo(login), { at });
    if (isPending) expectUser(this.world.figures, login, ending);
    else this.expectFailure(ending, 'a login that is used, lost or expired');
  }

  /** One authorization response arrives twice at once: at both processes, if there are two. */
  private async submitTwice(login: ModelLogin, at: number): Promise<void> {
    const { network, figures } = this.world;
    const isPending = markSent(login);
    network.startRun();
    const browser = this.browserOf(login.browser);
    const visits = [at, at + 1].map((process) =>
      this.visit(browser, login.subject, responseTo(login), { at: process }),
    );
    const endings = await Promise.all(visits);
    const [first, ...more] = endings.filter(({ kind }) => kind === 'success');
    if (more.length > 0) throw new Violation('wrongOutcomes', 'one authorization response logs in twice');
    const codes = network.requests().filter(({ path }) => path.endsWith('/token'));
    if (codes.length > 1) throw new Violation('wrongOutcomes', 'one code is sent to the network twice');
    if (isPending) expectUser(figures, login, first ?? (endings[0] as Ending));
    for (const ending of endings.filter((one) => one !== first || !isPending))
      this.expectFailure(ending, 'a replayed authorization response');
  }

  private async deny(login: ModelLogin, at: number): Promise<void> {
    const isPending = markUsed(login);
    const query = denialQuery(login.subject, login.key);
    const ending = await this.visit(this.browserOf(login.browser), login.subject, query, { at });
    this.expectFailure(ending, 'a denial', isPending ? 'access_denied' : undefined);
  }

  /** The cookies of a login still exist where an attacker has copied them. */
  private async replay(login: ModelLogin, at: number): Promise<void> {
    if (!login.sent) return this.finish(login, at);
    const what = 'a used authorization response with copied cookies';
    await this.expectRefusal(login.copy.copy(), login.subject, responseTo(login), { at, what });
  }

  private async link(login: ModelLogin, at: number): Promise<void> {
    const { subject, linksTo } = login;
    const browser = this.browserOf(login.browser);
    const isOwn = linksTo !== undefined && linksTo === (await browser.signedInUser(this.sessions));
    if (!markUsed(login) || !isOwn) {
      const what = 'a login that somebody else began, or not to link';
      return this.expectRefusal(browser, subject, responseTo(login), { at, options: LINK, what });
    }
    login.sent = true;
    const ending = await this.visit(browser, subject, responseTo(login), { at, options: LINK });
    expectUser(this.world.figures, login, ending);
    if (ending.kind === 'success') this.world.figures.links += 1;
  }

  /** Session fixation: the attacker is the browser of the login, and the victim has its session. */
  private async plant(login: ModelLogin, subject: Subject, at: number): Promise<void> {
    const victim = new Browser().withSessionOf(this.browserOf(login.browser));
    const own = { ...(await this.begin(victim, subject, { at, state: 'own' })), browser: login.browser };
    expectUser(this.world.figures, own, await this.visit(victim, subject, responseTo(own), { at }));
    for (const options of [{}, LINK]) {
      const what = 'a login that began in a planted session';
      await this.expectRefusal(victim, login.subject, responseTo(login), { at, options, what });
    }
  }

  private async forge(move: MoveOf<'forge'>, login: ModelLogin | undefined): Promise<void> {
    const subject = SUBJECTS[move.subject] as Subject;
    const browser = this.browserOf(move.browser);
    const invented = callbackQuery(subject, INVENTED, 99);
    const [at] = move.at;
    const refuse = (query: Record<string, string>, from = browser, to = subject) =>
      this.expectRefusal(from, to, query, { at, what: `a callback with ${move.as}` });
    if (move.as === 'an invented state') return refuse(invented);
    if (!login) return;
    const { browser: number, key } = login;
    const [own, next] = [this.browserOf(number), this.browserOf(number + 1)];
    if (move.as === 'the state of another browser')
      return refuse(callbackQuery(login.subject, key, 99), next, login.subject);
    if (move.as === 'the state of another strategy') {
      if (login.subject !== subject) await refuse(callbackQuery(subject, key, 99), own);
      return;
    }
    const other = move.as === 'a copied session' ? new Browser() : next;
    await refuse(responseTo(login), other.withSessionOf(own), login.subject);
  }

  private async expectRefusal(
    browser: Browser,
    subject: Subject,
    query: Record<string, string>,
    { what, ...target }: Target & { readonly what: string },
  ): Promise<void> {
    const { network } = this.world;
    network.startRun();
    this.expectFailure(await this.visit(browser, subject, query, target), what);
    if (network.requests().length > 0)
      throw new Violation('wrongOutcomes', `the network gets a request for ${what}`);
  }

  private forget(number: number): void {
    this.browserOf(number).forgetAll();
    for (const lost of this.logins.filter(({ browser }) => browser === number)) lost.pending = false;
  }

  private browserOf(number: number): Browser {
    return this.browsers[number % this.browsers.length] as Browser;
  }

  private async visit(
    browser: Browser,
    { title }: Subject,
    query: Record<string, string>,
    { at, options }: Target,
  ): Promise<Ending> {
    this.world.figures.steps += 1;
    return this.applicationAt(at).run(title, { url: `/callback?${textOf(query)}`, query, browser }, options);
  }

  private applicationAt(process: number): Application {
    return this.applications[process % this.applications.length] as Application;
  }

  private expectFailure({ kind, info, status, error, user: found }: Ending, what: string, expected?: string) {
    const { code } = (info ?? {}) as { code?: string };
    if (kind === 'success') throw new Violation('wrongUsers', `${what} logs ${JSON.stringify(found)} in`);
    const isRejected = kind === 'failure' && [400, 401, 403].includes(status ?? 0);
    if (!isRejected || (expected !== undefined && code !== expected))
      throw new Violation('wrongOutcomes', `${what} ends in ${kind} ${code ?? ''} ${shownBy(error)}`);
    const keys = this.logins.map(({ key }) => key);
    expectNoSecrets(what, secretsShown(shownBy(info), keys));
  }
}

/** Checks that a login ends with its own user and state. */
export function expectUser(
  figures: Figures,
  { owner, state, subject }: Pick<ModelLogin, 'owner' | 'subject'> & { readonly state?: unknown },
  { kind, user: loggedIn, info, error }: Ending,
): void {
  if (kind !== 'success') {
    if ((error as { code?: string } | undefined)?.code !== 'timeout')
      throw new Violation(
        'wrongOutcomes',
        `a ${subject.title} login ends in ${kind} ${shownBy(error ?? info)}`,
      );
    figures.late += 1;
    return;
  }
  figures.logins += 1;
  if ((loggedIn as { id?: string }).id !== user(owner).id)
    throw new Violation('wrongUsers', `${JSON.stringify(loggedIn)} logs in instead of ${user(owner).id}`);
  if (!isDeepStrictEqual((info as { state?: unknown }).state, state))
    throw new Violation('wrongUsers', `the state of another login is returned: ${JSON.stringify(info)}`);
}

function markUsed(login: ModelLogin): boolean {
  const isPending = login.pending && login.expiresAt > Date.now();
  login.pending = false;
  return isPending;
}

/** Like {@link markUsed}, by a response whose code goes to the network. */
function markSent(login: ModelLogin): boolean {
  const isPending = markUsed(login);
  if (isPending) login.sent = true;
  return isPending;
}

function responseTo({ subject, key, owner }: ModelLogin): Record<string, string> {
  return callbackQuery(subject, key, owner);
}
