import { type LoginLimits, readLimits } from './login-limits.js';
import { isPendingLogin, type LoginRequest, type LoginStore, type PendingLogin } from './pending-login.js';
import { carryOver, inTurn, isSession, latestMember, saveSession, sessionOf } from './session.js';

export interface SessionLoginsOptions extends LoginLimits {
  /** Name of the session's member that holds the logins. Default `pendingLogins`. */
  key?: string;
}

/**
 * Keeps pending logins in `req.session`: the default. Works with every session middleware that offers a plain object
 * (express-session, cookie-session, koa-session, @fastify/session, @fastify/secure-session).
 *
 * The session is saved before the redirect leaves, and logins of other tabs survive the new session that Passport begins
 * at each login. With express-session the logins are read afresh before they change, so that tabs which start at the same
 * moment do not overwrite one another; other middleware write back what they loaded when the request began. Several processes
 * with one session store can still meet: `cookieLogins()` needs no such store.
 *
 * @throws TypeError for options that cannot be used; during a login, when the request has no session.
 */
export function sessionLogins(options: SessionLoginsOptions = {}): LoginStore {
  const { key = 'pendingLogins' } = options;
  const { lifetime, limit } = readLimits('sessionLogins', options);
  if (typeof key !== 'string' || key === '') {
    throw new TypeError('sessionLogins: key must be a non-empty text.');
  }

  /** @param alter - Returns the new list, or nothing to leave the session as it is. */
  const change = (req: LoginRequest, alter: (logins: PendingLogin[]) => PendingLogin[] | undefined) =>
    inTurn(req, async () => {
      const session = sessionOf(req);
      const stored = latestMember(req, key);
      // Nothing is awaited between reading and writing where the session is at hand.
      const logins = alter(loginsIn((stored && (await stored)) ?? session[key]));
      if (!logins) return;
      // A new value each time: some sessions notice only that a top-level member was replaced.
      session[key] = byID(logins);
      await saveSession(session);
    });

  return {
    lifetime,

    save(req, login) {
      const now = Date.now();
      return change(req, (logins) => {
        const others = logins.filter(({ id, expiresAt }) => expiresAt > now && id !== login.id);
        return [...others, login].slice(-limit);
      });
    },

    async take(req, id) {
      let found: PendingLogin | undefined;
      await change(req, (logins) => {
        found = logins.find((login) => login.id === id);
        return found && logins.filter((login) => login !== found);
      });
      return found;
    },

    beforeLogin: (req) => carryOver(req, key),
  };
}

/** Without a prototype: the engine would keep a shape for every identifier that an ordinary object ever had. */
function byID(logins: readonly PendingLogin[]): Record<string, PendingLogin> {
  const found = Object.create(null) as Record<string, PendingLogin>;
  for (const login of logins) found[login.id] = login;
  return found;
}

function loginsIn(logins: unknown): PendingLogin[] {
  return isSession(logins) ? Object.values(logins).filter(isPendingLogin) : [];
}
