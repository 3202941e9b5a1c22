import type { Agent } from 'node:http';
import type { MemoryStore, SessionData } from 'express-session';
import * as lib from '../../../lib/index.js';
import type { AppBrowser } from './browser.js';
import type { Library } from './library.js';
import { SessionApplication } from './session-application.js';
import { SUBJECTS, strategyOf } from './subjects.js';

/** The store for pending logins. */
export type StoreKind = 'session' | 'cookies';

/** Marks a login as used. @returns Whether it was unused. */
export type Claim = (id: string, expiresAt: number) => Promise<boolean>;

/** What applications of one process, or of two, have in common. */
export interface ApplicationSettings {
  /** The network's. */
  readonly url: string;
  readonly agent: Agent;
  readonly store: StoreKind;
  /** Absent for an application without sessions. */
  readonly sessions: MemoryStore | undefined;
  readonly claim?: Claim;
}

const COOKIE_SECRET = 'cookie-secret-0123456789-0123456789-0123';
const DEADLINE = 5_000;

type Done = (error: unknown, user: object) => void;

/**
 * Creates an application as after a restart: new strategies for every network, with the same session store or cookie secret.
 *
 * @param library - The copy of the library that its process has loaded.
 */
export function restartedApplication(
  { url, agent, store: kind, sessions, claim }: ApplicationSettings,
  library: Library = lib,
): SessionApplication {
  const verify = (_token: string, _refresh: unknown, { id }: { id: string }, done: Done) =>
    done(null, { id });
  const shared = claim ? { claim } : {};
  const stores = {
    // Without options, so that the strategies share the library's default store.
    session: () => (claim ? { store: library.sessionLogins(shared) } : {}),
    cookies: () => ({ store: library.cookieLogins({ secrets: [COOKIE_SECRET], ...shared }) }),
  };
  const options = { agent, timeout: DEADLINE, ...stores[kind]() };
  const strategies = SUBJECTS.map((subject) => strategyOf(subject, url, verify, options, library));
  return new SessionApplication(strategies, sessions);
}

/** What processes share, as Redis does with `SET id 1 NX PXAT expiresAt`. */
export function sharedClaim(): Claim {
  const claimed = new Map<string, number>();
  return async (id, expiresAt) => {
    await new Promise(setImmediate);
    if ((claimed.get(id) ?? 0) > Date.now()) return false;
    claimed.set(id, expiresAt);
    return true;
  };
}

/** A session with the data of the library and of Passport. */
interface LoginSession extends SessionData {
  readonly pendingLogins?: Readonly<Record<string, { readonly expiresAt: number }>>;
  readonly passport?: { readonly user?: { readonly id?: string } };
}

async function sessionOf(sessions: MemoryStore, browser: AppBrowser): Promise<LoginSession | undefined> {
  const all = await new Promise<Record<string, LoginSession>>((resolve) =>
    sessions.all((_error, found) => resolve((found ?? {}) as Record<string, LoginSession>)),
  );
  return all[browser.sessionID() ?? ''];
}

/** The ID of the user who is signed in, as Passport keeps it in the browser's session. */
export async function signedInUser(sessions: MemoryStore, browser: AppBrowser): Promise<string | undefined> {
  return (await sessionOf(sessions, browser))?.passport?.user?.id;
}

/** Counts the unexpired pending logins that are still in these browsers' sessions. */
export async function usedLoginsIn(sessions: MemoryStore, browsers: readonly AppBrowser[]): Promise<number> {
  const found = await Promise.all(browsers.map((browser) => sessionOf(sessions, browser)));
  const logins = found.flatMap((session) => Object.values(session?.pendingLogins ?? {}));
  return logins.filter(({ expiresAt }) => expiresAt > Date.now()).length;
}
