import { Agent } from 'node:http';

import session = require('express-session');

import fc from 'fast-check';
import type { Figures } from '../figures.js';
import { interleavings, type Move } from '../generators/interleavings.js';
import { type Ending, MissingOutcome } from '../world/application.js';
import { AppBrowser } from '../world/browser.js';
import { type FakeNetwork, startFakeNetwork } from '../world/network.js';
import { type ProcessWatch, watchProcess } from '../world/process-watch.js';
import { restartedApplication, usedLoginsIn } from '../world/restarts.js';
import type { SessionApplication } from '../world/session-application.js';
import { withShiftedClock } from '../world/shifted-clock.js';
import { SUBJECTS, type Subject } from '../world/subjects.js';
import { checkAftermath } from './aftermath.js';
import type { StoreKind } from './callbacks.js';
import { shownBy } from './exposure.js';
import { forgedQuery } from './forgeries.js';
import { expectFailure, expectUser, type ModelLogin, markUsed } from './login-model.js';
import { callbackQuery, denialQuery, keyOf, textOf } from './logins.js';
import { Violation } from './violation.js';

const LIFETIME = 600_000;
/** The store drops the oldest login beyond this, by design. */
const MAX_PENDING = 9;

/** An application with every network and concurrent users. */
export class InterleavingsWorld {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly watch: ProcessWatch = watchProcess();
  private sessions = new session.MemoryStore();
  private application: SessionApplication;
  private browsers: AppBrowser[] = [];
  private logins: ModelLogin[] = [];

  static async open(store: StoreKind, figures: Figures): Promise<InterleavingsWorld> {
    return new InterleavingsWorld(store, figures, await startFakeNetwork());
  }

  private constructor(
    private readonly store: StoreKind,
    private readonly figures: Figures,
    private readonly network: FakeNetwork,
  ) {
    this.application = this.newApplication();
  }

  async close(): Promise<void> {
    this.agent.destroy();
    this.watch.stop();
    await this.network.close();
  }

  private newApplication(): SessionApplication {
    return restartedApplication(
      this.network.url,
      this.agent,
      this.store === 'session' ? this.sessions : undefined,
    );
  }

  property() {
    return fc.asyncProperty(interleavings, async (moves) => {
      try {
        await withShiftedClock((advance) => this.run(moves, advance));
      } catch (error) {
        throw error instanceof MissingOutcome ? new Violation('hangs', error.message) : error;
      }
    });
  }

  private async run(moves: readonly Move[], advance: (milliseconds: number) => void): Promise<void> {
    this.sessions = new session.MemoryStore();
    this.application = this.newApplication();
    this.browsers = [new AppBrowser(), new AppBrowser(), new AppBrowser()];
    this.logins = [];
    for (const move of moves) {
      if (move.do === 'wait') advance(move.minutes * 60_000);
      else await this.make(move);
    }
    // Every login that is still pending can be finished.
    for (const login of this.logins.filter(({ pending }) => pending)) await this.finish(login);
    await this.settle();
    this.figures.interleavings += 1;
  }

  private async make(move: Exclude<Move, { do: 'wait' }>): Promise<void> {
    const { logins } = this;
    const login = 'login' in move ? logins[move.login % Math.max(1, logins.length)] : undefined;
    switch (move.do) {
      case 'start':
        return this.start(move);
      case 'start twice':
        // Two concurrent first requests without a cookie create two sessions, so create the session first.
        if (this.store === 'session' && !this.browsers[move.browser]?.sessionID()) await this.start(move);
        return void (await Promise.all([this.start(move), this.start(move)]));
      case 'restart':
        this.application = this.newApplication();
        return;
      case 'forget':
        this.browsers[move.browser]?.forgetAll();
        for (const lost of logins.filter(({ browser }) => browser === move.browser)) lost.pending = false;
        return;
      case 'forge':
        return this.forge(move, login);
      default:
    }
    if (!login) return;
    if (move.do === 'finish') return this.finish(login);
    if (move.do === 'deny') return this.deny(login);
    if (move.do === 'submit twice') return this.submitTwice(login);
    const other = logins[move.other % logins.length] as ModelLogin;
    if (other === login) return this.finish(login);
    return void (await Promise.all([this.finish(login), this.finish(other)]));
  }

  private async start({
    subject: index,
    browser,
    state,
  }: Extract<Move, { do: 'start' | 'start twice' }>): Promise<void> {
    const subject = SUBJECTS[index] as Subject;
    const waiting = this.logins.filter((login) => login.pending && login.browser === browser);
    if (waiting.length >= MAX_PENDING) return;
    const options = state === undefined ? {} : { state };
    const ending = await this.visit(browser, subject, '', options);
    const key = ending.kind === 'redirect' ? keyOf(ending.location) : undefined;
    if (key === undefined) throw new Violation('wrongOutcomes', `a login does not start: ${shownBy(ending)}`);
    const owner = this.logins.length + 1;
    this.logins.push({
      subject,
      browser,
      key,
      owner,
      state,
      expiresAt: Date.now() + LIFETIME,
      pending: true,
    });
  }

  private async finish(login: ModelLogin): Promise<void> {
    const { subject, key, owner, browser } = login;
    const isPending = markUsed(login);
    const ending = await this.visit(browser, subject, textOf(callbackQuery(subject, key, owner)));
    if (isPending) expectUser(this.figures, login, ending);
    else this.expectFailure(ending, 'a login that is used, lost or expired');
  }

  private async submitTwice(login: ModelLogin): Promise<void> {
    const { subject, key, owner, browser } = login;
    const isPending = markUsed(login);
    const query = textOf(callbackQuery(subject, key, owner));
    const endings = await Promise.all([1, 2].map(() => this.visit(browser, subject, query)));
    const [first, ...more] = endings.filter(({ kind }) => kind === 'success');
    if (more.length > 0) throw new Violation('wrongOutcomes', 'one authorization response logs in twice');
    if (isPending) expectUser(this.figures, login, first ?? (endings[0] as Ending));
    for (const ending of endings.filter((one) => one !== first || !isPending))
      this.expectFailure(ending, 'a replayed authorization response');
  }

  private async deny(login: ModelLogin): Promise<void> {
    const { subject, key, browser } = login;
    const isPending = markUsed(login);
    const ending = await this.visit(browser, subject, textOf(denialQuery(subject, key)));
    this.expectFailure(ending, 'a denial', isPending ? 'access_denied' : undefined);
  }

  private async forge(move: Extract<Move, { do: 'forge' }>, login: ModelLogin | undefined): Promise<void> {
    const forged = forgedQuery(move, login);
    if (!forged) return;
    this.network.startRun({});
    const ending = await this.visit(forged.browser, forged.subject, textOf(forged.query));
    this.expectFailure(ending, `a callback with ${move.as}`);
    if (this.network.requests.length > 0)
      throw new Violation('wrongOutcomes', `the network gets a request for ${move.as}`);
  }

  private async visit(
    browser: number,
    { title }: Subject,
    search: string,
    options: object = {},
  ): Promise<Ending> {
    this.figures.steps += 1;
    return this.application.visit(this.browsers[browser] as AppBrowser, title, search, options);
  }

  private expectFailure(ending: Ending, what: string, code?: string): void {
    const keys = this.logins.map(({ key }) => key);
    expectFailure(ending, what, keys, code);
  }

  private async settle(): Promise<void> {
    await new Promise(setImmediate);
    const left = await usedLoginsIn(this.sessions, this.browsers);
    if (left > 0) throw new Violation('wrongOutcomes', 'a session still contains a used login');
    checkAftermath(this.application.secondOutcomes, this.watch.take());
  }
}
