import { Agent } from 'node:http';
import fc from 'fast-check';
import { ProviderError } from '../../../lib/index.js';
import type { NamedStrategy } from '../../support/login-app.js';
import type { Figures } from '../figures.js';
import { type ResponsesRun, responseRuns } from '../generators/response-runs.js';
import { Application, type Ending, MissingOutcome, nextTurns } from '../world/application.js';
import { CANARIES, secretsShown } from '../world/canaries.js';
import { type FakeNetwork, startFakeNetwork } from '../world/network.js';
import { type ProcessWatch, watchProcess } from '../world/process-watch.js';
import { type Subject, strategyOf } from '../world/subjects.js';
import { belongingTo, user } from '../world/users.js';
import { checkAftermath } from './aftermath.js';
import { expectedLogin } from './expected-login.js';
import { shownBy } from './exposure.js';
import { callbackQuery, keyOf, textOf } from './logins.js';
import { Violation } from './violation.js';

interface Verified {
  readonly token: string;
  readonly id: string;
}

/** Request timeouts in milliseconds. `usual` is too short for a retry. */
const DEADLINES = { usual: 190, hanging: 40, retrying: 2_000 };
/** Extra milliseconds for a busy machine. */
const MARGIN = 4_000;

/** One subject's network, an application for each timeout, and the calls of verify. */
export class ResponsesWorld {
  private readonly applications: Record<keyof typeof DEADLINES, [Application, NamedStrategy]>;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly watch: ProcessWatch = watchProcess();
  private verified: Verified[] = [];

  static async open(subject: Subject, figures: Figures): Promise<ResponsesWorld> {
    return new ResponsesWorld(subject, figures, await startFakeNetwork());
  }

  private constructor(
    private readonly subject: Subject,
    private readonly figures: Figures,
    private readonly network: FakeNetwork,
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
    const { usual, hanging, retrying } = DEADLINES;
    this.applications = { usual: make(usual), hanging: make(hanging), retrying: make(retrying) };
  }

  async close(): Promise<void> {
    this.agent.destroy();
    this.watch.stop();
    await this.network.close();
  }

  property() {
    return fc.asyncProperty(responseRuns(this.subject), (run) => this.check(run));
  }

  private async check(run: ResponsesRun): Promise<void> {
    const { network, subject } = this;
    network.startRun(run.script, subject.title);
    this.verified = [];
    const hangs = Object.values(run.script)
      .flat()
      .some(({ ending }) => ending === 'hang');
    const kind = hangs ? 'hanging' : run.allowsRetries ? 'retrying' : 'usual';
    const [application, strategy] = this.applications[kind];
    const timeLimit = DEADLINES[kind] * 6 + MARGIN;
    const call = subject.calls[run.call];
    try {
      if (call)
        await this.checkCall(call.call(strategy, belongingTo(tokenFor(call.name), run.owner)), timeLimit);
      else await this.checkLogin(application, run, timeLimit);
    } catch (error) {
      if (error instanceof MissingOutcome) throw new Violation('hangs', error.message);
      throw error;
    }
    await this.settle(application, timeLimit);
    this.figures.responses += network.hostileResponses();
  }

  private async checkLogin(application: Application, run: ResponsesRun, timeLimit: number): Promise<void> {
    const { network, subject } = this;
    const start = await application.run(subject.title, { url: '/login' }, timeLimit);
    const key = start.kind === 'redirect' ? keyOf(start.location) : undefined;
    if (key === undefined) return this.checkEnding(start, start);
    network.registerState(key);
    const url = `/callback?${textOf(callbackQuery(subject, key, run.owner))}`;
    const headers = { cookie: cookiesSetBy(start).join('; ') };
    const ending = await application.run(subject.title, { url, headers }, timeLimit);
    this.checkEnding(start, ending);
    this.checkUser(run, ending);
    // A repeated or overlong request token does not use up the pending login.
    const { code } = (ending.info ?? {}) as { code?: string };
    const isUsed = code !== 'used_login' && code !== 'malformed_response';
    if (isUsed && !cookiesSetBy(ending).some((cookie) => cookie.endsWith('='))) {
      throw new Violation('wrongOutcomes', 'the browser keeps the cookie of a used login');
    }
  }

