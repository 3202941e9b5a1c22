import { Agent } from 'node:http';
import fc from 'fast-check';
import type { Figures } from '../figures.js';
import { type DeadlineRun, deadlineRuns } from '../generators/busy-logins.js';
import { MissingOutcome, nextTurns } from '../world/application.js';
import { type ProcessWatch, watchProcess } from '../world/process-watch.js';
import { SUBJECTS, type Subject } from '../world/subjects.js';
import { beBusy, clock, ThreadedNetwork } from '../world/threaded-network.js';
import { checkAftermath } from './aftermath.js';
import { expectUser } from './login-model.js';
import { SingleLogins } from './single-logins.js';
import { Violation } from './violation.js';

const DEADLINE = 300;
/** Milliseconds from writing a response until it has certainly arrived. */
const TRANSIT = 40;
const OWNER = 1;

/** Logins in a process that is busy from a request until its deadline has passed. */
export class DeadlinesWorld {
  private readonly watch: ProcessWatch = watchProcess();
  private readonly agent = new Agent({ keepAlive: true });
  private readonly logins: SingleLogins;

  static async open(figures: Figures): Promise<DeadlinesWorld> {
    return new DeadlinesWorld(figures, await ThreadedNetwork.open());
  }

  private constructor(
    private readonly figures: Figures,
    private readonly network: ThreadedNetwork,
  ) {
    this.logins = new SingleLogins(network.url, { timeout: DEADLINE, agent: this.agent });
  }

  async close(): Promise<void> {
    this.agent.destroy();
    this.watch.stop();
    await this.network.close();
  }

  property() {
    return fc.asyncProperty(deadlineRuns, async (run) => {
      try {
        await this.check(run);
      } catch (error) {
        throw error instanceof MissingOutcome ? new Violation('hangs', error.message) : error;
      }
    });
  }

  private async check({ subject: index, step, delay, padding, overrun }: DeadlineRun): Promise<void> {
    const { logins, network, figures } = this;
    const subject = SUBJECTS[index] as Subject;
    const started = await logins.start(subject);
    const slow = await network.sendSlowly({ step, delay, padding });
    const begun = clock();
    let hasEnded = false;
    const finishing = logins.finish(started, OWNER).finally(() => {
      hasEnded = true;
    });
    while (!slow.hasArrived() && !hasEnded) await new Promise(setImmediate);
    const isRequested = slow.hasArrived();
    if (isRequested) beBusy(DEADLINE + overrun);
    const ending = await finishing;
    await nextTurns();
    checkAftermath(logins.application.secondOutcomes, this.watch.take());
    const { code, step: failedStep } = (ending.error ?? {}) as { code?: string; step?: string };
    const isInTime = isRequested && (await slow.sent) < begun + DEADLINE - TRANSIT;
    if (isInTime && code === 'timeout' && failedStep === step) {
      throw new Violation('wrongOutcomes', `a ${step} response that arrived in time counts as a timeout`);
    }
    expectUser(figures, { subject, owner: OWNER, state: undefined }, ending);
    if (isInTime && ending.kind === 'success') figures.deadlines += 1;
  }
}
