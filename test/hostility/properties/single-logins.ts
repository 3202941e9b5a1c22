import { Application, type Ending } from '../world/application.js';
import { AppBrowser } from '../world/browser.js';
import { SUBJECTS, type Subject, strategyOf } from '../world/subjects.js';
import { shownBy } from './exposure.js';
import { callbackQuery, keyOf, textOf } from './logins.js';
import { Violation } from './violation.js';

const TIME_LIMIT = 15_000;

/** A login that waits for its authorization response. */
export interface StartedLogin {
  readonly subject: Subject;
  readonly browser: AppBrowser;
  readonly key: string;
}

type Done = (error: unknown, user: object) => void;

/** An application with every network, and a new browser for each login. */
export class SingleLogins {
  readonly application: Application;

  /** @param options - Those of all strategies. */
  constructor(url: string, options: object) {
    const verify = (_token: string, _refresh: unknown, { id }: { id: string }, done: Done) =>
      done(null, { id });
    this.application = new Application(SUBJECTS.map((subject) => strategyOf(subject, url, verify, options)));
  }

  async start(subject: Subject): Promise<StartedLogin> {
    const browser = new AppBrowser();
    const ending = await this.visit({ subject, browser }, '');
    const key = ending.kind === 'redirect' ? keyOf(ending.location) : undefined;
    if (key === undefined) throw new Violation('wrongOutcomes', `a login does not start: ${shownBy(ending)}`);
    return { subject, browser, key };
  }

  /** @param owner - The number of the user who consents. */
  finish(login: StartedLogin, owner: number): Promise<Ending> {
    return this.visit(login, textOf(callbackQuery(login.subject, login.key, owner)));
  }

  private async visit({ subject, browser }: Omit<StartedLogin, 'key'>, search: string): Promise<Ending> {
    const request = {
      url: `/callback?${search}`,
      headers: { cookie: browser.cookieHeader() },
    };
    const ending = await this.application.run(subject.title, request, TIME_LIMIT);
    browser.keep(ending);
    return ending;
  }
}