  /** Checks that a request ended with a valid outcome that shows no secret. */
  private checkEnding(start: Ending, { kind, error, info, headers }: Ending): void {
    const { network } = this;
    const fresh = [...network.fresh];
    const verifiers = network.requests.map(({ form }) => form.get('code_verifier') ?? '').filter(Boolean);
    const urls = network.requests.map(({ url }) => url).join('\n');
    const shown = [
      ...secretsShown(withoutKey(start.location), verifiers),
      ...secretsShown(urls, fresh),
      ...(kind === 'success' || kind === 'redirect'
        ? []
        : secretsShown([error, info, headers].map(shownBy).join('\n'), fresh)),
    ];
    if (shown.length > 0) throw new Violation('leaks', `the outcome shows ${shown.join(', ')}`);
    if (kind === 'error' && !(error instanceof ProviderError)) {
      throw new Violation('wrongOutcomes', `not a ProviderError: ${shownBy(error)}`);
    }
    if (kind === 'passed') throw new Violation('wrongOutcomes', 'the request passed without a login');
  }

  private checkUser(run: ResponsesRun, ending: Ending): void {
    const { subject, network, verified, figures } = this;
    const [login, ...others] = verified;
    if (others.length > 0) throw new Violation('wrongOutcomes', 'verify was called twice');
    const expected = expectedLogin(subject.title, network.served);
    if (
      login &&
      (typeof expected === 'string' || expected.token !== login.token || expected.id !== login.id)
    ) {
      throw new Violation('wrongUsers', `${JSON.stringify(login)} logged in; ${JSON.stringify(expected)}`);
    }
    if ((ending.kind === 'success') !== (login !== undefined)) {
      throw new Violation(
        'wrongOutcomes',
        `verify ${login ? 'was' : 'was not'} called, and the outcome is ${ending.kind}`,
      );
    }
    if (login) figures.logins += 1;
    if (Object.keys(run.script).length > 0 || login?.id === user(run.owner).id) return;
    if ((ending.error as { code?: string } | undefined)?.code === 'timeout') figures.late += 1;
    else throw new Violation('wrongOutcomes', `a login at an honest network ends in ${shownBy(ending)}`);
  }

  private async checkCall(calling: Promise<unknown>, timeLimit: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const hanging = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Violation('hangs', 'a call did not end')), timeLimit);
    });
    const error = await Promise.race([
      calling.then(
        () => undefined,
        (thrown: unknown) => thrown,
      ),
      hanging,
    ]);
    clearTimeout(timer);
    if (error === undefined) return;
    const shown = secretsShown(shownBy(error), [...this.network.fresh]);
    if (shown.length > 0) throw new Violation('leaks', `${shownBy(error)} shows ${shown.join(', ')}`);
    if (!(error instanceof ProviderError)) {
      throw new Violation('wrongOutcomes', `not a ProviderError: ${shownBy(error)}`);
    }
  }

  /** Checks that there is no second outcome, crash, warning or busy connection. */
  private async settle(application: Application, timeLimit: number): Promise<void> {
    await nextTurns();
    const end = Date.now() + timeLimit;
    while (Object.keys(this.agent.sockets).length > 0 && Date.now() < end) await nextTurns();
    if (Object.keys(this.agent.sockets).length > 0)
      throw new Violation('socketsLeft', 'a connection stays busy');
    if (this.network.hostileResponses() > 0) this.agent.destroy();
    checkAftermath(application.secondOutcomes, this.watch.take(), [...this.network.fresh]);
  }
}

function tokenFor(call: string): string {
  return call === 'refresh' ? CANARIES.refreshToken : CANARIES.accessToken;
}

/** A redirect's URL without the request token, which the network chooses. */
function withoutKey(location: string): string {
  if (location === '') return '';
  const url = new URL(location);
  url.searchParams.delete('oauth_token');
  return url.href;
}

/** The cookies that a browser has after a response. */
function cookiesSetBy({ headers }: Ending): string[] {
  const lines = [headers['Set-Cookie'] ?? []].flat() as string[];
  return lines.map((line) => line.split(';', 1)[0] ?? '');
}
