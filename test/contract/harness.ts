import { expect } from 'chai';
import { type Sandbox, type SandboxSettings, startSandbox } from '../../sandbox/lib/index.js';
import { Browser, type Page } from '../support/browser.js';
import type { Closeable } from '../support/cleanup.js';
import { allow, start } from '../support/journey.js';
import { type LoginAppSettings, loginApp, type NamedStrategy } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { oneSandbox } from '../support/sandbox.js';
import type { AnyFunction } from '../support/verification.js';
import { collectsWarnings } from '../support/warnings.js';
import { classOf, type Subject, subjects, titleOf } from './strategies.js';

export { isOAuth1, isOAuth2, type Subject } from './strategies.js';

/** The user as verify returns it: who logged in, without anything that differs between networks. */
export interface Person {
  readonly id: string;
  readonly displayName: string;
  readonly provider: string;
}

export type Done = (error?: unknown, user?: unknown, info?: object) => void;

/** A verify with four arguments that returns a {@link Person}. */
export function verifyPerson(_token: string, _refresh: unknown, profile: Person, done: Done): void {
  const { id, displayName, provider } = profile;
  done(null, { id, displayName, provider });
}

/** What the tests of one strategy class use; everything is closed after each test. */
export type Contract<S extends Subject = Subject> = ReturnType<typeof contractOf<S>>;

function contractOf<S extends Subject>(
  subject: S,
  shared: Sandbox,
  /** Closes the argument after the current test, and returns it. */
  closing: <T extends Closeable>(opened: T) => T,
  warnings: () => Promise<string[]>,
) {
  const strategy = (
    sandbox: Sandbox,
    options: object = {},
    verify: AnyFunction = verifyPerson,
  ): NamedStrategy => new (classOf(subject))({ ...subject.options(sandbox), ...options }, verify);
  const app = async (strategies: NamedStrategy | readonly NamedStrategy[], settings?: LoginAppSettings) =>
    closing(await loginApp(strategies, settings));
  const serving = async (options?: object, settings?: LoginAppSettings, verify?: AnyFunction) => ({
    world: shared,
    server: await app(strategy(shared, options, verify), settings),
  });
  return {
    subject,
    /** The shared sandbox, reset after each test; with settings, a new sandbox for this test. */
    sandbox: async (settings?: SandboxSettings) =>
      settings ? closing(await startSandbox(settings)) : shared,
    strategy,
    app,
    /** An application with a strategy with these options, at the shared sandbox. */
    serving,
    /** Begins a login with these options of the strategy, at an application of its own, up to the callback that logs in. */
    begin: async (options?: object, settings?: LoginAppSettings) => {
      const { world, server } = await serving(options, settings);
      const browser = new Browser();
      const authorization = await start(browser, server, subject.provider);
      const callback = await allow(browser, authorization);
      return { world, server, browser, authorization, callback };
    },
    closing,
    warnings,
  };
}

/**
 * Runs the same tests for every strategy class in every version.
 *
 * @param concerns - Selects the subjects that the tests apply to. @default all
 */
export function describeEach<S extends Subject = Subject>(
  title: string,
  tests: (contract: Contract<S>) => void,
  concerns: ((subject: Subject) => subject is S) | ((subject: Subject) => boolean) = () => true,
): void {
  describe(title, () => {
    const close = realSockets();
    const warnings = collectsWarnings();
    // Many tests change the parameters of a response, which are one in the other form.
    const shared = oneSandbox({ vkIdCallback: 'flat' });
    afterEach(() => shared.reset());
    for (const subject of subjects().filter(concerns as (one: Subject) => one is S)) {
      describe(titleOf(subject), () => {
        tests(contractOf(subject, shared, close, () => warnings.texts()));
      });
    }
  });
}

/** The endpoints that applications, not browsers, sent requests to. */
export function backendRequests(sandbox: Sandbox): string[] {
  const endpoints = sandbox.requests().map(({ endpoint }) => endpoint);
  return endpoints.filter((endpoint) => endpoint !== 'authorization');
}

/** Expects that an application refuses a request with this failure, and sends none to the network. */
export async function expectRefused(
  world: Sandbox,
  request: () => Promise<Page>,
  code = 'unknown_login',
  status = 403,
): Promise<void> {
  const before = backendRequests(world);
  const page = await request();
  expect([page.status, page.json.failure.code]).to.deep.equal([status, code]);
  expect(backendRequests(world)).to.deep.equal(before);
}

/** URL options that send the strategy's own requests to another server. */
export function tappedBy(server: { readonly url: string }, subject: Subject, sandbox: Sandbox): object {
  const urls = Object.entries(subject.options(sandbox)).flatMap(([name, address]) =>
    /(?<!authorization)URL$/i.test(name) ? [[name, address.replace(sandbox.url, server.url)]] : [],
  );
  return Object.fromEntries(urls) as object;
}

/** The {@link Person} that {@link verifyPerson} returns for a user of the sandbox. */
export function personOf(
  subject: Subject,
  sandbox: Sandbox,
  id: string,
  provider: string = subject.provider,
): Person {
  const person = sandbox.people.find((candidate) => candidate.id === id);
  if (!person) throw new Error(`the sandbox has no user ${id}`);
  return { id: subject.identify(person), displayName: person.displayName, provider };
}
