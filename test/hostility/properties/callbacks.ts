import { Agent } from 'node:http';
import fc from 'fast-check';
import { ProviderError } from '../../../lib/index.js';
import type { Figures } from '../figures.js';
import { type CallbackKind, type CallbackRun, callbackRuns } from '../generators/callbacks.js';
import { Application, type Ending, MissingOutcome, nextTurns } from '../world/application.js';
import { AppBrowser } from '../world/browser.js';
import { secretsOfLoginShown } from '../world/canaries.js';
import { type FakeNetwork, startFakeNetwork } from '../world/network.js';
import { type ProcessWatch, watchProcess } from '../world/process-watch.js';
import { parsedQuery, seenParameters } from '../world/query-parsers.js';
import { SUBJECTS, type Subject, strategyOf } from '../world/subjects.js';
import { ownerOf, user } from '../world/users.js';
import { checkAftermath } from './aftermath.js';
import {
  hasResponseParameter,
  isWellFormed,
  type PendingKeys,
  readResponse,
  searchOf,
} from './callback-reading.js';
import { shownBy } from './exposure.js';
import { callbackQuery, denialQuery, keyOf, textOf } from './logins.js';
import { Violation } from './violation.js';

/** Callback requests between the start and end of a login. Each may start another one, and a browser keeps eight. */
const CALLBACKS_PER_RUN = 6;
const DEADLINE = 3_000;
const TIME_LIMIT = 8_000;

/** The request of a browser that opens the page. */
const HONEST = { parser: 'extended', headers: {}, method: 'GET', place: 'query' } as const;

/** One subject's callback route, with requests from several browsers. */
export class CallbacksWorld {
  private readonly application: Application;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly watch: ProcessWatch = watchProcess();
  private userIDs: string[] = [];
  private readonly other: Subject;

  static async open(kind: CallbackKind, subject: Subject, figures: Figures): Promise<CallbacksWorld> {
    return new CallbacksWorld(kind, subject, figures, await startFakeNetwork());
  }

  private constructor(
    private readonly kind: CallbackKind,
    private readonly subject: Subject,
    private readonly figures: Figures,
    private readonly network: FakeNetwork,
  ) {
    const verify = (
      _token: string,
      _refresh: unknown,
      { id }: { id: string },
      done: (...args: unknown[]) => void,
    ) => {
      this.userIDs.push(id);
      done(null, { id });
    };
    const options = { timeout: DEADLINE, agent: this.agent };
    const others = SUBJECTS.filter((one) => one !== subject && !one.oauth1);
    this.other = others[0] as Subject;
    this.application = new Application(
      [subject, this.other].map((one) => strategyOf(one, network.url, verify, options)),
    );
  }

  async close(): Promise<void> {
    this.agent.destroy();
    this.watch.stop();
    await this.network.close();
  }

  property() {
    const runs = fc.array(callbackRuns[this.kind], {
      minLength: CALLBACKS_PER_RUN,
      maxLength: CALLBACKS_PER_RUN,
    });
    return fc.asyncProperty(runs, async (callbacks) => {
      try {
        await this.check(callbacks);
      } catch (error) {
        throw error instanceof MissingOutcome ? new Violation('hangs', error.message) : error;
      }
    });
  }

  private async check(callbacks: readonly CallbackRun[]): Promise<void> {
    const { subject, other } = this;
    const [victim, stranger] = [new AppBrowser(), new AppBrowser()];
    const strangerState = await this.start(stranger, subject);
    const otherState = await this.start(victim, other);
    const usedState = await this.start(victim, subject);
    await this.visit(victim, subject, textOf(denialQuery(subject, usedState)));
    let state = await this.start(victim, subject);
    for (const callback of callbacks) {
      const keys = { state, strangerState, otherState, usedState };
      const isUsed = await this.checkCallback(victim, callback, keys);
      if (isUsed) state = await this.start(victim, subject);
    }
    await this.checkHonest(victim, other, otherState);
    await this.checkHonest(victim, subject, state);
    await this.checkHonest(stranger, subject, strangerState);
    await this.settle();
  }

  private async start(browser: AppBrowser, subject: Subject): Promise<string> {
    const ending = await this.visit(browser, subject, '');
    const key = keyOf(ending.location || 'http://nowhere.invalid');
    if (key === undefined) throw new Violation('wrongOutcomes', `a login does not start: ${shownBy(ending)}`);
    return key;
  }

  private async visit(
    browser: AppBrowser,
    { title }: Subject,
    search: string,
    { parser, headers, method, place }: Omit<CallbackRun, 'parameters' | 'tail'> = HONEST,
  ): Promise<Ending> {
    this.network.startRun({});
    this.userIDs = [];
    const inURL = place === 'body' ? '' : search;
    const query = parsedQuery(inURL, parser);
    const request = {
      url: `/callback?${inURL}`,
      method,
      headers: { ...headers, cookie: browser.cookieHeader(headers.cookie) },
      ...(place !== 'query' && { body: parsedQuery(search, 'extended') }),
    };
    const ending = await this.application.run(title, { ...request, ...(query && { query }) }, TIME_LIMIT);
    browser.keep(ending);
    return ending;
  }

