import { Agent, type AgentOptions, globalAgent } from 'node:http';
import fc from 'fast-check';
import { sharedAgents } from '../../../lib/core/http/client.js';
import { either, type Generated, just, one } from '../generators/arbitraries.js';
import { Application, Browser, type Ending, verifyAnyone } from '../world/application.js';
import { callbackQuery, SUBJECTS, type Subject, strategyOf, textOf } from '../world/subjects.js';
import { beBusy, clock, type PlannedResponse, type ThreadedNetwork } from '../world/threaded-network.js';
import { Violation, type World } from '../world/world.js';
import { expectUser } from './interleavings.js';

const subject = one(...SUBJECTS.keys());
const step = one<'token' | 'profile'>('token', 'profile');

/** Logins one after the other, each after a response that nobody asked for, about the user of the one before. */
const straysWith = <Name>(connections: fc.Arbitrary<Name>) =>
  fc.record({
    subject,
    connections,
    rounds: fc.array(
      fc.record({
        // A profile is no token response, so it is found out more easily.
        step: either([3, just<'token' | 'profile'>('token')], [1, step]),
        /** How many users log in at the same time. */
        together: one(1, 1, 2, 3),
        /** Milliseconds until the network sends it. */
        delay: fc.nat(20),
        /** Milliseconds from then until it is sent once more; `undefined` if it is not. */
        repeated: fc.option(fc.integer({ min: 11, max: 40 }), { nil: undefined }),
        /** Milliseconds that the network takes for its own response to the next token request. */
        slowness: fc.nat(20),
        /** Milliseconds for which the process is busy before the login goes on; `undefined` if it is idle until the response has arrived. */
        busy: fc.option(fc.integer({ min: 3, max: 70 }), { nil: undefined, freq: 3 }),
        /** The process is busy again after some turns of the event loop. */
        busyAgain: fc.oneof(
          just({ turns: 0, milliseconds: 0 }),
          fc.record({ turns: fc.nat(4), milliseconds: fc.integer({ min: 3, max: 70 }) }),
        ),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  });

/** Agents that an application can bring. */
const AGENTS = {
  'keeps connections': { keepAlive: true },
  'first in, first out': { keepAlive: true, scheduling: 'fifo' },
  'last in, first out': { keepAlive: true, scheduling: 'lifo', maxFreeSockets: 2 },
  'one connection': { keepAlive: true, maxSockets: 1 },
  'keeps none': { keepAlive: false },
  'the default of Node': globalAgent,
} as const satisfies Readonly<Record<string, AgentOptions | Agent>>;
type AgentName = keyof typeof AGENTS;
export const straysRuns = straysWith(one('shared', 'keeps none'));
export const agentsRuns = straysWith(
  fc.oneof(one(...(Object.keys(AGENTS) as AgentName[])), one<AgentName>('one connection')),
);
type StraysRun = Generated<typeof straysRuns> | Generated<typeof agentsRuns>;

/** A login whose process is busy from a request until its deadline has passed. */
export const deadlineRuns = fc.record({
  subject,
  step,
  /** Milliseconds until the network responds. */
  delay: fc.nat(60),
  /** Characters that make the response larger: what the kernel takes in while nobody reads. */
  padding: fc.oneof(just(0), fc.nat(40_000)),
  /** Milliseconds for which the process is busy after the deadline. */
  overrun: fc.integer({ min: 5, max: 60 }),
});

interface StartedLogin {
  readonly subject: Subject;
  readonly browser: Browser;
  readonly key: string;
}

/** An application with every network, and a new browser for each login. */
class SingleLogins {
  readonly application: Application;

  constructor(url: string, options: object) {
    this.application = new Application(SUBJECTS.map((one) => strategyOf(one, url, verifyAnyone(), options)));
  }

  async start(index: number): Promise<StartedLogin> {
    const chosen = SUBJECTS[index] as Subject;
    const browser = new Browser();
    const key = await this.application.start(chosen.title, browser);
    return { subject: chosen, browser, key };
  }

  finish({ subject: chosen, browser, key }: StartedLogin, owner: number): Promise<Ending> {
    const url = `/callback?${textOf(callbackQuery(chosen, key, owner))}`;
    return this.application.run(chosen.title, { url, browser });
  }
}

const STRAYS_DEADLINE = 5_000;
/** The number of the user who logs in before the first stray response. */
const FIRST = 50;

/** Checks logins at a network that sends responses of earlier logins again. */
export function checksOfStrays(world: World<ThreadedNetwork>, kind: 'strays' | 'agents') {
  const { network, figures } = world;
  const using = (options: object) => new SingleLogins(network.url, { timeout: STRAYS_DEADLINE, ...options });
  const agents = Object.entries(AGENTS).map(
    ([name, settings]) => [name, settings instanceof Agent ? settings : new Agent(settings)] as const,
  );
  const applications = new Map<string, SingleLogins>([
    ['shared', using({})],
    ...agents.map(([name, agent]) => [name, using({ agent })] as const),
  ]);

  /** @returns Whether the stray response has arrived. */
  const waitFor = async (stray: PlannedResponse, busy: number | undefined): Promise<boolean> => {
    if (busy === undefined) await stray.arrived;
    else beBusy(busy);
    return stray.hasArrived();
  };

  const check = async ({ subject: index, connections, rounds }: StraysRun) => {
    const logins = applications.get(connections) as SingleLogins;
    const shared = connections !== 'keeps none';
    const first = await logins.start(index);
    expectUser(figures, { ...first, owner: FIRST }, await logins.finish(first, FIRST));
    let previous = FIRST;
    for (const [number, round] of rounds.entries()) {
      const { delay, repeated, slowness, busy, busyAgain, together } = round;
      const all: (StartedLogin & { owner: number })[] = [];
      while (all.length < together)
        all.push({ ...(await logins.start(index)), owner: number * 3 + all.length });
      // All but the first wait for its connection, on which one response more follows its own, before that of the next.
      const isQueue = connections === 'one connection' && together > 1;
      const slow = await network.plan({
        slow: { step: 'token', delay: isQueue ? 10 : slowness, padding: 0, times: isQueue ? together : 1 },
      });
      const plan = { title: (SUBJECTS[index] as Subject).title, step: round.step, owner: previous };
      const stray = await network.plan({ stray: { ...plan, delay, repeated } });
      const isHarmless = (await waitFor(stray, busy)) || !shared;
      const finishing = Promise.all(all.map((login) => logins.finish(login, login.owner)));
      if (isQueue) {
        await slow.arrived;
        await network.plan({ stray: { ...plan, delay: 14, repeated: undefined } });
      }
      for (let turn = 0; turn < busyAgain.turns; turn += 1) await new Promise(setImmediate);
      if (busyAgain.milliseconds > 0) beBusy(busyAgain.milliseconds);
      const endings = await finishing;
      await stray.sent;
      await world.settle(logins.application.secondOutcomes);
      // On a shared connection, a response that arrives between the request and its own response is taken for it.
      if (!isHarmless) return;
      for (const [place, login] of all.entries()) expectUser(figures, login, endings[place] as Ending);
      if (stray.connections > 0) figures[kind] += together;
      previous = all.at(-1)?.owner ?? previous;
    }
  };
  // A response that came too late for its run stays with it.
  return (run: StraysRun) =>
    check(run).finally(() => {
      sharedAgents['http:'].destroy();
      for (const [, agent] of agents) agent.destroy();
    });
}

const DEADLINE = 180;
/** Milliseconds from writing a response until it has certainly arrived. */
const TRANSIT = 40;
const OWNER = 1;

export function checksOfDeadlines(world: World<ThreadedNetwork>) {
  const { network, agent, figures } = world;
  const logins = new SingleLogins(network.url, { timeout: DEADLINE, agent });
  return async (run: Generated<typeof deadlineRuns>): Promise<void> => {
    const { delay, padding, overrun } = run;
    const started = await logins.start(run.subject);
    const slow = await network.plan({ slow: { step: run.step, delay, padding, times: 1 } });
    const begun = clock();
    let hasEnded = false;
    const finishing = logins.finish(started, OWNER).finally(() => {
      hasEnded = true;
    });
    while (!slow.hasArrived() && !hasEnded) await new Promise(setImmediate);
    const isRequested = slow.hasArrived();
    if (isRequested) beBusy(DEADLINE + overrun);
    const ending = await finishing;
    await world.settle(logins.application.secondOutcomes);
    const { code, step: failedStep } = (ending.error ?? {}) as { code?: string; step?: string };
    const isInTime = isRequested && (await slow.sent) < begun + DEADLINE - TRANSIT;
    if (isInTime && code === 'timeout' && failedStep === run.step)
      throw new Violation('wrongOutcomes', `a ${run.step} response that arrived in time counts as a timeout`);
    expectUser(figures, { ...started, owner: OWNER }, ending);
    if (isInTime && ending.kind === 'success') figures.deadlines += 1;
  };
}
