import { inspect, isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { ProviderError } from '../../../lib/index.js';
import type { AnyVerify } from '../../contract/strategies.js';
import type { NamedStrategy } from '../../support/login-app.js';
import type { Figures } from '../figures.js';
import { type OptionsRun, optionsRuns } from '../generators/options.js';
import { Application, nextTurns, OutcomeMistake } from '../world/application.js';
import { CANARIES, secretsShown } from '../world/canaries.js';
import { type PlayedNetwork, playedNetwork } from '../world/network.js';
import { type ProcessWatch, watchProcess } from '../world/process-watch.js';
import { addressesAt, classOf, type Subject } from '../world/subjects.js';
import { shownBy } from './exposure.js';
import { Violation } from './violation.js';

const PATIENCE = 15_000;

/** Whatever somebody writes into the options of one strategy. */
export class OptionsWorld {
  private readonly watch: ProcessWatch = watchProcess();

  static async open(subject: Subject, figures: Figures): Promise<OptionsWorld> {
    return new OptionsWorld(subject, figures, await playedNetwork());
  }

  private constructor(
    private readonly subject: Subject,
    private readonly figures: Figures,
    private readonly network: PlayedNetwork,
  ) {}

  async close(): Promise<void> {
    this.watch.stop();
    await this.network.close();
  }

  property() {
    return fc.asyncProperty(optionsRuns, async (run) => {
      try {
        await this.check(run);
      } catch (error) {
        throw error instanceof OutcomeMistake ? new Violation('hangs', error.message) : error;
      }
    });
  }

  private async check(run: OptionsRun): Promise<void> {
    this.figures.optionSets += 1;
    this.network.play({});
    const strategy = this.construct(run);
    if (strategy) await this.start(strategy, run);
    await nextTurns();
    const crash = this.watch
      .take()
      .find((trouble) => trouble.startsWith('crash') || secretsShown(trouble).length > 0);
    if (crash) throw new Violation(crash.startsWith('crash') ? 'crashes' : 'leaks', crash);
  }

  /** Makes a strategy, or sees that the mistake is explained. */
  private construct(run: OptionsRun): NamedStrategy | undefined {
    const { subject, network } = this;
    const right = {
      clientID: 'client',
      timeout: 500,
      ...subject.options,
      ...addressesAt(network.url, subject),
    };
    const own = (value: unknown) => (value === '@own' ? `${network.url}/${subject.title}/profile` : value);
    const given = Object.fromEntries(run.options.map(([name, value]) => [name, own(value)]));
    const options = run.instead ? run.instead.is : { ...right, ...given };
    const before = membersOf(options);
    try {
      const made = new (classOf(subject))(options as object, run.verify as AnyVerify);
      if (!isDeepStrictEqual(before, membersOf(options))) {
        throw new Violation('wrongOutcomes', 'a constructor writes into its options');
      }
      return made;
    } catch (error) {
      if (error instanceof Violation) throw error;
      if (!isExplained(error, given.name)) {
        throw new Violation('wrongOutcomes', `a constructor throws ${shownBy(error)}`);
      }
      // A word that is no field, no scope, is quoted: whoever writes a secret there has shown it.
      const shown = isMisplaced(run) ? [] : secretsShown(shownBy(error));
      if (shown.length > 0) throw new Violation('leaks', `a constructor's error shows ${shown.join(', ')}`);
      return undefined;
    }
  }

  private async start(strategy: NamedStrategy, run: OptionsRun): Promise<void> {
    const given = Object.fromEntries(run.authenticate);
    const printed = secretsShown(inspect(strategy, { depth: 6 }) + JSON.stringify(strategy));
    if (printed.length > 0 && !isMisplaced(run))
      throw new Violation('leaks', `a strategy prints ${printed.join(', ')}`);
    const application = new Application([strategy]);
    const ending = await application.run(strategy.name, { url: '/login' }, PATIENCE, given);
    const { kind, location, error } = ending;
    if (kind === 'redirect') this.figures.starts += 1;
    if (kind !== 'redirect' && kind !== 'error')
      throw new Violation('wrongOutcomes', `a start ends in ${kind}`);
    if (kind === 'redirect' && !URL.canParse(location))
      throw new Violation('wrongOutcomes', `a redirect to ${location}`);
    const isDue = error instanceof ProviderError || error instanceof TypeError || isOwn(error);
    if (kind === 'error' && !isDue) throw new Violation('wrongOutcomes', `a start ends in ${shownBy(error)}`);
    const shown = isMisplaced(run)
      ? []
      : secretsShown(location + (error === undefined ? '' : shownBy(error)));
    if (shown.length > 0) throw new Violation('leaks', `a start shows ${shown.join(', ')}`);
    await nextTurns();
    if (application.secondOutcomes.length > 0)
      throw new Violation('wrongOutcomes', application.secondOutcomes.join());
  }
}

/** Whether the client's secret stands where none belongs. */
function isMisplaced({ options, authenticate, instead }: OptionsRun): boolean {
  const others = [...options.filter(([name]) => !/^(client|consumer)Secret$/.test(name)), ...authenticate];
  return instead !== undefined || others.some(([, value]) => value === CANARIES.clientSecret);
}

/** What the application's own store threw. */
function isOwn(error: unknown): boolean {
  return error instanceof Error && error.message === 'a store that fails';
}

/** A mistake in the options names the strategy: by its class, or by a name that may be anything. */
function isExplained(error: unknown, name: unknown): boolean {
  if (!(error instanceof TypeError)) return false;
  const isByName = typeof name === 'string' && error.message.startsWith(name);
  return isByName || /Strategy|short-video|microblog|social-network/.test(error.message);
}

function membersOf(options: unknown): [string, unknown][] {
  return typeof options === 'object' && options !== null ? Object.entries(options) : [];
}
