import { Agent } from 'node:http';

import session = require('express-session');

import fc from 'fast-check';
import * as lib from '../../../lib/index.js';
import type { Figures } from '../figures.js';
import { type InterleavingKind, interleavings, type Move } from '../generators/interleavings.js';
import { type Ending, MissingOutcome } from '../world/application.js';
import { AppBrowser } from '../world/browser.js';
import { anotherLibrary, type Library } from '../world/library.js';
import { type FakeNetwork, startFakeNetwork } from '../world/network.js';
import { type ProcessWatch, watchProcess } from '../world/process-watch.js';
import { restartedApplication, sharedClaim, signedInUser } from '../world/restarts.js';
import { LINK, type SessionApplication } from '../world/session-application.js';
import { withShiftedClock } from '../world/shifted-clock.js';
import { SUBJECTS, type Subject } from '../world/subjects.js';
import { checkAftermath } from './aftermath.js';
import { shownBy } from './exposure.js';
import { forgedCallback } from './forgeries.js';
import { expectFailure, expectUser, type ModelLogin, markUsed } from './login-model.js';
import { callbackQuery, denialQuery, keyOf, textOf } from './logins.js';
import { Violation } from './violation.js';

const LIFETIME = 600_000;
/** The store drops the oldest login beyond eight, by design. Two can start at once. */
const MAX_PENDING = 7;

/** Where a visit goes: the process, and the options of `passport.authenticate`. */
interface Target {
  readonly at: number;
  readonly options?: object;
}

/** An application with every network and concurrent users, in one process or in two. */
export class InterleavingsWorld {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly watch: ProcessWatch = watchProcess();
  /** The library of each process. */
  private readonly libraries: readonly Library[];
  private sessions = new session.MemoryStore();
  private claim = sharedClaim();
  private applications: SessionApplication[] = [];
  private browsers: AppBrowser[] = [];
  private logins: ModelLogin[] = [];
  private owners = 0;

  static async open(kind: InterleavingKind, figures: Figures): Promise<InterleavingsWorld> {
    return new InterleavingsWorld(kind, figures, await startFakeNetwork());
  }

  private constructor(
    private readonly kind: InterleavingKind,
    private readonly figures: Figures,
    private readonly network: FakeNetwork,
  ) {
    this.libraries = kind === 'processes' ? [lib, anotherLibrary()] : [lib];
  }

  async close(): Promise<void> {
    this.agent.destroy();
    this.watch.stop();
    await this.network.close();
  }

  private newApplication(library: Library): SessionApplication {
    const { kind, network, agent, sessions, claim } = this;
    const settings = { url: network.url, agent, sessions: kind === 'browsers' ? sessions : undefined };
    return restartedApplication({ ...settings, ...(kind === 'processes' && { claim }) }, library);
  }

  property() {
    return fc.asyncProperty(interleavings(this.kind), async (moves) => {
      try {
        await withShiftedClock((advance) => this.run(moves, advance));
      } catch (error) {
        throw error instanceof MissingOutcome ? new Violation('hangs', error.message) : error;
      }
    });
  }

  private async run(moves: readonly Move[], advance: (milliseconds: number) => void): Promise<void> {
    this.sessions = new session.MemoryStore();
    this.claim = sharedClaim();
    this.applications = this.libraries.map((library) => this.newApplication(library));
    this.browsers = [new AppBrowser(), new AppBrowser(), new AppBrowser()];
    this.logins = [];
    this.owners = 0;
    for (const move of moves) {
      if (move.do === 'wait') advance(move.minutes * 60_000);
      else await this.make(move);
    }
    // Every login that is still pending can be finished.
    for (const login of this.logins.filter(({ pending }) => pending)) await this.finish(login, login.owner);
    await this.settle();
    this.figures[this.kind] += 1;
  }

