import { inspect, isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { ProviderError } from '../../../lib/index.js';
import type { AnyVerify } from '../../contract/strategies.js';
import type { NamedStrategy } from '../../support/login-app.js';
import type { Figures } from '../figures.js';
import { type OptionsRun, optionsRuns } from '../generators/options.js';
import { Application, MissingOutcome, nextTurns } from '../world/application.js';
import { CANARIES, secretsShown } from '../world/canaries.js';
import { type FakeNetwork, startFakeNetwork } from '../world/network.js';
import { type ProcessWatch, watchProcess } from '../world/process-watch.js';
import { classOf, endpointsAt, type Subject } from '../world/subjects.js';
import { shownBy } from './exposure.js';
import { Violation } from './violation.js';

const TIME_LIMIT = 15_000;

/** Generated options for one strategy. */
export class OptionsWorld {
  private readonly watch: ProcessWatch = watchProcess();

  static async open(subject: Subject, figures: Figures): Promise<OptionsWorld> {
    return new OptionsWorld(subject, figures, await startFakeNetwork());
  }

  private constructor(
    private readonly subject: Subject,
    private readonly figures: Figures,
    private readonly network: FakeNetwork,
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
        throw error instanceof MissingOutcome ? new Violation('hangs', error.message) : error;
      }
    });
  }

  private async check(run: OptionsRun): Promise<void> {
    this.figures.optionSets += 1;
    this.network.startRun({});
    const strategy = this.construct(run);
    if (strategy) await this.start(strategy, run);
    await nextTurns();
    const crash = this.watch
      .take()
      .find((problem) => problem.startsWith('crash') || secretsShown(problem).length > 0);
    if (crash) throw new Violation(crash.startsWith('crash') ? 'crashes' : 'leaks', crash);
  }

  /** Creates a strategy, or checks that the error explains the mistake. */
  private construct(run: OptionsRun): NamedStrategy | undefined {
    const { subject, network } = this;
    const valid = {
      clientID: 'client',
      timeout: 500,
      ...subject.options,
      ...endpointsAt(network.url, subject),
    };
    const resolved = (value: unknown) =>
      value === '@network' ? `${network.url}/${subject.title}/profile` : value;
    const given = Object.fromEntries(run.options.map(([name, value]) => [name, resolved(value)]));
    const options = run.instead ? run.instead.value : { ...valid, ...given };
    const before = propertiesOf(options);
    try {
      const made = new (classOf(subject))(options as object, run.verify as AnyVerify);
      if (!isDeepStrictEqual(before, propertiesOf(options))) {
        throw new Violation('wrongOutcomes', 'a constructor changes its options');
      }
      return made;
    } catch (error) {
      if (error instanceof Violation) throw error;
      if (!isExplained(error, given.name)) {
        throw new Violation('wrongOutcomes', `a constructor throws ${shownBy(error)}`);
      }
      // Errors quote unknown fields and scopes, so a secret in such an option may be shown.
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
    const ending = await application.run(strategy.name, { url: '/login' }, TIME_LIMIT, given);
    const { kind, location, error } = ending;
    if (kind === 'redirect') this.figures.starts += 1;
    if (kind !== 'redirect' && kind !== 'error')
      throw new Violation('wrongOutcomes', `a start ends in ${kind}`);
    if (kind === 'redirect' && !URL.canParse(location))
      throw new Violation('wrongOutcomes', `a redirect to ${location}`);
    const isExpected = error instanceof ProviderError || error instanceof TypeError || isStoreError(error);
    if (kind === 'error' && !isExpected)
      throw new Violation('wrongOutcomes', `a start ends in ${shownBy(error)}`);
    const shown = isMisplaced(run)
      ? []
      : secretsShown(location + (error === undefined ? '' : shownBy(error)));
    if (shown.length > 0) throw new Violation('leaks', `a start shows ${shown.join(', ')}`);
    await nextTurns();
    if (application.secondOutcomes.length > 0)
      throw new Violation('wrongOutcomes', application.secondOutcomes.join());
  }
}

/** Whether the client secret is the value of another option. */
function isMisplaced({ options, authenticate, instead }: OptionsRun): boolean {
  const others = [...options.filter(([name]) => !/^(client|consumer)Secret$/.test(name)), ...authenticate];
  return instead !== undefined || others.some(([, value]) => value === CANARIES.clientSecret);
}

/** Whether the application's store threw the error. */
function isStoreError(error: unknown): boolean {
  return error instanceof Error && error.message === 'the store failed';
}

/** Whether an error names the strategy, by class or by its `name` option. */
function isExplained(error: unknown, name: unknown): boolean {
  if (!(error instanceof TypeError)) return false;
  const isByName = typeof name === 'string' && error.message.startsWith(name);
  return isByName || /Strategy|short-video|microblog|social-network/.test(error.message);
}

function propertiesOf(options: unknown): [string, unknown][] {
  return typeof options === 'object' && options !== null ? Object.entries(options) : [];
}
