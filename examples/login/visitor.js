// @ts-check

/** @typedef {import('express').Request} Request */

/**
 * Properties of a session besides those of Passport.
 *
 * @typedef {object} SessionContent
 * @property {string} [notice] Shown once, on the next page
 * @property {{ network: string, intention: import('./login-flow.js').Intention }} [attempt] The change that began last, to offer it again
 * @property {{ response: string, status: number, code: string, message: string }} [rejection] The last rejected login, for a reload
 * @property {number} [confirmedAt] Time of the user's last login, in milliseconds since the epoch
 * @property {{ accountID: string, expiresAt: number }} [move] Account of another user that this user has just signed in with
 */

/** @param {Request} req @returns {import('express-session').Session & SessionContent} */
export const sessionOf = (req) => req.session;

/** @typedef {{ id: string, accountID: string }} User With the account that began the session */

/** @param {Request} req @returns {User | undefined} */
export const userOf = (req) => /** @type {User | undefined} */ (req.user);

/** Returns the signed-in user, for routes behind {@link requireUser}. @param {Request} req */
export function signedInUser(req) {
  const user = userOf(req);
  if (!user) throw new Error(`The route ${req.path} does not require a signed-in user.`);
  return user;
}

/**
 * Redirects users who are not signed in to the sign-in page, and back afterwards.
 *
 * @type {import('express').RequestHandler}
 */
export function requireUser(req, res, next) {
  if (userOf(req)) return next();
  // A form is not submitted again after the login. The user starts over on the accounts page.
  const target = req.method === 'GET' ? req.originalUrl : '/accounts';
  res.redirect(303, `/signin?returnTo=${encodeURIComponent(target)}`);
}

/**
 * Redirects when the session is saved. express-session sends the headers first, and browsers follow a redirect as soon as they have those:
 * the next page would read the session as it was.
 *
 * @param {Request} req
 * @param {import('express').Response} res
 * @param {string} path
 */
export async function redirectWithSession(req, res, path) {
  await new Promise((resolve, reject) => {
    req.session.save((error) => (error ? reject(error) : resolve(undefined)));
  });
  res.redirect(req.method === 'GET' ? 302 : 303, path);
}
