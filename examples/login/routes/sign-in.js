// @ts-check
import { Router } from 'express';
import { beginLogin, endSession, finishLogin, startSession } from '../login-flow.js';
import { tellFailure, tellSuccess } from '../login-story.js';
import { signInPage } from '../pages/sign-in-page.js';
import { signedOutPage } from '../pages/signed-out-page.js';
import { Refusal } from '../refusal.js';
import { ownPath } from '../return-address.js';
import { sessionOf, userOf } from '../visitor.js';

/** @typedef {import('../networks/index.js').ConnectedNetwork} ConnectedNetwork */
/** @typedef {import('../login-flow.js').FinishedLogin} FinishedLogin */

/**
 * Sign in and out.
 *
 * @param {ConnectedNetwork[]} networks
 * @param {import('../accounts.js').Accounts} accounts
 */
export function signInRoutes(networks, accounts) {
  const router = Router();

  router.get('/signin', (req, res) => {
    if (userOf(req)) return res.redirect('/profile');
    res.send(signInPage(req, networks, ownPath(req.query.returnTo)));
  });

  for (const network of networks) {
    router.get(`/api/auth/signin/${network.name}`, async (req, res) => {
      // A link from anywhere must not exchange the person who is signed in.
      if (userOf(req)) return res.redirect('/accounts');
      const returnTo = ownPath(req.query.returnTo);
      await beginLogin(network, { purpose: 'sign in', returnTo }, req, res);
    });

    router.get(`/api/auth/callback/${network.name}`, async (req, res) => {
      const { login, intention } = await finishLogin(network, req, res);
      if (intention.purpose === 'link') {
        await link(network, login, intention.userID, req);
        return res.redirect('/accounts');
      }
      const { userID } = await accounts.signIn(login);
      await startSession(req, userID);
      tellSuccess(network, req, login, 'Signed in, with a new session.');
      res.redirect(intention.returnTo);
    });
  }

  router.post('/signout', async (req, res) => {
    await endSession(req);
    res.redirect(303, '/signed-out');
  });

  router.get('/signed-out', (req, res) => {
    res.send(signedOutPage(req));
  });

  /**
   * @param {ConnectedNetwork} network
   * @param {FinishedLogin['login']} login
   * @param {string} userID
   * @param {import('express').Request} req
   */
  async function link(network, login, userID, req) {
    try {
      if (userOf(req)?.id !== userID) {
        throw new Refusal(
          403,
          'other_user',
          'You are no longer signed in as the user who asked for this link. Sign in and link the account again.',
        );
      }
      await accounts.link(userID, login);
    } catch (error) {
      tellFailure(network, req, error, 'account');
      throw error;
    }
    tellSuccess(network, req, login, 'Linked to the user who is signed in.');
    sessionOf(req).notice = `Your account at the ${network.title.toLowerCase()} is linked.`;
  }

  return router;
}