  private async make(move: Exclude<Move, { do: 'wait' }>): Promise<void> {
    const { logins } = this;
    const [at, alsoAt] = move.at;
    const login = loginOf(move, logins);
    switch (move.do) {
      case 'start':
        return this.start(move, at);
      case 'start twice':
        await Promise.all([this.start(move, at), this.start(move, alsoAt)]);
        return;
      case 'restart': {
        const index = at % this.libraries.length;
        this.applications[index] = this.newApplication(this.libraries[index] as Library);
        return;
      }
      case 'forget':
        return this.forget(move.browser);
      case 'forge':
        return this.forge(move, login);
      default:
    }
    if (!login) return;
    if (move.do === 'finish') return this.finish(login, at);
    if (move.do === 'deny') return this.deny(login, at);
    if (move.do === 'submit twice') return this.submitTwice(login, at);
    if (move.do === 'replay') return this.replay(login, at);
    if (move.do === 'link') return this.link(login, at);
    if (move.do === 'plant') return this.plant(login, SUBJECTS[move.subject] as Subject, at);
    const other = logins[move.other % logins.length] as ModelLogin;
    if (other === login) return this.finish(login, at);
    return void (await Promise.all([this.finish(login, at), this.finish(other, alsoAt)]));
  }

  private async start(
    { subject: index, browser: number, state, links }: Extract<Move, { do: 'start' | 'start twice' }>,
    at: number,
  ): Promise<void> {
    const waiting = this.logins.filter((login) => login.pending && login.browser === number);
    if (waiting.length >= MAX_PENDING) return;
    const browser = this.browsers[number] as AppBrowser;
    const login = await this.begin(browser, SUBJECTS[index] as Subject, { at, state, links });
    this.logins.push({ ...login, browser: number });
  }

  private async begin(
    browser: AppBrowser,
    subject: Subject,
    { at, state, links = false }: { at: number; state: unknown; links?: boolean },
  ): Promise<Omit<ModelLogin, 'browser'>> {
    const linksTo = links ? await signedInUser(this.sessions, browser) : undefined;
    const options = { ...(links && LINK), ...(state !== undefined && { state }) };
    const ending = await this.visit(browser, subject, '', { at, options });
    const key = ending.kind === 'redirect' ? keyOf(ending.location) : undefined;
    if (key === undefined) throw new Violation('wrongOutcomes', `a login does not start: ${shownBy(ending)}`);
    this.owners += 1;
    return {
      subject,
      key,
      owner: this.owners,
      state,
      expiresAt: Date.now() + LIFETIME,
      linksTo,
      copy: browser.copy(),
      pending: true,
      sent: false,
    };
  }

  private async finish(login: ModelLogin, at: number): Promise<void> {
    const isPending = markUsed(login);
    if (isPending) login.sent = true;
    const ending = await this.visit(this.browserOf(login), login.subject, responseTo(login), { at });
    if (isPending) expectUser(this.figures, login, ending);
    else this.expectFailure(ending, 'a login that is used, lost or expired');
  }

  /** One authorization response arrives twice at once: at both processes, if there are two. */
  private async submitTwice(login: ModelLogin, at: number): Promise<void> {
    const isPending = markUsed(login);
    if (isPending) login.sent = true;
    this.network.startRun({});
    const browser = this.browserOf(login);
    const endings = await Promise.all(
      [at, at + 1].map((process) => this.visit(browser, login.subject, responseTo(login), { at: process })),
    );
    const [first, ...more] = endings.filter(({ kind }) => kind === 'success');
    if (more.length > 0) throw new Violation('wrongOutcomes', 'one authorization response logs in twice');
    const codes = this.network.requests.filter(({ path }) => path.endsWith('/token'));
    if (codes.length > 1) throw new Violation('wrongOutcomes', 'one code is sent to the network twice');
    if (isPending) expectUser(this.figures, login, first ?? (endings[0] as Ending));
    for (const ending of endings.filter((one) => one !== first || !isPending))
      this.expectFailure(ending, 'a replayed authorization response');
  }

  private async deny(login: ModelLogin, at: number): Promise<void> {
    const isPending = markUsed(login);
    const query = textOf(denialQuery(login.subject, login.key));
    const ending = await this.visit(this.browserOf(login), login.subject, query, { at });
    this.expectFailure(ending, 'a denial', isPending ? 'access_denied' : undefined);
  }

