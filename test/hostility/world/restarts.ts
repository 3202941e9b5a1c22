import type { Agent } from 'node:http';
import type { MemoryStore, SessionData } from 'express-session';
import * as lib from '../../../lib/index.js';
import type { AppBrowser } from './browser.js';
import type { Library } from './library.js';
import { SessionApplication } from './session-application.js';
import { SUBJECTS, strategyOf } from './subjects.js';

/** Marks a login as used. @returns Whether it was unused. */
export type Claim = (id: string, expiresAt: number) => Promise<boolean>;

/** What applications of one process, or of two, have in common. */
export interface ApplicationSettings {
  /** The network's. */
  readonly url: string;
  readonly agent: Agent;
  /** Absent for an application without sessions. */
  readonly sessions: MemoryStore | undefined;
  readonly claim?: Claim;
}

const DEADLINE = 5_000;

type Done = (error: unknown, user: object) => void;

/**
 * Creates an application as after a restart: new strategies for every network, with the same secrets.
 *
 * @param library - The copy of the library that its process has loaded.
 */
export function restartedApplication(
  { url, agent, sessions, claim }: ApplicationSettings,
  library: Library = lib,
): SessionApplication {
  const verify = (_token: string, _refresh: unknown, { id }: { id: string }, done: Done) =>
    done(null, { id });
  // Without claim, the strategies share the library's default store and so its replay guard.
  const options = { agent, timeout: DEADLINE, ...(claim && { store: library.cookieLogins({ claim }) }) };
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

/** A session with the data of Passport. */
interface UserSession extends SessionData {
  readonly passport?: { readonly user?: { readonly id?: string } };
}

/** The ID of the user who is signed in, as Passport keeps it in the browser's session. */
export async function signedInUser(sessions: MemoryStore, browser: AppBrowser): Promise<string | undefined> {
  const all = await new Promise<Record<string, UserSession>>((resolve) =>
    sessions.all((_error, found) => resolve((found ?? {}) as Record<string, UserSession>)),
  );
  return all[browser.sessionID() ?? '']?.passport?.user?.id;
}
