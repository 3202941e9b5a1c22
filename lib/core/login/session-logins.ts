import { hash, randomBytes } from 'node:crypto';
import { cookiesOf, isSecure, LoginCookies } from './cookies.js';
import {
  APPLICATION_DEADLINE,
  fromCallback,
  isThenable,
  responseOf,
  warnOfThrown,
  withDeadline,
} from './outcome.js';
import {
  areEqual,
  endedSession,
  isPendingLogin,
  type LoginLimits,
  type LoginRequest,
  type LoginStore,
  type PendingLogin,
  readLimits,
} from './pending-login.js';
import {
  hasStore,
  isKnownToBrowser,
  isSession,
  isSessionAlive,
  leaveSession,
  readStored,
  type Session,
  type SessionMethod,
  type StoredSession,
} from './stored-session.js';

const DEFAULT_KEY = 'pendingLogins';

export interface SessionLoginsOptions extends LoginLimits {
  /** Name of the session property that holds the logins. Default `pendingLogins`. */
  key?: string;
}

/**
 * Keeps pending logins in `req.session`: the default. Works with every session middleware that offers a plain object (express-session,
 * cookie-session, koa-session, @fastify/session, @fastify/secure-session).
 *
 * The session is saved before the redirect is sent. Logins of other tabs survive the new session that Passport begins at each login. With
 * express-session the logins are read again before they change, so that tabs that start at the same moment do not overwrite each other;
 * any other middleware writes back what it loaded when the request began. Several processes that share a session store can still overwrite
 * each other: `cookieLogins()` needs no shared store.
 *
 * @throws TypeError for options that cannot be used; during a login, if the request has no session.
 */
export function sessionLogins(options: SessionLoginsOptions = {}): LoginStore {
  const { key = DEFAULT_KEY } = options;
  const { lifetime, limit, claim } = readLimits('sessionLogins', options, ['key']);
  if (typeof key !== 'string' || key === '') {
    throw new TypeError('sessionLogins: key must be a non-empty string.');
  }

  // Stores with different keys do not count each other's cookies.
  const suffix = key === DEFAULT_KEY ? '' : `-${hash('sha256', key, 'hex').slice(0, 8)}`;
  const cookies = new LoginCookies(`login-browser${suffix}`, lifetime);

  /** Leaves a session that has ended. The logins of other tabs stay. */
  const leave = async (req: LoginRequest) => {
    const logins = sessionOf(req)[key];
    await leaveSession(req);
    keepBound(req, key, logins);
  };

  /** @param alter - Returns the new list, or nothing to leave the session as it is. @returns Whether the session still exists. */
  const change = (
    req: LoginRequest,
    signal: AbortSignal | undefined,
    alter: (logins: SessionLogin[]) => SessionLogin[] | undefined,
  ) =>
    inTurn(req, signal, async (limit) => {
      const session = sessionOf(req);
      const stored = hasStore(req) ? await readStored(req) : undefined;
      // The store answered too late: a later change has its turn.
      limit.throwIfAborted();
      const logins = alter(loginsIn(stored?.[key] ?? session[key]));
      if (!stored && isKnownToBrowser(req)) {
        await leave(req);
        return false;
      }
      if (!logins) return true;
      // A new object each time: some sessions notice only that a top-level property was replaced.
      session[key] = byID(logins);
      await saveSession(session);
      return true;
    });

  return {
    lifetime,
    ...(claim && { claim }),

    async save(req, login, signal) {
      const now = Date.now();
      const bound: SessionLogin = { ...login, ...bind(req, login, cookies, limit) };
      const isSaved = await change(req, signal, (logins) => {
        const others = logins.filter(({ id, expiresAt }) => expiresAt > now && id !== login.id);
        const kept = others.slice(Math.max(0, others.length - limit + 1));
        return [...(isInCookie(req) ? fitIntoCookie(kept, bound) : kept), bound];
      });
      if (!isSaved) throw endedSession();
    },

    async take(req, id, signal) {
      let found: SessionLogin | undefined;
      await change(req, signal, (logins) => {
        found = logins.find((login) => login.id === id && isBrowserOf(req, login, cookies));
        return found && logins.filter((login) => login !== found);
      });
      if (found) unbind(req, found, cookies);
      return found;
    },

    async revalidate(req) {
      if (await isSessionAlive(req)) return true;
      await leave(req);
      return false;
    },

    beforeLogin: (req) => keepInNewSession(req, key),
  };
}

