// @ts-check
// The session in a cookie, in place of express-session.
import session from 'cookie-session';

/** @param {string} secret Signs the cookie. */
export function cookieSessions(secret) {
  return [session({ secret, sameSite: 'lax' }), addSessionMethods];
}

/**
 * Passport calls `regenerate` and `save` on the session at each login, and cookie-session has neither. An emptied session is
 * a new one, and the response saves it.
 *
 * @param {{ session: object }} req
 * @param {unknown} _res
 * @param {() => void} next
 */
export function addSessionMethods(req, _res, next) {
  const regenerate = (/** @type {() => void} */ done) => {
    req.session = {};
    addMethods();
    done();
  };
  const save = (/** @type {() => void} */ done) => done();
  // Not enumerable, because cookie-session writes every enumerable property into the cookie.
  const addMethods = () =>
    Object.defineProperties(req.session, {
      regenerate: { configurable: true, value: regenerate },
      save: { configurable: true, value: save },
    });
  addMethods();
  next();
}
