import { Agent } from 'node:http';
import fc from 'fast-check';
import { ProviderError } from '../../../lib/index.js';
import type { NamedStrategy } from '../../support/login-app.js';
import type { Figures } from '../figures.js';
import { type AnswersRun, answerRuns } from '../generators/answer-runs.js';
import { Application, type Ending, nextTurns, OutcomeMistake } from '../world/application.js';
import { CANARIES, secretsShown } from '../world/canaries.js';
import { type PlayedNetwork, playedNetwork } from '../world/network.js';
import { belongingTo, person } from '../world/people.js';
import { type ProcessWatch, watchProcess } from '../world/process-watch.js';
import { type Subject, strategyOf } from '../world/subjects.js';
import { checkAftermath } from './aftermath.js';
import { claimOf } from './claims.js';
import { shownBy } from './exposure.js';
import { callbackQuery, keyOf, textOf } from './logins.js';
import { Violation } from './violation.js';

interface Verified {
  readonly token: string;
  readonly id: string;
}

/** Milliseconds of a deadline. The first is too short for any pause between two attempts. */
const DEADLINES = { usual: 190, hanging: 40, patient: 2_000 };
/** Milliseconds that a busy machine may take beyond the deadlines. */
const MARGIN = 4_000;

/** The world of one subject: a network, an application for each deadline, and what verify was told. */
export class AnswersWorld {
  private readonly applications: Record<keyof typeof DEADLINES, [Application, NamedStrategy]>;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly watch: ProcessWatch = watchProcess();
  private verified: Verified[] = [];

  static async open(subject: Subject, figures: Figures): Promise<AnswersWorld> {
    return new AnswersWorld(subject, figures, await playedNetwork());
  }

  private constructor(
    private readonly subject: Subject,
    private readonly figures: Figures,
    private readonly network: PlayedNetwork,
  ) {
    const make = (timeout: number): [Application, NamedStrategy] => {
      const verify = (
        token: string,
        _refresh: unknown,
        profile: { id: string },
        done: (...args: unknown[]) => void,
      ) => {
        this.verified.push({ token, id: profile.id });
        done(null, { id: profile.id });
      };
      const strategy = strategyOf(subject, network.url, verify, { timeout, agent: this.agent });
      return [new Application([strategy]), strategy];
    };
    const { usual, hanging, patient } = DEADLINES;
    this.applications = { usual: make(usual), hanging: make(hanging), patient: make(patient) };
  }

  async close(): Promise<void> {
    this.agent.destroy();
    this.watch.stop();
    await this.network.close();
  }

  property() {
    return fc.asyncProperty(answerRuns(this.subject), (run) => this.check(run));
  }

  private async check(run: AnswersRun): Promise<void> {
    const { network, subject } = this;
    network.play(run.script, subject.title);
    this.verified = [];
    const hangs = Object.values(run.script)
      .flat()
      .some(({ ending }) => ending === 'hang');
    const kind = hangs ? 'hanging' : run.patient ? 'patient' : 'usual';
    const [application, strategy] = this.applications[kind];
    const patience = DEADLINES[kind] * 6 + MARGIN;
    const call = subject.calls[run.call];
    try {
      if (call)
        await this.checkCall(call.call(strategy, belongingTo(tokenFor(call.name), run.owner)), patience);
      else await this.checkLogin(application, run, patience);
    } catch (error) {
      if (error instanceof OutcomeMistake) throw new Violation('hangs', error.message);
      throw error;
    }
    await this.settle(application, patience);
    this.figures.answers += network.hostileAnswers();
  }

  private async checkLogin(application: Application, run: AnswersRun, patience: number): Promise<void> {
    const { network, subject } = this;
    const session: Record<string, unknown> = {};
    const start = await application.run(subject.title, { url: '/login', session }, patience);
    const key = start.kind === 'redirect' ? keyOf(start.location) : undefined;
    if (key === undefined) return this.checkEnding(start, start);
    network.tellState(key);
    const url = `/callback?${textOf(callbackQuery(subject, key, run.owner))}`;
    const ending = await application.run(subject.title, { url, session }, patience);
    this.checkEnding(start, ending);
    this.checkPerson(run, ending);
    // A request token that came before, or is longer than a callback's parameter may be, takes no login.
    const { code } = (ending.info ?? {}) as { code?: string };
    const isTaken = code !== 'used_login' && code !== 'malformed_callback';
    if (isTaken && Object.keys((session.pendingLogins as object | undefined) ?? {}).length > 0) {
      throw new Violation('wrongOutcomes', 'the session keeps a login that was taken');
    }
  }

