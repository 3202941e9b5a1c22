// @ts-check
import { createHash } from 'node:crypto';
import passport from 'passport';
import { isLoginResponse } from 'passport-social-networks';
import { RequestError } from './errors.js';
import { sessionOf, userOf } from './visitor.js';

/** @typedef {import('express').Request} Request */
/** @typedef {import('express').Response} Response */
/** @typedef {import('./networks/index.js').ConnectedNetwork} ConnectedNetwork */

/**
 * The purpose of a login. It is the login's state, kept in an encrypted cookie, so the authorization response cannot change it.
 *
 * - `sign in`: sign in as the account's user
 * - `link`: add the account to a user who is signed in
 * - `unlink`: confirm with a fresh login that the account `accountID` is unlinked
 * - `move`: confirm that the account in the session is moved here
 * - `delete`: delete the user
 * - `confirm`: a fresh login of a user who has been signed in for a while
 *
 * @typedef {{ purpose: 'sign in', returnTo: string } | { purpose: 'link', userID: string } | Confirmation} Intention
 */

/**
 * @typedef {{ purpose: 'unlink', userID: string, accountID: string }
 *   | { purpose: 'move' | 'confirm' | 'delete', userID: string, accountID?: undefined }} Confirmation
 */

/** The user declined, or no pending login matches the authorization response. */
export class RejectedLogin extends RequestError {
  /**
   * @param {ConnectedNetwork} network
   * @param {{ code: string, message: string }} info From the strategy
   * @param {number} [status]
   */
  constructor(network, { code, message }, status = 401) {
    super(status, code, message);
    this.network = network;
  }
}

/**
 * Registers the strategies and how Passport stores the user in the session.
 *
 * @param {ConnectedNetwork[]} networks
 * @param {import('./accounts.js').Accounts} accounts
 */
export function configurePassport(networks, accounts) {
  for (const { strategy } of networks) passport.use(strategy);
  passport.serializeUser((user, done) => done(null, user));
  passport.deserializeUser(
    (
      /** @type {import('./visitor.js').User} */ user,
      /** @type {(error: unknown, user?: any) => void} */ done,
    ) => {
      // A session ends with the account that began it: unlinking a thief's account signs the thief out.
      accounts.owns(user).then((isLinked) => done(null, isLinked && user), done);
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
  // A response here would finish a login, and change who is signed in.
  if (isLoginResponse(req)) return res.redirect('/');
  const session = sessionOf(req);
  const { attempt } = session;
  // Nobody's start stores a session: robots begin logins, too.
  if (intention.purpose !== 'sign in') session.attempt = { network: network.name, intention };
  const isConfirmation = intention.purpose !== 'sign in' && intention.purpose !== 'link';
  const options = isConfirmation ? network.freshLogin : {};
  try {
    await authenticate(network, { ...options, state: intention }, req, res);
  } catch (error) {
    // A start that is refused changes nothing.
    if (attempt) session.attempt = attempt;
    else delete session.attempt;
    throw error;
  }
}

/**
 * Handles the authorization response and returns the user's data and the purpose of the login.
 *
 * @param {ConnectedNetwork} network
 * @param {Request} req
 * @param {Response} res
 * @returns {Promise<{ login: import('./networks/network.js').Login, intention: Intention } | undefined>} `undefined` if a signed-in user
 *   came back to a login that has ended
 * @throws {RejectedLogin} if the user declined, or no pending login matches the response
 * @throws {RequestError} if the request has no response
 * @throws {import('passport-social-networks').ProviderError} if the network failed
 */
export async function finishLogin(network, req, res) {
  // Passport strategies begin a login if the request has no authorization response. Here, a link on another site could use this
  // to change who is signed in, past the checks of the sign-in route.
  if (!isLoginResponse(req)) {
    throw new RequestError(
      400,
      'no_response',
      'Networks send you back to this page after a sign-in. To start one, choose a network on the sign-in page.',
    );
  }
  const finished = await authenticate(network, {}, req, res).catch((error) => recall(error, req));
  if (!finished) return undefined;
  const { login, intention } = finished;
  return { login: { ...login, provider: network.provider }, intention };
}

/**
 * Repeats the answer to a reloaded response, and has none for a signed-in user who went back and allowed again.
 *
 * @param {unknown} error
 * @param {Request} req
 * @throws {unknown} any other error
 */
function recall(error, req) {
  if (!(error instanceof RejectedLogin)) throw error;
  const { network, status, code, message } = error;
  const session = sessionOf(req);
  const response = createHash('sha256').update(req.originalUrl).digest('base64url');
  if (code !== 'unknown_login' && code !== 'used_login') {
    session.rejection = { response, status, code, message };
    throw error;
  }
  const { rejection } = session;
  if (rejection?.response === response) throw new RejectedLogin(network, rejection, rejection.status);
  if (!userOf(req)) throw error;
  return undefined;
}

/**
 * Starts a new session for the user. The session from before the login ends, which prevents session fixation.
 *
 * @param {Request} req
 * @param {import('./accounts.js').Account} account With which the user signed in
 */
export async function startSession(req, { id: accountID, userID: id }) {
  await new Promise((resolve, reject) => {
    req.login({ id, accountID }, (error) => (error ? reject(error) : resolve(undefined)));
  });
  sessionOf(req).confirmedAt = Date.now();
}

/** @param {Request} req @returns {Promise<void>} */
export function endSession(req) {
  return new Promise((resolve, reject) => req.logout((error) => (error ? reject(error) : resolve())));
}

/**
 * Wraps Passport's middleware in a promise, which stays pending when the middleware redirects.
 *
 * @param {ConnectedNetwork} network
 * @param {object} options Options of the strategy; Passport's types only have those of every strategy
 * @param {Request} req
 * @param {Response} res
 * @returns {Promise<{ login: import('./networks/network.js').VerifiedLogin, intention: Intention }>}
 */
function authenticate(network, options, req, res) {
  return new Promise((resolve, reject) => {
    /** @type {(error: unknown, login?: any, info?: any, status?: any) => void} */
    const settle = (error, login, info, status) => {
      if (error) return reject(error);
      if (!login) return reject(new RejectedLogin(network, info, status));
      resolve({ login, intention: info.state });
    };
    passport.authenticate(network.name, options, settle)(req, res, reject);
  });
}
