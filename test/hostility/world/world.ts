import { Agent } from 'node:http';
import type { FakeNetwork } from './network.js';
import { secretsShown } from './secrets.js';

export class Violation extends Error {
  constructor(
    readonly fault: 'crashes' | 'hangs' | 'leaks' | 'wrongUsers' | 'wrongOutcomes' | 'socketsLeft',
    message: string,
  ) {
    super(`${fault}: ${message}`);
  }
}

/** @throws {@link Violation} if something shows secrets. @param what - "the outcome", for example. */
export function expectNoSecrets(what: string, shown: readonly string[]): void {
  if (shown.length > 0) throw new Violation('leaks', `${what} shows ${shown.join(', ')}`);
}

/** Warnings that lost logins, starts without TLS or at another host than the callback URL's, and short deadlines cause outside production. */
const EXPECTED =
  /^[\w.-]+: (This callback belongs to no pending login|This request has \w+ and no code|Nobody is signed in|the session has a user, and the request has none|This login (was not begun by passport\.authorize|began under another host)|The Host header of the request is missing|A login starts when|The cookies of this site leave no room|a login began at )|: option (callbackURL|timeout) is /;

/** A network, connections to it, and what happens to this process: uncaught exceptions, unhandled rejections and warnings. */
export class World {
  /** How many hostile responses, or callbacks, there were. */
  counted = 0;
  readonly agent = new Agent({ keepAlive: true });
  private problems: string[] = [];
  private readonly listeners = {
    uncaughtException: (error: unknown) => this.crash(error),
    unhandledRejection: (error: unknown) => this.crash(error),
    warning: ({ message }: Error) => {
      if (!EXPECTED.test(message)) this.problems.push(`warning: ${message}`);
    },
  };
  /** Mocha's listeners would report the exceptions as failures of the current test, without the seed. */
  private readonly others = Object.keys(this.listeners).map(
    (event) => [event, process.listeners(event as 'warning')] as const,
  );

  constructor(readonly network: FakeNetwork) {
    for (const [event, listener] of Object.entries(this.listeners)) {
      process.removeAllListeners(event).on(event, listener);
    }
  }

  /** Lets pending callbacks run and checks that there is no second outcome, crash or warning, but for the one about short deadlines. Empties `second`. */
  async settle(second: string[], fresh: readonly string[] = []): Promise<void> {
    await nextTurns();
    const problems = this.problems.splice(0);
    const crash = problems.find((problem) => problem.startsWith('crash'));
    if (crash !== undefined) throw new Violation('crashes', crash);
    expectNoSecrets('a warning', secretsShown(problems.join('\n'), fresh));
    const all = [
      ...second.splice(0),
      ...problems.filter((problem) => !/option timeout is \d+ mill/.test(problem)),
    ];
    if (all.length > 0) throw new Violation('wrongOutcomes', all.join('; '));
  }

  async close(): Promise<void> {
    this.agent.destroy();
    for (const [event, listener] of Object.entries(this.listeners)) process.off(event, listener);
    for (const [event, listeners] of this.others)
      for (const listener of listeners) process.on(event as 'warning', listener);
    await this.network.close();
  }

  private crash(error: unknown): void {
    this.problems.push(`crash: ${error instanceof Error ? error.stack : String(error)}`);
  }
}

/** Lets pending callbacks run, except those that wait for the network. */
export function nextTurns(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
