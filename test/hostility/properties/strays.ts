import fc from 'fast-check';
import { sharedAgents } from '../../../lib/core/http/transport.js';
import type { Figures } from '../figures.js';
import { type StrayRound, type StraysRun, straysRuns } from '../generators/busy-logins.js';
import { MissingOutcome, nextTurns } from '../world/application.js';
import { type ProcessWatch, watchProcess } from '../world/process-watch.js';
import { SUBJECTS, type Subject } from '../world/subjects.js';
import { beBusy, type PlannedResponse, ThreadedNetwork } from '../world/threaded-network.js';
import { checkAftermath } from './aftermath.js';
import { expectUser } from './login-model.js';
import { SingleLogins } from './single-logins.js';
import { Violation } from './violation.js';

const DEADLINE = 5_000;
/** The number of the user who logs in before the first stray response. */
const FIRST = 50;

/** Logins one after the other, at a network that sends responses of earlier logins again. */
export class StraysWorld {
  private readonly watch: ProcessWatch = watchProcess();
  private readonly sharing: SingleLogins;
  private readonly separate: SingleLogins;

  static async open(figures: Figures): Promise<StraysWorld> {
    return new StraysWorld(figures, await ThreadedNetwork.open());
  }

  private constructor(
    private readonly figures: Figures,
    private readonly network: ThreadedNetwork,
  ) {
    this.sharing = new SingleLogins(network.url, { timeout: DEADLINE });
    this.separate = new SingleLogins(network.url, { timeout: DEADLINE, shareConnections: false });
  }

  async close(): Promise<void> {
    this.watch.stop();
    await this.network.close();
    sharedAgents.for('http:').destroy();
  }

  property() {
    return fc.asyncProperty(straysRuns, async (run) => {
      try {
        await this.check(run);
      } catch (error) {
        throw error instanceof MissingOutcome ? new Violation('hangs', error.message) : error;
      } finally {
        // A response that came too late for this run stays with it.
        sharedAgents.for('http:').destroy();
      }
    });
  }

  private async check({ subject: index, shared, rounds }: StraysRun): Promise<void> {
    const subject = SUBJECTS[index] as Subject;
    const logins = shared ? this.sharing : this.separate;
    const first = await logins.finish(await logins.start(subject), FIRST);
    expectUser(this.figures, { subject, owner: FIRST, state: undefined }, first);
    let previous = FIRST;
    for (const [number, round] of rounds.entries()) {
      const started = await logins.start(subject);
      const { step, delay, repeated, slowness, busyAgain } = round;
      await this.network.sendSlowly({ step: 'token', delay: slowness, padding: 0 });
      const stray = await this.network.sendStray({
        title: subject.title,
        step,
        owner: previous,
        delay,
        repeated,
      });
      const isHarmless = (await this.waitFor(stray, round)) || !shared;
      const finishing = logins.finish(started, number);
      for (let turn = 0; turn < busyAgain.turns; turn += 1) await new Promise(setImmediate);
      if (busyAgain.milliseconds > 0) beBusy(busyAgain.milliseconds);
      const ending = await finishing;
      await stray.sent;
      await nextTurns();
      checkAftermath(logins.application.secondOutcomes, this.watch.take());
      // On a shared connection, a response that arrives between the request and its own response is taken for it.
      if (!isHarmless) return;
      expectUser(this.figures, { subject, owner: number, state: undefined }, ending);
      if (stray.connections > 0) this.figures.strays += 1;
      previous = number;
    }
  }

  /** @returns Whether the stray response has arrived. */
  private async waitFor(stray: PlannedResponse, { busy }: StrayRound): Promise<boolean> {
    if (busy === undefined) await stray.arrived;
    else beBusy(busy);
    return stray.hasArrived();
  }
}
