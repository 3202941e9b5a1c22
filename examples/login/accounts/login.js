// @ts-check
// Who is signed in, and the end of a login.
import passport from 'passport';
import { findSessionUser } from './accounts.js';
import { strategies, strategyOf } from './networks.js';

/** @typedef {import('express').Request} Request */
/** @typedef {import('./accounts.js').User & { login: import('./accounts.js').SessionLogin }} SignedInUser */

for (const strategy of strategies) passport.use(strategy);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser(
  (
    /** @type {{ id: string, login: import('./accounts.js').SessionLogin }} */ { id, login },
    /** @type {(error: unknown, user?: any) => void} */ done,
  ) => {
    if (!strategyOf(login.provider)) return done(null, false);
    // `false` signs out a user who was deleted, or whose login was unlinked, in every session.
    findSessionUser(id, login).then((user) => done(null, user ? { ...user, login } : false), done);
  },
);

/** Passport leaves `null` after a sign-out. @param {Pick<Request, 'user'>} req */
export const userOf = ({ user }) => /** @type {SignedInUser | undefined} */ (user ?? undefined);

/** Who is still signed in after the exchange with the network, which took its time. @param {Request} req @returns {Promise<SignedInUser | undefined>} */
export async function currentUser(req) {
  const user = userOf(req);
  const hasSession = await new Promise((resolve) => req.session.reload((error) => resolve(!error)));
  if (user && hasSession && (await findSessionUser(user.id, user.login))) return user;
  delete req.user;
  return undefined;
}

/** Begins a new session. @param {Request} req @param {string} id @param {import('./tokens.js').Key} login @returns {Promise<void>} */
export function signIn(req, id, { provider, identifier }) {
  const user = { id, login: { provider, identifier, loginAt: Date.now() } };
  return new Promise((resolve, reject) => {
    req.logIn(user, (error) => (error ? reject(error) : resolve()));
  });
}

/** @param {Request} req @returns {Promise<void>} */
export const signOut = (req) =>
  new Promise((resolve, reject) => req.logout((error) => (error ? reject(error) : resolve())));

/**
 * Passport's custom callback as a promise. Without a `login`, the user declined, or came back to a login that has ended.
 *
 * @template State
 * @param {string} name
 * @param {Request} req
 * @param {import('express').Response} res
 */
export const finishLogin = (name, req, res) =>
  /** @type {Promise<{ login?: import('./networks.js').Login, info: { state?: State, message: string, code: string }, status?: number }>} */ (
    new Promise((resolve, reject) => {
      /** @type {(error: unknown, login: any, info: any, status: any) => void} */
      const settle = (error, login, info, status) =>
        error ? reject(error) : resolve({ login, info, status });
      passport.authenticate(name, settle)(req, res, reject);
    })
  );
