import { expect } from 'chai';
import { ProviderError } from '../../lib/index.js';
import { passOn } from '../contract/eavesdropper.js';
import { type Contract, tappedBy } from '../contract/harness.js';
import { Browser, type Page } from '../support/browser.js';
import { allow } from '../support/journey.js';
import type { LoginAppSettings } from '../support/login-app.js';
import { network, type Reply, type SeenRequest } from '../support/server.js';
import type { AnyFunction } from '../support/verification.js';

/** The option that names a URL that a login calls. */
export type Endpoint = 'requestTokenURL' | 'accessTokenURL' | 'tokenURL' | 'profileURL';

/** Replaces the sandbox's reply; it may start from the real reply or write to the socket directly. */
export type Meddling = (honest: () => Promise<HonestReply>, seen: SeenRequest) => Reply | Promise<Reply>;
export type HonestReply = Awaited<ReturnType<typeof passOn>>;

export type HostileScene = Awaited<ReturnType<typeof hostileScene>>;

const ENDPOINTS: Readonly<Record<'1.0a' | '2.0', readonly Endpoint[]>> = {
  '1.0a': ['requestTokenURL', 'accessTokenURL', 'profileURL'],
  '2.0': ['tokenURL', 'profileURL'],
};

/** Puts a network that turns hostile at one of its endpoints between a strategy and the sandbox. */
export async function hostileScene(
  { subject, sandbox, strategy, app, closing }: Contract,
  options: object = {},
  verify?: AnyFunction,
  settings?: LoginAppSettings,
) {
  const world = await sandbox();
  const urls = subject.options(world) as unknown as Readonly<Partial<Record<Endpoint, string>>>;
  const pathOf = (endpoint: Endpoint) => {
    const url = urls[endpoint];
    return url === undefined ? undefined : new URL(url).pathname;
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
  /** Runs a login as a user of the sandbox. @returns The application's last response. */
  const attempt = () => wholeLogin(server, subject.provider);
  return {
    app: server,
    network: between,
    endpoints: ENDPOINTS[subject.oauth],
    /** Replaces the replies of one endpoint, until the next call. */
    meddle: (endpoint: Endpoint, how: Meddling) => {
      meddlings.clear();
      meddlings.set(pathOf(endpoint), how);
    },
    /** Runs a login with the replies of several endpoints replaced. */
    attemptWith: (all: Readonly<Partial<Record<Endpoint, Meddling>>>) => {
      meddlings.clear();
      for (const [endpoint, how] of Object.entries(all)) meddlings.set(pathOf(endpoint as Endpoint), how);
      return attempt();
    },
    seenAt: (endpoint: Endpoint) => between.requests.filter(({ path }) => path === pathOf(endpoint)),
    attempt,
  };
}

/** Runs a login that may already fail at its start. @returns The application's last response. */
export async function wholeLogin(app: { readonly url: string }, name: string): Promise<Page> {
  const browser = new Browser();
  const start = await browser.get(`${app.url}/login/${name}`);
  return start.status === 302 ? browser.get(await allow(browser, start.location)) : start;
}

/** Replaces properties of a JSON response; `undefined` removes one. */
export function changedJSON(changes: object): Meddling {
  return async (honest) => {
    const { status, body } = await honest();
    return { status, body: { ...(JSON.parse(body) as object), ...changes } };
  };
}

export function changedText(change: (text: string) => string): Meddling {
  return async (honest) => ({ body: change((await honest()).body) });
}

/** Changes the fields of a form response; `undefined` removes one. */
export function changedForm(changes: Readonly<Record<string, string | undefined>>): Meddling {
  return async (honest) => {
    const { status, body } = await honest();
    const form = new URLSearchParams(body);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) form.delete(name);
      else form.set(name, value);
    }
    return { status, body: form.toString() };
  };
}

export function neverCalled(): never {
  throw new Error('verify was called');
}

/** Runs a login that fails. @returns Its one error, and the application's response. */
export async function failedLogin(scene: HostileScene): Promise<{ error: ProviderError; page: Page }> {
  const endings = scene.app.endings.length;
  const page = await scene.attempt();
  expect(scene.app.endings).to.have.length(endings + 1);
  const { error } = scene.app.endings.at(-1) as { error: ProviderError };
  expect(error).to.be.instanceOf(ProviderError);
  return { error, page };
}
