// @ts-check

/** @typedef {import('express').Request} Request */

/**
 * What a session holds beside Passport's and the pending logins' own.
 *
 * @typedef {object} SessionContent
 * @property {string} [notice] To be shown once, on the next page
 * @property {Record<string, import('./login-story.js').Redirect>} [redirects] Logins that have begun, by network
 * @property {import('./login-story.js').Story} [story] The last login
 */

/** @param {Request} req @returns {import('express-session').Session & SessionContent} */
export const sessionOf = (req) => req.session;

/** @param {Request} req @returns {{ id: string } | undefined} */
export const userOf = (req) => /** @type {{ id: string } | undefined} */ (req.user);

/**
 * Whoever is signed in, for routes behind {@link onlySignedIn}.
 *
 * @param {Request} req
 */
export function signedInUser(req) {
  const user = userOf(req);
  if (!user) throw new Error(`The route ${req.path} lets people in who are not signed in.`);
  return user;
}

/**
 * Sends people to the sign-in page who are not signed in, and has them come back afterwards.
 *
 * @type {import('express').RequestHandler}
 */
export function onlySignedIn(req, res, next) {
  if (userOf(req)) return next();
  // What was to be changed by a form is not repeated: it starts over at the page of linked accounts.
  const target = req.method === 'GET' ? req.originalUrl : '/accounts';
  res.redirect(303, `/signin?returnTo=${encodeURIComponent(target)}`);
}
