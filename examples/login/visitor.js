// @ts-check
// The user of a request, what the session holds besides, and whether the user has just signed in.
import { userOf } from './accounts/login.js';
import { Problem } from './problem.js';

/** @typedef {import('express').Request} Request */
/** @typedef {import('./accounts/tokens.js').Key} Key */
/** @typedef {{ purpose: 'link' | 'confirm', userID: string, path: string }} Intention The state of a login that a signed-in user began */
/** @typedef {Key & { profile: import('./accounts/networks.js').LoginProfile, expiresAt: number }} Move */
/** @typedef {{ notice?: string, move?: Move }} Content A notice for the next page; a login of another user that this one has just shown */

/** How long a login counts as fresh, in milliseconds. */
export const FRESH = 600_000;

/** @param {Request} req @returns {import('express-session').Session & Content} */
export const sessionOf = (req) => req.session;

/** @param {Request} req @throws {Problem} If nobody is signed in */
export function signedInUser(req) {
  const user = userOf(req);
  if (!user) throw new Problem(401, 'You are not signed in', 'Sign in and start again.');
  return user;
}

/** @param {Key} one @param {Key} other */
export const isSameLogin = (one, other) =>
  one.provider === other.provider && one.identifier === other.identifier;

/** Whether the user has just signed in. A session that somebody else got hold of is not enough to take an account over. @param {Request} req @param {Key} [except] A login that does not count */
export function isFresh(req, except) {
  const { login } = signedInUser(req);
  return Date.now() - login.loginAt < FRESH && !(except && isSameLogin(login, except));
}

/**
 * Redirects when the session is saved. express-session sends the headers first, and browsers follow a redirect as soon as they have those:
 * the next page would read the session as it was.
 *
 * @param {Request} req @param {import('express').Response} res @param {string} path
 */
export async function redirect(req, res, path) {
  await new Promise((resolve, reject) => {
    req.session.save((error) => (error ? reject(error) : resolve(undefined)));
  });
  res.redirect(303, path);
}