  /** The cookies of a login still exist where an attacker has copied them. */
  private async replay(login: ModelLogin, at: number): Promise<void> {
    if (!login.sent) return this.finish(login, at);
    await this.expectRefusal(login.copy.copy(), login.subject, responseTo(login), {
      at,
      what: 'a used authorization response with copied cookies',
    });
  }

  private async link(login: ModelLogin, at: number): Promise<void> {
    const browser = this.browserOf(login);
    const isOwn =
      login.linksTo !== undefined && login.linksTo === (await signedInUser(this.sessions, browser));
    if (!markUsed(login) || !isOwn) {
      const what = 'a login that somebody else began, or not to link';
      return this.expectRefusal(browser, login.subject, responseTo(login), { at, options: LINK, what });
    }
    login.sent = true;
    const ending = await this.visit(browser, login.subject, responseTo(login), { at, options: LINK });
    expectUser(this.figures, login, ending);
    if (ending.kind === 'success') this.figures.links += 1;
  }

  /** Session fixation: the attacker is the browser of the login, and the victim has its session. */
  private async plant(login: ModelLogin, subject: Subject, at: number): Promise<void> {
    const attacker = this.browserOf(login);
    const victim = new AppBrowser().withSessionOf(attacker);
    const own = { ...(await this.begin(victim, subject, { at, state: 'own' })), browser: login.browser };
    const ending = await this.visit(victim, subject, responseTo(own), { at });
    expectUser(this.figures, own, ending);
    for (const options of [{}, LINK]) {
      const what = 'a login that began in a planted session';
      await this.expectRefusal(victim, login.subject, responseTo(login), { at, options, what });
    }
  }

  private async forge(move: Extract<Move, { do: 'forge' }>, login: ModelLogin | undefined): Promise<void> {
    const forged = forgedCallback(move, login, this.browsers);
    if (!forged) return;
    const { browser, subject, query } = forged;
    const [at] = move.at;
    await this.expectRefusal(browser, subject, textOf(query), { at, what: `a callback with ${move.as}` });
  }

  /** Expects a failure without a request to the network. */
  private async expectRefusal(
    browser: AppBrowser,
    subject: Subject,
    search: string,
    { what, ...target }: Target & { readonly what: string },
  ): Promise<void> {
    this.network.startRun({});
    this.expectFailure(await this.visit(browser, subject, search, target), what);
    if (this.network.requests.length > 0)
      throw new Violation('wrongOutcomes', `the network gets a request for ${what}`);
  }

  private forget(number: number): void {
    this.browsers[number]?.forgetAll();
    for (const lost of this.logins.filter(({ browser }) => browser === number)) lost.pending = false;
  }

  private browserOf({ browser }: ModelLogin): AppBrowser {
    return this.browsers[browser] as AppBrowser;
  }

  private async visit(
    browser: AppBrowser,
    { title }: Subject,
    search: string,
    { at, options = {} }: Target,
  ): Promise<Ending> {
    this.figures.steps += 1;
    const application = this.applications[at % this.applications.length] as SessionApplication;
    return application.visit(browser, title, search, options);
  }

  private expectFailure(ending: Ending, what: string, code?: string): void {
    const keys = this.logins.map(({ key }) => key);
    expectFailure(ending, what, keys, code);
  }

  private async settle(): Promise<void> {
    await new Promise(setImmediate);
    const outcomes = this.applications.flatMap(({ secondOutcomes }) => secondOutcomes.splice(0));
    checkAftermath(outcomes, this.watch.take());
  }
}

function loginOf(move: Move, logins: readonly ModelLogin[]): ModelLogin | undefined {
  const count = Math.max(1, logins.length);
  if (move.do === 'link') return logins.at(-1 - (move.latest % count));
  return 'login' in move ? logins[move.login % count] : undefined;
}

/** The query of a login's authorization response. */
function responseTo({ subject, key, owner }: ModelLogin): string {
  return textOf(callbackQuery(subject, key, owner));
}
