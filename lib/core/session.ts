import { calledBack, inTime, warnOfThrown } from './app-callback.js';
import type { LoginRequest } from './pending-login.js';

/** A session as any middleware offers it: an object whose members survive the request. */
export type Session = Record<string, unknown>;
type SessionMethod = (this: Session, done?: (error?: unknown) => void) => unknown;

export function isSession(value: unknown): value is Session {
  return typeof value === 'object' && value !== null;
}

/** @throws TypeError when the request has no session. */
export function sessionOf(req: LoginRequest): Session {
  if (isSession(req.session)) return req.session;
  throw new TypeError(
    'A pending login is kept in req.session, and there is none. Mount a session middleware (for example express-session) before Passport.',
  );
}

/**
 * Saves a session. Middleware take a callback, return a promise, or save on their own at the end of the response.
 *
 * @returns `undefined` where there is nothing to wait for.
 */
export function saveSession(session: Session): Promise<void> | undefined {
  const save = session.save as SessionMethod | undefined;
  if (typeof save !== 'function') return undefined;
  return new Promise((resolve, reject) => {
    const saving = save.call(session, (error) => (error ? reject(error) : resolve()));
    const promised = isSession(saving) && typeof saving.then === 'function';
    if (promised || !takesCallback(session, save)) Promise.resolve(saving).then(() => resolve(), reject);
  });
}

/** express-session hides its method behind a function that declares no argument; the prototype still shows it. */
function takesCallback(session: Session, save: SessionMethod): boolean {
  const { save: inherited } = (Object.getPrototypeOf(session) ?? {}) as { save?: unknown };
  return save.length > 0 || (typeof inherited === 'function' && inherited.length > 0);
}

/** What express-session puts on a request. */
interface StoredSession {
  readonly sessionID?: unknown;
  readonly sessionStore?: {
    get?(id: string, done: (error: unknown, session?: Session | null) => void): void;
  };
}

/**
 * Reads a member of the session as it stands in the store now: another request may have changed it since this one began.
 *
 * @returns `undefined` where the middleware shows no store; a promise of it when the session is not in the store yet.
 */
export function latestMember(req: LoginRequest, key: string): Promise<unknown> | undefined {
  const { sessionID, sessionStore } = req as StoredSession;
  if (typeof sessionID !== 'string' || typeof sessionStore?.get !== 'function') return undefined;
  return new Promise((resolve, reject) => {
    sessionStore.get?.(sessionID, (error, session) => (error ? reject(error) : resolve(session?.[key])));
  });
}

function hasStore(req: LoginRequest): boolean {
  return typeof (req as StoredSession).sessionStore?.get === 'function';
}

/** Session identifier -> the end of the last change under way. */
const changes = new Map<string, Promise<void>>();

/** Runs changes of one session one after another, as far as this process makes them. */
export function inTurn(req: LoginRequest, change: () => Promise<void>): Promise<void> {
  const { sessionID } = req as StoredSession;
  return typeof sessionID === 'string' ? afterOthers(sessionID, change) : change();
}

async function afterOthers(sessionID: string, change: () => Promise<void>): Promise<void> {
  const before = changes.get(sessionID) ?? Promise.resolve();
  // A store that never answers must not keep later logins of the session waiting for ever.
  const current = before.then(() => inTime('The session store', change));
  const ended = current.then(ignore, ignore);
  changes.set(sessionID, ended);
  try {
    await current;
  } finally {
    if (changes.get(sessionID) === ended) changes.delete(sessionID);
  }
}

function ignore(): void {}

/**
 * Carries a member over to the new session that Passport begins when a person is logged in.
 *
 * @see https://github.com/jaredhanson/passport/issues/904
 */
export function carryOver(req: LoginRequest, key: string): void {
  if (!isSession(req.session)) return;
  const regenerate = req.session.regenerate as ((...args: unknown[]) => unknown) | undefined;
  if (typeof regenerate !== 'function' || (req.session[key] === undefined && !hasStore(req))) return;
  // An application's own stand-in that may not be replaced keeps the session as it is.
  if (Object.getOwnPropertyDescriptor(req.session, 'regenerate')?.configurable === false) return;
  Object.defineProperty(req.session, 'regenerate', {
    configurable: true,
    enumerable: false,
    value(this: Session, ...args: unknown[]) {
      // Not `this`: @fastify/secure-session calls its methods on an object behind the session.
      const own = isSession(req.session) ? req.session[key] : undefined;
      const carry = (member: unknown) => {
        if (member !== undefined && isSession(req.session)) req.session[key] = member;
      };
      // A store that hangs or fails must not keep a person out: what this request knew of the other tabs goes along then.
      const member = inTime('The session store', () => latestMember(req, key)).then(
        (latest) => latest ?? own,
        () => own,
      );
      const done = args.at(-1);
      if (typeof done !== 'function') {
        // @fastify/passport hands in the members to keep, and awaits a promise.
        return member.then(async (kept) => {
          await regenerate.apply(this, args);
          carry(kept);
        });
      }
      member
        .then((kept) =>
          calledBack('regenerate', (end) =>
            regenerate.call(this, ...args.slice(0, -1), (error: unknown) => {
              if (!error) carry(kept);
              end(error);
            }),
          ),
        )
        .then(
          () => done(),
          (error: unknown) => done(error),
        )
        .then(undefined, (thrown: unknown) => warnOfThrown('A callback', thrown));
      return this;
    },
  });
}
