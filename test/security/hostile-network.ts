import { passOn } from '../contract/eavesdropper.js';
import { type Contract, tappedBy } from '../contract/harness.js';
import type { AnyVerify } from '../contract/strategies.js';
import { Browser, type Page } from '../support/browser.js';
import { allow } from '../support/journey.js';
import type { LoginApp, LoginAppSettings } from '../support/login-app.js';
import { network, type Reply, type SeenRequest, type TestNetwork } from '../support/server.js';

/** The option that names an address which a login calls. */
export type Endpoint = 'requestTokenURL' | 'accessTokenURL' | 'tokenURL' | 'profileURL';

/** A reply that goes out in place of the sandbox's; it may be made from that one, or be written onto the socket. */
export type Meddling = (honest: () => Promise<HonestReply>, seen: SeenRequest) => Reply | Promise<Reply>;
export type HonestReply = Awaited<ReturnType<typeof passOn>>;

/** A login through a network that turns hostile at one of its addresses. */
export interface HostileScene {
  readonly app: LoginApp;
  readonly network: TestNetwork;
  /** The addresses that a login calls, in order. */
  readonly endpoints: readonly Endpoint[];
  /** From now on, and until it is told otherwise, one address is meddled with. */
  readonly meddle: (endpoint: Endpoint, how: Meddling) => void;
  /** A login in which several addresses are meddled with. @returns The application's last answer. */
  readonly attemptWith: (meddlings: Readonly<Partial<Record<Endpoint, Meddling>>>) => Promise<Page>;
  /** The requests to one address so far. */
  readonly seenAt: (endpoint: Endpoint) => readonly SeenRequest[];
  /** A login by a person of the sandbox. @returns The application's last answer. */
  readonly attempt: (person?: string) => Promise<Page>;
}

const ENDPOINTS: Readonly<Record<'1.0a' | '2.0', readonly Endpoint[]>> = {
  '1.0a': ['requestTokenURL', 'accessTokenURL', 'profileURL'],
  '2.0': ['tokenURL', 'profileURL'],
};

/** Puts a network that a test controls between a strategy and the sandbox. */
export async function hostileScene(
  { subject, sandbox, strategy, app, closing }: Contract,
  options: object = {},
  verify?: AnyVerify,
  settings?: LoginAppSettings,
): Promise<HostileScene> {
  const world = await sandbox();
  const addresses = subject.options(world) as unknown as Readonly<Partial<Record<Endpoint, string>>>;
  const pathOf = (endpoint: Endpoint) => {
    const address = addresses[endpoint];
    return address === undefined ? undefined : new URL(address).pathname;
  };
  const meddlings = new Map<string | undefined, Meddling>();
  const between = closing(
    await network((seen) => {
      const honest = () => passOn(world.url, seen);
      return meddlings.get(seen.path)?.(honest, seen) ?? honest();
    }),
  );
  const made = strategy(world, { ...tappedBy(between, subject, world), ...options }, verify);
  const server = await app(made, settings);
  return {
    app: server,
    network: between,
    endpoints: ENDPOINTS[subject.oauth],
    meddle(endpoint, how) {
      meddlings.clear();
      meddlings.set(pathOf(endpoint), how);
    },
    attemptWith(all) {
      meddlings.clear();
      for (const [endpoint, how] of Object.entries(all)) meddlings.set(pathOf(endpoint as Endpoint), how);
      return wholeLogin(server, subject.provider);
    },
    seenAt: (endpoint) => between.requests.filter(({ path }) => path === pathOf(endpoint)),
    attempt: (person) => wholeLogin(server, subject.provider, person),
  };
}

/** A login that may end at its very start. @returns The application's last answer. */
export async function wholeLogin(
  app: { readonly url: string },
  name: string,
  person?: string,
  browser = new Browser(),
): Promise<Page> {
  const start = await browser.get(`${app.url}/login/${name}`);
  return start.status === 302 ? browser.get(await allow(browser, start.location, person)) : start;
}

/** A JSON answer with other members. */
export function changed(change: (answer: Record<string, unknown>) => unknown): Meddling {
  return async (honest) => {
    const { status = 200, body } = await honest();
    return { status, body: change(JSON.parse(body.toString())) as object };
  };
}

/** A form answer with other members; `undefined` takes one out. */
export function changedForm(changes: Readonly<Record<string, string | undefined>>): Meddling {
  return async (honest) => {
    const { status = 200, body } = await honest();
    const form = new URLSearchParams(body.toString());
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) form.delete(name);
      else form.set(name, value);
    }
    return { status, body: form.toString() };
  };
}

/** Bytes that go straight onto the socket, after which the connection ends. */
export function raw(bytes: string | Buffer): Meddling {
  return (_honest, { socket }) => {
    socket.end(bytes);
    return new Promise<never>(() => {});
  };
}
