import { fromCallback } from './outcome.js';
import type { LoginRequest } from './pending-login.js';

/** A session as any middleware offers it: an object whose properties survive the request. */
export type Session = Record<string, unknown>;
export type SessionMethod = (this: Session, done?: (error?: unknown) => void) => unknown;

export function isSession(value: unknown): value is Session {
  return typeof value === 'object' && value !== null;
}

/** What express-session puts on a request. */
export interface StoredSession {
  readonly sessionID?: unknown;
  readonly sessionStore?: {
    get?(id: string, done: (error: unknown, session?: Session | null) => void): void;
  };
}

export function hasStore(req: LoginRequest): boolean {
  const { sessionID, sessionStore } = req as StoredSession;
  return typeof sessionID === 'string' && typeof sessionStore?.get === 'function';
}

/** Reads the session from its store: another request may have changed it since this one began. */
export function readStored(req: LoginRequest): Promise<Session | null | undefined> {
  const { sessionID, sessionStore } = req as StoredSession;
  return new Promise((resolve, reject) => {
    sessionStore?.get?.(sessionID as string, (error, session) => (error ? reject(error) : resolve(session)));
  });
}

/**
 * Whether the browser sent the session's ID: express-session accepts an ID only if its store has the session. If the store has lost it since
 * then, another request has destroyed it, by a sign-out or by a login in another tab. Saved again, it would undo that sign-out.
 */
export function isKnownToBrowser(req: LoginRequest): boolean {
  const { sessionID } = req as StoredSession;
  const { cookie } = req.headers ?? {};
  return hasStore(req) && String(cookie ?? '').includes(encodeURIComponent(sessionID as string));
}

/** Whether the session that the browser sent still exists, as far as a store can tell. */
export async function isSessionAlive(req: LoginRequest): Promise<boolean> {
  if (!isKnownToBrowser(req)) return true;
  // A store that fails cannot have the session written back either.
  return Boolean(await readStored(req).catch(() => 'unknown'));
}

/**
 * Gives the request a new session with nobody signed in. Whatever it writes, such as `failureMessage`, does not bring the old one back.
 */
export async function leaveSession(req: LoginRequest): Promise<void> {
  const session = req.session as Session;
  await fromCallback('regenerate', (done) => (session.regenerate as SessionMethod).call(session, done));
  // The option `userProperty` of Passport.
  const { _userProperty: property = 'user' } = req as { readonly _userProperty?: string };
  delete (req as Record<string, unknown>)[property];
}
