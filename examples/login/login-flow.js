// @ts-check
import passport from 'passport';
import { recordFailure, recordRedirect } from './login-story.js';
import { RequestError } from './request-error.js';
import { sessionOf } from './visitor.js';

/** @typedef {import('express').Request} Request */
/** @typedef {import('express').Response} Response */
/** @typedef {import('./networks/index.js').ConnectedNetwork} ConnectedNetwork */

/**
 * The purpose of a login. Stored with the pending login, so the authorization response cannot change it.
 *
 * @typedef {{ purpose: 'sign in', returnTo: string } | { purpose: 'link', userID: string }} Intention
 */

/** @typedef {{ login: import('./networks/network.js').Login, intention: Intention }} FinishedLogin */

/**
 * Registers the strategies and how Passport stores the user in the session.
 *
 * @param {ConnectedNetwork[]} networks
 * @param {import('./accounts.js').Accounts} accounts
 */
export function configurePassport(networks, accounts) {
  for (const { strategy } of networks) passport.use(strategy);
  passport.serializeUser((user, done) => done(null, /** @type {{ id: string }} */ (user).id));
  passport.deserializeUser(
    (/** @type {string} */ id, /** @type {(error: unknown, user?: object | false) => void} */ done) => {
      accounts.hasUser(id).then((isKnown) => done(null, isKnown && { id }), done);
    },
  );
}

/**
 * Redirects the browser to the network.
 *
 * @param {ConnectedNetwork} network
 * @param {Intention} intention
 * @param {Request} req
 * @param {Response} res
 * @returns {Promise<void>} Rejects if the login cannot start; otherwise the redirect ends the response
 */
export async function beginLogin(network, intention, req, res) {
  recordRedirect(network, req, res);
  try {
    await authenticate(network, intention, req, res);
  } catch (error) {
    recordFailure(network, req, error, 'redirect');
    throw error;
  }
}

/**
 * Handles the authorization response and returns the user's data and the purpose of the login.
 *
 * @param {ConnectedNetwork} network
 * @param {Request} req
 * @param {Response} res
 * @returns {Promise<FinishedLogin>}
 * @throws {RequestError} if the user declined, or no pending login matches the response
 * @throws {import('passport-social-networks').ProviderError} if the network failed
 */
export async function finishLogin(network, req, res) {
  recordRedirect(network, req, res);
  try {
    // A request without parameters of an authorization response begins a login, as in other Passport strategies.
    return await authenticate(network, { purpose: 'sign in', returnTo: '/profile' }, req, res);
  } catch (error) {
    recordFailure(network, req, error, 'callback');
    throw error;
  }
}

/**
 * Starts a new session for the user. The session from before the login ends, which prevents session fixation.
 *
 * @param {Request} req
 * @param {string} userID
 */
export async function startSession(req, userID) {
  const { redirects } = sessionOf(req);
  await new Promise((resolve, reject) => {
    req.login({ id: userID }, (error) => (error ? reject(error) : resolve(undefined)));
  });
  // Logins in other tabs may still be in progress.
  Object.assign(sessionOf(req), { redirects });
}

/**
 * @param {Request} req
 * @returns {Promise<void>}
 */
export function endSession(req) {
  return new Promise((resolve, reject) => req.logout((error) => (error ? reject(error) : resolve())));
}

/**
 * Wraps Passport's middleware in a promise, which stays pending when the middleware redirects.
 *
 * @param {ConnectedNetwork} network
 * @param {Intention} intention
 * @param {Request} req
 * @param {Response} res
 * @returns {Promise<FinishedLogin>}
 */
function authenticate(network, intention, req, res) {
  return new Promise((resolve, reject) => {
    // Passport's types only have the options of every strategy; `state` is an option of these strategies.
    const options = /** @type {object} */ ({ state: intention });
    /** @type {(error: unknown, login?: any, info?: any, status?: any) => void} */
    const settle = (error, login, info, status) => {
      if (error) return reject(error);
      if (!login) return reject(new RequestError(status ?? 401, info.code, info.message));
      resolve({ login, intention: info.state });
    };
    passport.authenticate(network.name, options, settle)(req, res, reject);
  });
}