  /** That a request ended as one may, and shows nothing. */
  private checkEnding(start: Ending, { kind, error, info, headers }: Ending): void {
    const { network } = this;
    const fresh = [...network.fresh];
    const verifiers = network.requests.map(({ form }) => form.get('code_verifier') ?? '').filter(Boolean);
    const addresses = network.requests.map(({ url }) => url).join('\n');
    const shown = [
      ...secretsShown(withoutKey(start.location), verifiers),
      ...secretsShown(addresses, fresh),
      ...(kind === 'success' || kind === 'redirect'
        ? []
        : secretsShown([error, info, headers].map(shownBy).join('\n'), fresh)),
    ];
    if (shown.length > 0) throw new Violation('leaks', `${shown.join(', ')} is shown`);
    if (kind === 'error' && !(error instanceof ProviderError)) {
      throw new Violation('wrongOutcomes', `an error that is none of the network: ${shownBy(error)}`);
    }
    if (kind === 'passed') throw new Violation('wrongOutcomes', 'the request passed without a login');
  }

  private checkPerson(run: AnswersRun, ending: Ending): void {
    const { subject, network, verified, figures } = this;
    const [asked, ...others] = verified;
    if (others.length > 0) throw new Violation('wrongOutcomes', 'verify was asked twice');
    const claim = claimOf(subject.title, network.served);
    if (asked && (typeof claim === 'string' || claim.token !== asked.token || claim.id !== asked.id)) {
      throw new Violation('wrongPersons', `${JSON.stringify(asked)} logged in; ${JSON.stringify(claim)}`);
    }
    if ((ending.kind === 'success') !== (asked !== undefined)) {
      throw new Violation(
        'wrongOutcomes',
        `verify ${asked ? 'was' : 'was not'} asked, and the end is ${ending.kind}`,
      );
    }
    if (asked) figures.logins += 1;
    if (Object.keys(run.script).length > 0 || asked?.id === person(run.owner).id) return;
    if ((ending.error as { code?: string } | undefined)?.code === 'timeout') figures.late += 1;
    else throw new Violation('wrongOutcomes', `an honest network, and the login ends in ${shownBy(ending)}`);
  }

  private async checkCall(calling: Promise<unknown>, patience: number): Promise<void> {
    let overdue: NodeJS.Timeout | undefined;
    const hanging = new Promise<never>((_, reject) => {
      overdue = setTimeout(() => reject(new Violation('hangs', 'a call did not end')), patience);
    });
    const error = await Promise.race([
      calling.then(
        () => undefined,
        (thrown: unknown) => thrown,
      ),
      hanging,
    ]);
    clearTimeout(overdue);
    if (error === undefined) return;
    const shown = secretsShown(shownBy(error), [...this.network.fresh]);
    if (shown.length > 0) throw new Violation('leaks', `${shown.join(', ')} is shown by ${shownBy(error)}`);
    if (!(error instanceof ProviderError)) {
      throw new Violation('wrongOutcomes', `an error that is none of the network: ${shownBy(error)}`);
    }
  }

  /** That nothing is left behind: no second outcome, no crash, no warning, no busy connection. */
  private async settle(application: Application, patience: number): Promise<void> {
    await nextTurns();
    const end = Date.now() + patience;
    while (Object.keys(this.agent.sockets).length > 0 && Date.now() < end) await nextTurns();
    if (Object.keys(this.agent.sockets).length > 0)
      throw new Violation('socketsLeft', 'a connection stays busy');
    if (this.network.hostileAnswers() > 0) this.agent.destroy();
    checkAftermath(application.secondOutcomes, this.watch.take(), [...this.network.fresh]);
  }
}

function tokenFor(call: string): string {
  return call === 'refresh' ? CANARIES.refreshToken : CANARIES.accessToken;
}

/** The address of a redirect without the request token: what the network calls so is the network's to say. */
function withoutKey(location: string): string {
  if (location === '') return '';
  const url = new URL(location);
  url.searchParams.delete('oauth_token');
  return url.href;
}