function sessionOf(req: LoginRequest): Session {
  if (isSession(req.session)) return req.session;
  throw new TypeError(
    'A pending login is kept in req.session, and there is none. Mount a session middleware (for example express-session) before Passport.',
  );
}

/** A pending login in a session. */
interface SessionLogin extends PendingLogin {
  /** Digest of the cookie of the browser that began it; absent if the framework offers no response to set one. */
  readonly browser?: string;
}

/** Gives the browser a cookie that only it has: a session can be planted in another browser, with the logins that were begun in it. */
function bind(
  req: LoginRequest,
  login: PendingLogin,
  cookies: LoginCookies,
  limit: number,
): Pick<SessionLogin, 'browser'> {
  const response = responseOf(req);
  if (!response || response.isSent) return {};
  const value = randomBytes(16).toString('base64url');
  const cookie = cookies.nameOf(login.id, isSecure(login));
  cookies.makeRoom(req, response, cookie, { limit });
  cookies.set(response, cookie, value);
  return { browser: hash('sha256', value, 'base64url') };
}

function isBrowserOf(req: LoginRequest, login: SessionLogin, cookies: LoginCookies): boolean {
  if (login.browser === undefined) return true;
  const value = cookiesOf(req).get(cookies.nameOf(login.id, isSecure(login))) ?? '';
  return areEqual(hash('sha256', value, 'base64url'), login.browser);
}

function unbind(req: LoginRequest, login: SessionLogin, cookies: LoginCookies): void {
  const response = responseOf(req);
  if (response && !response.isSent && login.browser)
    cookies.remove(response, cookies.nameOf(login.id, isSecure(login)));
}

function byID(logins: readonly SessionLogin[]): Record<string, SessionLogin> {
  return Object.fromEntries(logins.map((login) => [login.id, login]));
}

function loginsIn(logins: unknown): SessionLogin[] {
  return isSession(logins) ? Object.values(logins).filter(isPendingLogin) : [];
}

/** Saves a session. Some middleware takes a callback, some returns a promise, and some saves by itself at the end of the response. */
async function saveSession(session: Session): Promise<void> {
  const save = session.save as SessionMethod | undefined;
  if (typeof save !== 'function') return;
  await new Promise<void>((resolve, reject) => {
    const saving = save.call(session, (error) => (error ? reject(error) : resolve()));
    if (isThenable(saving) || !takesCallback(session, save)) {
      Promise.resolve(saving).then(() => resolve(), reject);
    }
  });
}

/** express-session shadows `save` with a wrapper that declares no parameter; the method on the prototype declares one. */
function takesCallback(session: Session, save: SessionMethod): boolean {
  const { save: inherited } = (Object.getPrototypeOf(session) ?? {}) as { save?: unknown };
  return save.length > 0 || (typeof inherited === 'function' && inherited.length > 0);
}

/** Largest JSON of the logins that fits into a cookie of 4,096 bytes, with room for the rest of the session and in base64. */
const COOKIE_ROOM = 2_700;

/** Whether the session may be kept in a cookie, as by cookie-session and @fastify/secure-session. */
function isInCookie(req: LoginRequest): boolean {
  return typeof sessionOf(req).save !== 'function' && !hasStore(req);
}

/** Drops the largest logins: browsers drop a cookie that is too large without a word, and the whole session with it. */
function fitIntoCookie(logins: readonly SessionLogin[], latest: SessionLogin): SessionLogin[] {
  const size = (login: SessionLogin) => Buffer.byteLength(JSON.stringify([login.id, login]));
  let total = [...logins, latest].reduce((sum, login) => sum + size(login), 0);
  const dropped = new Set<SessionLogin>();
  for (const largest of [...logins].sort((one, other) => size(other) - size(one))) {
    if (total <= COOKIE_ROOM) break;
    total -= size(largest);
    dropped.add(largest);
  }
  if (total > COOKIE_ROOM) warnOfLargeCookie(total);
  return logins.filter((login) => !dropped.has(login));
}

