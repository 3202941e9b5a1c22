import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { shownBy } from '../contract/eavesdropper.js';
import { either, type Generated, just, one } from './arbitraries.js';
import { Application, Browser, type Ending, verifyAnyone } from './world/application.js';
import { secretsShown } from './world/secrets.js';
import {
  callbackQuery,
  denialQuery,
  SUBJECTS,
  type Subject,
  strategyOf,
  textOf,
  user,
} from './world/subjects.js';
import { expectNoSecrets, type Figures, Violation, type World, withShiftedClock } from './world/world.js';

const index = fc.nat(19);
const subject = fc.nat(4);
const browser = fc.nat(2);
const state = one<unknown>(undefined, 'the-state-of-the-app', { returnTo: '/cart', n: 1 }, 0, null, '');
const starting = { subject, browser, state };

const FORGERIES = [
  'an invented state',
  'the state of another browser',
  'the state of another strategy',
] as const;

/** One event in an application. Indexes of logins are taken modulo their count. */
const ACTIONS = {
  start: fc.record({ do: just('start'), ...starting }),
  startTwice: fc.record({ do: just('start twice'), ...starting }),
  finish: fc.record({ do: just('finish'), login: index }),
  finishBoth: fc.record({ do: just('finish both'), login: index, other: index }),
  submitTwice: fc.record({ do: just('submit twice'), login: index }),
  deny: fc.record({ do: just('deny'), login: index }),
  forge: fc.record({ do: just('forge'), login: index, subject, browser, as: one(...FORGERIES) }),
  restart: just({ do: 'restart' }),
  wait: fc.record({ do: just('wait'), minutes: fc.integer({ min: 1, max: 7 }) }),
  forget: fc.record({ do: just('forget'), browser }),
};

export type Move = Generated<(typeof ACTIONS)[keyof typeof ACTIONS]>;
type MoveOf<Kind extends Move['do']> = Extract<Move, { do: Kind }>;

/** How often each event happens. */
const WEIGHTS = {
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
} as const satisfies Record<keyof typeof ACTIONS, number>;

const move = either<Move>(
  ...Object.entries(WEIGHTS).map(
    ([name, weight]) => [weight, ACTIONS[name as keyof typeof ACTIONS]] as const,
  ),
);

export const interleavings: fc.Arbitrary<readonly Move[]> = fc.array(move, {
  minLength: 1,
  maxLength: 20,
  size: 'max',
});

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
  pending: boolean;
}

/** Checks an application with every network and concurrent users. */
export function checksOfInterleavings(world: World) {
  return (moves: readonly Move[]): Promise<void> =>
    withShiftedClock((advance) => new Interleaving(world).run(moves, advance));
}

/** One sequence of events, and what is expected after each. */
class Interleaving {
  private application: Application;
  private readonly browsers = [new Browser(), new Browser(), new Browser()];
  private readonly logins: ModelLogin[] = [];
  private owners = 0;

  constructor(private readonly world: World) {
    this.application = this.newApplication();
  }

  /** An application as after a restart: new strategies for every network, with the same secrets and the library's default store. */
  private newApplication(): Application {
    const { agent, network } = this.world;
    const options = { agent, timeout: DEADLINE };
    return new Application(SUBJECTS.map((one) => strategyOf(one, network.url, verifyAnyone(), options)));
  }

  async run(moves: readonly Move[], advance: (milliseconds: number) => void): Promise<void> {
    for (const move of moves) {
      if (move.do === 'wait') advance(move.minutes * 60_000);
      else await this.make(move);
    }
    // Every login that is still pending can be finished.
    for (const login of this.logins.filter(({ pending }) => pending)) await this.finish(login);
    await this.world.settle(this.application.secondOutcomes);
    this.world.figures.interleavings += 1;
  }

