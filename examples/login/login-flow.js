// @ts-check
import passport from 'passport';
import { noteRedirect, tellFailure } from './login-story.js';
import { Refusal } from './refusal.js';
import { sessionOf } from './visitor.js';

/** @typedef {import('express').Request} Request */
/** @typedef {import('express').Response} Response */
/** @typedef {import('./networks/index.js').ConnectedNetwork} ConnectedNetwork */

/**
 * What a login is for. It is kept with the pending login, so the callback cannot change it.
 *
 * @typedef {{ purpose: 'sign in', returnTo: string } | { purpose: 'link', userID: string }} Intention
 */

/** @typedef {{ login: import('./networks/network.js').Login, intention: Intention }} FinishedLogin */

/**
 * Teaches Passport the networks, and which user a session belongs to.
 *
 * @param {ConnectedNetwork[]} networks
 * @param {import('./accounts.js').Accounts} accounts
 */
export function preparePassport(networks, accounts) {
  for (const { strategy } of networks) passport.use(strategy);
  passport.serializeUser((user, done) => done(null, /** @type {{ id: string }} */ (user).id));
  passport.deserializeUser(
    (/** @type {string} */ id, /** @type {(error: unknown, user?: object | false) => void} */ done) => {
      accounts.hasUser(id).then((isKnown) => done(null, isKnown && { id }), done);
    },
  );
}

/**
 * Sends the browser to the network.
 *
 * @param {ConnectedNetwork} network
 * @param {Intention} intention
 * @param {Request} req
 * @param {Response} res
 * @returns {Promise<void>} Rejects when there is nowhere to send it; else the response is the end
 */
export async function beginLogin(network, intention, req, res) {
  noteRedirect(network, req, res);
  try {
    await authenticate(network, intention, req, res);
  } catch (error) {
    tellFailure(network, req, error, 'redirect');
    throw error;
  }
}

/**
 * Reads the network's callback: who it is, and what the login was for.
 *
 * @param {ConnectedNetwork} network
 * @param {Request} req
 * @param {Response} res
 * @returns {Promise<FinishedLogin>}
 * @throws {Refusal} when the person said no, or the callback belongs to no pending login
 * @throws {import('passport-social-networks').ProviderError} when the network failed
 */
export async function finishLogin(network, req, res) {
  noteRedirect(network, req, res);
  try {
    // A visit without any parameter of a callback begins a login, as Passport's strategies do.
    return await authenticate(network, { purpose: 'sign in', returnTo: '/profile' }, req, res);
  } catch (error) {
    tellFailure(network, req, error, 'callback');
    throw error;
  }
}

/**
 * Begins a session of the user's own; the one from before the login is gone, so nobody can have prepared it.
 *
 * @param {Request} req
 * @param {string} userID
 */
export async function startSession(req, userID) {
  const { redirects } = sessionOf(req);
  await new Promise((resolve, reject) => {
    req.login({ id: userID }, (error) => (error ? reject(error) : resolve(undefined)));
  });
  // Other tabs may be on their way to a network.
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
 * Passport's middleware as a promise. It stays open when the browser is sent away.
 *
 * @param {ConnectedNetwork} network
 * @param {Intention} intention
 * @param {Request} req
 * @param {Response} res
 * @returns {Promise<FinishedLogin>}
 */
function authenticate(network, intention, req, res) {
  return new Promise((resolve, reject) => {
    // Passport's own types know what all strategies take; the state is an option of these.
    const options = /** @type {object} */ ({ state: intention });
    /** @type {(error: unknown, login?: any, info?: any, status?: any) => void} */
    const conclude = (error, login, info, status) => {
      if (error) return reject(error);
      if (!login) return reject(new Refusal(status ?? 401, info.code, info.message));
      resolve({ login, intention: info.state });
    };
    passport.authenticate(network.name, options, conclude)(req, res, reject);
  });
}
