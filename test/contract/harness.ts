import { type Sandbox, type SandboxSettings, startSandbox } from '../../lib/sandbox/index.js';
import { type Closeable, closesAfterEach } from '../support/cleanup.js';
import { type LoginApp, type LoginAppSettings, loginApp, type NamedStrategy } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { collectsWarnings } from '../support/warnings.js';
import { type AnyVerify, classOf, type Subject, subjects, titleOf } from './strategies.js';

/** What verify makes of a person: enough to see who logged in, and nothing that differs between networks. */
export interface Person {
  readonly id: string;
  readonly displayName: string;
  readonly provider: string;
}

interface VerifiedProfile extends Person {
  readonly [name: string]: unknown;
}

export type Done = (error?: unknown, user?: unknown, info?: object) => void;

/** The short verify: passes on who it is. */
export function verifyPerson(_token: string, _refresh: unknown, profile: VerifiedProfile, done: Done): void {
  const { id, displayName, provider } = profile;
  done(null, { id, displayName, provider });
}

/** What the tests of one strategy class work with; everything is closed after each test. */
export interface Contract {
  readonly subject: Subject;
  /** The sandbox, as if newly started; with settings, one that belongs to the test at hand alone. */
  readonly sandbox: (settings?: SandboxSettings) => Promise<Sandbox>;
  /** A strategy for the sandbox. */
  readonly strategy: (sandbox: Sandbox, options?: object, verify?: AnyVerify) => NamedStrategy;
  readonly app: (
    strategies: NamedStrategy | readonly NamedStrategy[],
    settings?: LoginAppSettings,
  ) => Promise<LoginApp>;
  /** Closes something after the test at hand. */
  readonly closing: <T extends Closeable>(opened: T) => T;
  /** The warnings of the test at hand. */
  readonly warnings: () => Promise<string[]>;
}

/**
 * Describes every strategy class in every version with the same tests.
 *
 * @param concerns - For what only some protocols have.
 */
export function describeEach(
  title: string,
  tests: (contract: Contract) => void,
  concerns: (subject: Subject) => boolean = () => true,
): void {
  describe(title, () => {
    realSockets();
    const close = closesAfterEach();
    const warnings = collectsWarnings();
    let shared: Sandbox;
    before(async () => {
      shared = await startSandbox();
    });
    afterEach(() => shared.reset());
    after(() => shared.close());
    for (const subject of subjects().filter(concerns)) {
      describe(titleOf(subject), () => {
        tests({
          subject,
          sandbox: async (settings) => (settings ? close(await startSandbox(settings)) : shared),
          strategy: (sandbox, options = {}, verify = verifyPerson) =>
            new (classOf(subject))({ ...subject.options(sandbox), ...options }, verify),
          app: async (strategies, settings) => close(await loginApp(strategies, settings)),
          closing: close,
          warnings: () => warnings.texts(),
        });
      });
    }
  });
}

/** Whether a subject speaks OAuth 1.0a, for {@link describeEach}. */
export const isOAuth1 = ({ oauth }: Subject): boolean => oauth === '1.0a';

/** Whether a subject speaks OAuth 2.0, for {@link describeEach}. */
export const isOAuth2 = ({ oauth }: Subject): boolean => oauth === '2.0';

/** Requests that came from an application, not from a browser. */
export function backendRequests(sandbox: Sandbox): string[] {
  return sandbox
    .requests()
    .filter(({ endpoint }) => endpoint !== 'authorization')
    .map(({ endpoint }) => endpoint);
}

/** The addresses that a strategy itself calls, led to another server. */
export function tappedBy(server: { readonly url: string }, subject: Subject, sandbox: Sandbox): object {
  const called = Object.entries(subject.options(sandbox)).filter(
    ([name]) => name.endsWith('URL') && !/authorizationURL$/i.test(name),
  );
  return Object.fromEntries(
    called.map(([name, address]) => [name, address.replace(sandbox.url, server.url)]),
  );
}

/** How often the person's record was asked for. */
export function profileRequests(subject: Subject, sandbox: Sandbox): number {
  const { pathname } = new URL(subject.options(sandbox).profileURL);
  return sandbox.requests().filter(({ path }) => path === pathname).length;
}

/** What {@link verifyPerson} makes of a person of the sandbox. */
export function personOf(
  subject: Subject,
  sandbox: Sandbox,
  id: string,
  provider: string = subject.provider,
): Person {
  const person = sandbox.people.find((candidate) => candidate.id === id);
  if (!person) throw new Error(`the sandbox knows no ${id}`);
  return { id: subject.identify(person), displayName: person.displayName, provider };
}
