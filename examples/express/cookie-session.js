// @ts-check
// The session in a cookie, in place of express-session.
import session from 'cookie-session';

/** @param {string} secret Signs the cookie. */
export function cookieSessions(secret) {
  return [session({ secret, sameSite: 'lax' }), addSessionMethods];
}

/**
 * Passport calls `regenerate` and `save` on the session at each login and log-out, and cookie-session has no such methods.
 *
 * @param {{ session: object }} req
 * @param {unknown} _res
 * @param {() => void} next
 */
export function addSessionMethods(req, _res, next) {
  const regenerate = (/** @type {() => void} */ done) => {
    req.session = {};
    addMethods();
    // A new session that stays empty is not sent, and the browser would keep the old one: nobody could log out.
    Object.defineProperty(req.session, 'isNew', { value: false });
    done();
  };
  // cookie-session 1 calls its own, without a callback, when the response begins.
  const { save: send } = Object.getPrototypeOf(req.session);
  const save = (/** @type {(() => void) | undefined} */ done) => (done ? done() : send.call(req.session));
  // Not enumerable, because cookie-session writes every enumerable property into the cookie.
  const addMethods = () =>
    Object.defineProperties(req.session, {
      regenerate: { configurable: true, value: regenerate },
      save: { configurable: true, value: save },
    });
  addMethods();
  next();
}
