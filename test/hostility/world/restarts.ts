import type { Agent } from 'node:http';
import type { MemoryStore, SessionData } from 'express-session';
import { cookieLogins } from '../../../lib/index.js';
import type { AppBrowser } from './browser.js';
import { SessionApplication } from './session-application.js';
import { SUBJECTS, strategyOf } from './subjects.js';

const COOKIE_SECRET = 'cookie-secret-0123456789-0123456789-0123';
const DEADLINE = 5_000;

type Done = (error: unknown, user: object) => void;

/**
 * Creates an application as after a restart: new strategies for every network, with the same session store or cookie secret.
 *
 * @param sessions - Absent for an application that keeps pending logins in cookies.
 */
export function restartedApplication(
  url: string,
  agent: Agent,
  sessions: MemoryStore | undefined,
): SessionApplication {
  const verify = (_token: string, _refresh: unknown, { id }: { id: string }, done: Done) =>
    done(null, { id });
  const store = sessions ? {} : { store: cookieLogins({ secrets: [COOKIE_SECRET] }) };
  const strategies = SUBJECTS.map((subject) =>
    strategyOf(subject, url, verify, { agent, timeout: DEADLINE, ...store }),
  );
  return new SessionApplication(strategies, sessions);
}

/** A session with the library's data. */
interface LoginSession extends SessionData {
  readonly pendingLogins?: Readonly<Record<string, { readonly expiresAt: number }>>;
}

/** Counts the unexpired pending logins that are still in these browsers' sessions. */
export async function usedLoginsIn(sessions: MemoryStore, browsers: readonly AppBrowser[]): Promise<number> {
  const all = await new Promise<Record<string, LoginSession>>((resolve) =>
    sessions.all((_error, found) => resolve((found ?? {}) as Record<string, LoginSession>)),
  );
  const logins = browsers.flatMap((browser) =>
    Object.values(all[browser.sessionID() ?? '']?.pendingLogins ?? {}),
  );
  return logins.filter(({ expiresAt }) => expiresAt > Date.now()).length;
}
