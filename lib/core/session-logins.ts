import { DEFAULT_LIFETIME, type LoginRequest, type LoginStore, type PendingLogin } from './pending-login.js';

export interface SessionLoginsOptions {
  /** Name of the session's member that holds the logins. Default `pendingLogins`. */
  key?: string;
  /** How long a person may take, in milliseconds. Default ten minutes. */
  lifetime?: number;
  /** Most logins of one session at once; the oldest goes first. Default 20. */
  limit?: number;
}

type Session = Record<string, unknown>;
type SessionMethod = (this: Session, done?: (error?: unknown) => void) => unknown;

/**
 * Keeps pending logins in `req.session`: the default. Works with every session middleware that offers a plain object
 * (express-session, cookie-session, koa-session, @fastify/session, @fastify/secure-session).
 *
 * The session is saved before the redirect leaves, and logins of other tabs survive the new session that Passport
 * begins at each login.
 *
 * @throws TypeError during a login when the request has no session.
 */
export function sessionLogins(options: SessionLoginsOptions = {}): LoginStore {
  const { key = 'pendingLogins', lifetime = DEFAULT_LIFETIME, limit = 20 } = options;

  const write = (session: Session, logins: PendingLogin[]) => {
    // A new value each time: some sessions notice only that a top-level member was replaced.
    session[key] = Object.fromEntries(logins.map((login) => [login.id, login]));
  };

  return {
    lifetime,

    async save(req, login) {
      const session = sessionOf(req);
      const now = Date.now();
      const others = loginsOf(session, key).filter(({ id, expiresAt }) => expiresAt > now && id !== login.id);
      write(session, [...others, login].slice(-limit));
      await saveSession(session);
    },

    async take(req, id) {
      const session = sessionOf(req);
      const logins = loginsOf(session, key);
      const login = logins.find((candidate) => candidate.id === id);
      if (login) {
        write(
          session,
          logins.filter((candidate) => candidate !== login),
        );
        await saveSession(session);
      }
      return login;
    },

    beforeLogin(req) {
      if (!isSession(req.session)) return;
      const session = req.session;
      const regenerate = session.regenerate as SessionMethod | undefined;
      if (typeof regenerate !== 'function' || loginsOf(session, key).length === 0) return;
      const logins = session[key];
      Object.defineProperty(session, 'regenerate', {
        configurable: true,
        enumerable: false,
        value(this: Session, done?: (error?: unknown) => void) {
          return regenerate.call(this, (error) => {
            if (!error && isSession(req.session)) req.session[key] = logins;
            done?.(error);
          });
        },
      });
    },
  };
}

function isSession(value: unknown): value is Session {
  return typeof value === 'object' && value !== null;
}

function sessionOf(req: LoginRequest): Session {
  if (isSession(req.session)) return req.session;
  throw new TypeError(
    'A pending login is kept in req.session, and there is none. Mount a session middleware (for example express-session) before Passport.',
  );
}

function loginsOf(session: Session, key: string): PendingLogin[] {
  const logins = session[key];
  return isSession(logins) ? Object.values(logins).filter(isPendingLogin) : [];
}

/** Sessions outlive deployments: what an older version wrote there is passed over. */
function isPendingLogin(value: unknown): value is PendingLogin {
  return (
    isSession(value) &&
    typeof value.id === 'string' &&
    typeof value.strategy === 'string' &&
    typeof value.clientID === 'string' &&
    typeof value.callbackURL === 'string' &&
    typeof value.expiresAt === 'number'
  );
}

/** Middleware take a callback, return a promise, or save on their own at the end of the response. */
function saveSession(session: Session): Promise<void> {
  return new Promise((resolve, reject) => {
    const save = session.save as SessionMethod | undefined;
    if (typeof save !== 'function') return resolve();
    const saving = save.call(session, (error) => (error ? reject(error) : resolve()));
    const promised = isSession(saving) && typeof saving.then === 'function';
    if (promised || save.length === 0) Promise.resolve(saving).then(() => resolve(), reject);
  });
}