  private async make(move: Exclude<Move, { do: 'wait' }>): Promise<void> {
    const { logins } = this;
    if (move.do === 'start') return this.start(move);
    if (move.do === 'start twice') return void (await Promise.all([this.start(move), this.start(move)]));
    if (move.do === 'restart') {
      await this.world.settle(this.application.secondOutcomes);
      this.application = this.newApplication();
      return;
    }
    if (move.do === 'forget') return this.forget(move.browser);
    const count = Math.max(1, logins.length);
    const login = logins[move.login % count];
    if (move.do === 'forge') return this.forge(move, login);
    if (!login) return;
    if (move.do === 'deny') return this.deny(login);
    if (move.do === 'submit twice') return this.submitTwice(login);
    const other = move.do === 'finish both' ? (logins[move.other % count] as ModelLogin) : login;
    const also = other === login ? [] : [this.finish(other)];
    await Promise.all([this.finish(login), ...also]);
  }

  private async start({ browser, state, subject: index }: MoveOf<'start' | 'start twice'>): Promise<void> {
    const waiting = this.logins.filter((login) => login.pending && login.browser === browser);
    if (waiting.length >= MAX_PENDING) return;
    const subject = SUBJECTS[index] as Subject;
    this.world.figures.steps += 1;
    const options = state === undefined ? {} : { state };
    const key = await this.application.start(subject.title, this.browserOf(browser), options);
    this.owners += 1;
    const expiresAt = Date.now() + LIFETIME;
    this.logins.push({ subject, browser, key, owner: this.owners, state, expiresAt, pending: true });
  }

  private async finish(login: ModelLogin): Promise<void> {
    const isPending = markUsed(login);
    const ending = await this.visit(this.browserOf(login.browser), login.subject, responseTo(login));
    if (isPending) expectUser(this.world.figures, login, ending);
    else this.expectFailure(ending, 'a login that is used, lost or expired');
  }

  /** One authorization response arrives twice at once. */
  private async submitTwice(login: ModelLogin): Promise<void> {
    const { network, figures } = this.world;
    const isPending = markUsed(login);
    network.startRun();
    const browser = this.browserOf(login.browser);
    const visit = () => this.visit(browser, login.subject, responseTo(login));
    const endings = await Promise.all([visit(), visit()]);
    const [first, ...more] = endings.filter(({ kind }) => kind === 'success');
    if (more.length > 0) throw new Violation('wrongOutcomes', 'one authorization response logs in twice');
    const codes = network.requests().filter(({ path }) => path.endsWith('/token'));
    if (codes.length > 1) throw new Violation('wrongOutcomes', 'one code is sent to the network twice');
    if (isPending) expectUser(figures, login, first ?? endings[0]);
    for (const ending of endings.filter((one) => one !== first || !isPending))
      this.expectFailure(ending, 'a replayed authorization response');
  }

  private async deny(login: ModelLogin): Promise<void> {
    const isPending = markUsed(login);
    const query = denialQuery(login.subject, login.key);
    const ending = await this.visit(this.browserOf(login.browser), login.subject, query);
    this.expectFailure(ending, 'a denial', isPending ? 'access_denied' : undefined);
  }

  private async forge(move: MoveOf<'forge'>, login: ModelLogin | undefined): Promise<void> {
    const subject = SUBJECTS[move.subject] as Subject;
    const refuse = (query: Record<string, string>, from: Browser, to = subject) =>
      this.expectRefusal(from, to, query, `a callback with ${move.as}`);
    if (move.as === 'an invented state')
      return refuse(callbackQuery(subject, INVENTED, 99), this.browserOf(move.browser));
    if (!login) return;
    const { browser, key } = login;
    if (move.as === 'the state of another browser')
      return refuse(callbackQuery(login.subject, key, 99), this.browserOf(browser + 1), login.subject);
    if (login.subject !== subject) await refuse(callbackQuery(subject, key, 99), this.browserOf(browser));
  }

  private async expectRefusal(
    browser: Browser,
    subject: Subject,
    query: Record<string, string>,
    what: string,
  ): Promise<void> {
    const { network } = this.world;
    network.startRun();
    this.expectFailure(await this.visit(browser, subject, query), what);
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

  private async visit(browser: Browser, { title }: Subject, query: Record<string, string>): Promise<Ending> {
    this.world.figures.steps += 1;
    return this.application.run(title, { url: `/callback?${textOf(query)}`, query, browser });
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
function expectUser(
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

function responseTo({ subject, key, owner }: ModelLogin): Record<string, string> {
  return callbackQuery(subject, key, owner);
}