let hasWarned = false;

function warnOfLargeCookie(size: number): void {
  if (hasWarned) return;
  hasWarned = true;
  process.emitWarning(
    `sessionLogins: one pending login has ${size} bytes. If the session is kept in a cookie, the browser drops it beyond 4096 bytes: give authenticate a shorter state, or use cookieLogins.`,
  );
}

/** Session ID -> the end of the latest change under way. */
const changes = new Map<string, Promise<unknown>>();

/**
 * Runs the changes to one session one after the other, within this process.
 *
 * @param signal - Ends the turn of a change that hangs, so that later logins of the session do not wait for it.
 */
async function inTurn(
  req: LoginRequest,
  // A store of the application's own may wrap this one and pass no signal on.
  signal = AbortSignal.timeout(APPLICATION_DEADLINE),
  change: (signal: AbortSignal) => Promise<boolean>,
): Promise<boolean> {
  const { sessionID } = req as StoredSession;
  if (typeof sessionID !== 'string') return change(signal);
  const previous = changes.get(sessionID) ?? Promise.resolve();
  const current = previous.then(() => {
    // Aborted while it waited: the next change already has its turn, and two at once would overwrite each other.
    signal.throwIfAborted();
    return change(signal);
  });
  const givenUp = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const turn = Promise.race([current.then(ignore, ignore), givenUp]);
  changes.set(sessionID, turn);
  // After `turn`, not after `current`: a change that hangs would stay in the map forever.
  void turn.then(() => changes.get(sessionID) === turn && changes.delete(sessionID));
  return current;
}

function ignore(): void {}

/** Puts logins into the new session of a request. Without a cookie of its own, a login may have been begun by whoever planted the old one. */
function keepBound(req: LoginRequest, key: string, logins: unknown): void {
  const bound = loginsIn(logins).filter(({ browser }) => browser !== undefined);
  if (bound.length > 0 && isSession(req.session)) req.session[key] = byID(bound);
}

/**
 * Keeps a property in the new session that Passport begins when a user is logged in.
 *
 * @see https://github.com/jaredhanson/passport/issues/904
 */
function keepInNewSession(req: LoginRequest, key: string): void {
  if (!isSession(req.session)) return;
  const regenerate = req.session.regenerate as ((...args: unknown[]) => unknown) | undefined;
  if (typeof regenerate !== 'function' || (req.session[key] === undefined && !hasStore(req))) return;
  // A `regenerate` that cannot be redefined is an application's own stand-in, and is left alone.
  if (Object.getOwnPropertyDescriptor(req.session, 'regenerate')?.configurable === false) return;
  Object.defineProperty(req.session, 'regenerate', {
    configurable: true,
    enumerable: false,
    value(this: Session, ...args: unknown[]) {
      // `req.session`, not `this`: @fastify/secure-session calls its methods on an object behind the session.
      const own = isSession(req.session) ? req.session[key] : undefined;
      // If the store hangs or fails, the user is logged in all the same, with the logins that this request knew about.
      const latest = hasStore(req)
        ? withDeadline('The session store', () => readStored(req)).then(
            (stored) => stored?.[key] ?? own,
            () => own,
          )
        : Promise.resolve(own);
      const done = args.at(-1);
      if (typeof done !== 'function') {
        // @fastify/passport passes the properties to keep, and awaits a promise.
        return latest.then(async (logins) => {
          await regenerate.apply(this, args);
          keepBound(req, key, logins);
        });
      }
      latest
        .then((logins) =>
          fromCallback('regenerate', (end) =>
            regenerate.call(this, ...args.slice(0, -1), (error: unknown) => {
              if (!error) keepBound(req, key, logins);
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
