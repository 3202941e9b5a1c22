// @ts-check
import { Router } from 'express';
import { beginLogin, endSession, finishLogin, startSession } from '../login-flow.js';
import { signedOutPage, signInPage } from '../pages/sign-in-page.js';
import { localPath } from '../protection.js';
import { redirectWithSession, userOf } from '../visitor.js';
import { accountChanges } from './account-changes.js';

/** @typedef {import('../networks/index.js').ConnectedNetwork} ConnectedNetwork */

/** Sign in and out. @param {ConnectedNetwork[]} networks @param {import('../accounts.js').Accounts} accounts */
export function signInRoutes(networks, accounts) {
  const router = Router();
  const { finishChange } = accountChanges(networks, accounts);

  router.get('/signin', (req, res) => {
    if (userOf(req)) return res.redirect('/profile');
    res.send(signInPage(req, networks, localPath(req.query.returnTo)));
  });

  for (const network of networks) {
    router.get(`/api/auth/signin/${network.name}`, async (req, res) => {
      // A link on another site must not change the signed-in user.
      if (userOf(req)) return res.redirect('/accounts');
      const returnTo = localPath(req.query.returnTo);
      await beginLogin(network, { purpose: 'sign in', returnTo }, req, res);
    });

    router.get(`/api/auth/callback/${network.name}`, async (req, res) => {
      const finished = await finishLogin(network, req, res);
      if (!finished) return res.redirect('/accounts');
      const { login, intention } = finished;
      if (intention.purpose !== 'sign in') {
        return redirectWithSession(req, res, await finishChange(login, intention, req));
      }
      // A login that began before must not change the signed-in user.
      if (userOf(req)) return res.redirect('/accounts');
      await startSession(req, await accounts.signIn(login));
      await redirectWithSession(req, res, intention.returnTo);
    });
  }

  router.post('/signout', async (req, res) => {
    await endSession(req);
    res.redirect(303, '/signed-out');
  });

  router.get('/signed-out', (req, res) => {
    res.send(signedOutPage(req));
  });

  return router;
}