  /** @returns Whether the request used up the pending login. */
  private async checkCallback(
    browser: AppBrowser,
    callback: CallbackRun,
    keys: PendingKeys,
  ): Promise<boolean> {
    const { subject, network } = this;
    const search = searchOf(callback, keys);
    const inURL = callback.place === 'body' ? '' : search;
    const seen = seenParameters(inURL, parsedQuery(inURL, callback.parser));
    const before = browser.pendingLogins();
    const ending = await this.visit(browser, subject, search, callback);
    this.figures[this.kind] += 1;
    if (this.kind === 'methods')
      this.checkNothingUsed(ending, callback.method, browser.pendingLogins() - before, seen);
    const { state, code } = readResponse(subject, seen);
    const isOwnState = state === keys.state;
    const { kind, error, info } = ending;
    const verified = this.userIDs;
    // Another user's code in `error` may be shown. This login's own state and verifier may not.
    const loginSecrets = [keys.state, ...network.fresh];
    const shown = kind === 'redirect' ? [] : secretsOfLoginShown(shownBy([error, info]), loginSecrets);
    if (shown.length > 0) throw new Violation('leaks', `the outcome for ${search} shows ${shown.join(', ')}`);
    if (kind === 'redirect' && hasResponseParameter(subject, seen)) {
      throw new Violation('wrongOutcomes', `an authorization response starts a login: ${search}`);
    }
    if (kind === 'passed') throw new Violation('wrongOutcomes', `the request passes: ${search}`);
    if (verified.length > 1) throw new Violation('wrongOutcomes', 'verify was called twice');
    if (verified.length === 1) {
      const expected = user(ownerOf(code ?? '') ?? 0).id;
      if (!isOwnState || code === undefined || verified[0] !== expected) {
        throw new Violation('wrongUsers', `${verified[0]} logs in with ${search} (${JSON.stringify(keys)})`);
      }
      this.figures.logins += 1;
    }
    if ((kind === 'success') !== (verified.length === 1)) {
      throw new Violation(
        'wrongOutcomes',
        `verify was called ${verified.length} times, and the outcome is ${kind}`,
      );
    }
    const calls = network.requests.filter(({ path }) => !path.endsWith('request-token')).length;
    if (!isOwnState && calls > 0)
      throw new Violation('wrongUsers', `the network gets a request for ${search}`);
    if (!isOwnState && kind === 'error') {
      throw new Violation(
        'wrongOutcomes',
        `a forged callback causes an error: ${shownBy(error)} for ${search}`,
      );
    }
    if (kind === 'error' && !(error instanceof ProviderError)) {
      throw new Violation('wrongOutcomes', `not a ProviderError: ${shownBy(error)}`);
    }
    const after = browser.pendingLogins();
    if (!isOwnState && kind !== 'redirect' && after !== before) {
      throw new Violation('wrongOutcomes', `a forged callback changes the pending logins: ${search}`);
    }
    return verified.length === 1 || after < before;
  }

  /** Checks the response to a request that is no visit of a browser. */
  private checkNothingUsed(
    ending: Ending,
    method: string,
    added: number,
    seen: ReadonlyMap<string, unknown>,
  ): void {
    const { kind, status, info, error } = ending;
    const { code } = (info ?? {}) as { code?: string };
    const calls = this.network.requests.filter(({ path }) => !path.endsWith('/request-token')).length;
    if (calls > 0) throw new Violation('wrongOutcomes', 'the network gets a request');
    if (this.userIDs.length > 0) throw new Violation('wrongUsers', `${this.userIDs[0]} logs in`);
    // A form of the application starts a login, or there is no room for it beside the cookies; its fields are not read.
    if (method === 'POST' && (kind === 'redirect' || code === 'no_room')) return;
    if (added !== 0) throw new Violation('wrongOutcomes', `${-added} pending logins are used up`);
    const isResponse = hasResponseParameter(this.subject, seen);
    const expected = isResponse ? '405 method_not_allowed' : '403 not_a_navigation';
    const isRejected = kind === 'failure' && `${status} ${code}` === expected;
    const isMalformed = kind === 'failure' && status === 400 && code === 'malformed_response';
    if (!isRejected && !(isMalformed && !isWellFormed(seen)))
      throw new Violation(
        'wrongOutcomes',
        `the outcome is ${kind} ${status ?? ''} ${code ?? shownBy(error)}`,
      );
  }

  /** Checks that a pending login can still be finished. */
  private async checkHonest(browser: AppBrowser, subject: Subject, key: string): Promise<void> {
    const query = textOf(callbackQuery(subject, key, 1));
    const ending = await this.visit(browser, subject, query);
    if (ending.kind === 'success' && this.userIDs[0] === user(1).id) {
      this.figures.logins += 1;
      return;
    }
    if ((ending.error as { code?: string } | undefined)?.code === 'timeout') this.figures.late += 1;
    else
      throw new Violation('wrongOutcomes', `an honest login of ${subject.title} ends in ${shownBy(ending)}`);
  }

  private async settle(): Promise<void> {
    await nextTurns();
    checkAftermath(this.application.secondOutcomes, this.watch.take());
  }
}
