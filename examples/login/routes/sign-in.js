// @ts-check
// Sign in and out. The same callback route finishes the logins that link, and those that confirm a change.
import { Router } from 'express';
import passport from 'passport';
import { isLoginResponse } from 'passport-social-networks';
import { findOrCreate, link, ownerOf, signOutEverywhere } from '../accounts/accounts.js';
import { currentUser, finishLogin, signIn, signOut, userOf } from '../accounts/login.js';
import { strategies, titleOf } from '../accounts/networks.js';
import { signInPage } from '../pages/pages.js';
import { Problem } from '../problem.js';
import { FRESH, redirect, sessionOf, signedInUser } from '../visitor.js';
import { isStuck, restart } from './restart.js';

/** @typedef {import('express').Request} Request */
/** @typedef {import('../accounts/networks.js').Login} Login */
/** @typedef {import('../visitor.js').Intention} Intention */

export function signInRoutes() {
  const router = Router();
  for (const { name } of strategies) {
    router.get(`/api/auth/signin/${name}`, (req, res, next) => {
      // A link on another site must not change who is signed in, nor can a response here.
      if (userOf(req) || isLoginResponse(req)) return res.redirect('/');
      if (isStuck(req)) throw stuck(name);
      passport.authenticate(name)(req, res, next);
    });

    router.get(`/api/auth/callback/${name}`, async (req, res) => {
      // The strategy would begin a login.
      if (!isLoginResponse(req)) throw new Problem(400, 'Nothing to finish', 'Choose a network to sign in.');
      /** @type {Awaited<ReturnType<typeof finishLogin<Intention>>>} */
      const { login, info, status } = await finishLogin(name, req, res);
      if (login && info.state) return redirect(req, res, await finish(req, login, info.state));
      // A login that began before must not change who is signed in, and one that has ended is no error to its user.
      if (userOf(req) && (login || info.code !== 'access_denied')) return res.redirect('/');
      if (!login) {
        const path = restart(req, res, info, `/api/auth/signin/${name}`);
        if (path !== undefined) return res.redirect(path);
        throw notFinished(name, info, status);
      }
      await signIn(req, await findOrCreate(login), login);
      await redirect(req, res, '/');
    });
  }

  router.post('/signout', async (req, res) => {
    await signOut(req);
    res.redirect(303, '/signed-out');
  });

  router.post('/signout-everywhere', async (req, res) => {
    await signOutEverywhere(signedInUser(req).id);
    await signOut(req);
    res.redirect(303, '/signed-out');
  });

  router.get('/signed-out', (req, res) => {
    if (userOf(req)) return res.redirect('/');
    res.send(signInPage(req, 'You are signed out. You may still be signed in at the network.'));
  });
  return router;
}

/** Finishes a login of a user who is signed in. The session decides whether its intention still holds. @param {Request} req @param {Login} login @param {Intention} intention @returns {Promise<string>} The path to go to */
async function finish(req, login, { purpose, userID, path }) {
  const user = await currentUser(req);
  if (user?.id !== userID) {
    throw new Problem(409, 'You are somebody else now', 'Nothing was changed. Sign in and start again.');
  }
  const owner = await ownerOf(login);
  const title = `${titleOf(login.provider)} login ${login.profile.name}`;
  const session = sessionOf(req);
  if (purpose === 'link') {
    if (await link(user.id, login)) {
      session.notice = `${title} ${owner ? 'connected again' : 'linked'}.`;
      return '/';
    }
    const { provider, identifier, profile } = login;
    session.move = { provider, identifier, profile, expiresAt: Date.now() + FRESH };
    return '/move';
  }
  if (owner !== userID || !(await link(userID, login))) {
    const message =
      'You signed in with a login that is not linked to your account. Try again with another one.';
    throw new Problem(403, 'That is a different login', message);
  }
  // Whoever got hold of the earlier session must not have the rights of a fresh login.
  await signIn(req, userID, login);
  sessionOf(req).notice = 'You have signed in again, and can go on for ten minutes.';
  return path;
}

/** @param {string} network */
function stuck(network) {
  const text = 'Open this page in another browser, such as Safari or Chrome, and sign in there.';
  return new Problem(403, 'This browser keeps no cookies', text, { code: 'unknown_login', network });
}

/** @param {string} network @param {{ message: string, code: string }} info @param {number} [status] */
function notFinished(network, { message, code }, status = 401) {
  const details = { code, network };
  if (code === 'access_denied') {
    const text = `Nothing was changed, and this application got no data from ${titleOf(network)}.`;
    return new Problem(status, `You cancelled the sign-in with ${titleOf(network)}`, text, details);
  }
  if (code === 'account_unusable') return new Problem(status, 'This login cannot be used', message, details);
  return new Problem(status, 'This sign-in has ended', message, details);
}
