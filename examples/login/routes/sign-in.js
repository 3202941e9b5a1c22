// @ts-check
import { Router } from 'express';
import { beginLogin, endSession, finishLogin, startSession } from '../login-flow.js';
import { recordFailure, recordSuccess } from '../login-story.js';
import { signInPage } from '../pages/sign-in-page.js';
import { signedOutPage } from '../pages/signed-out-page.js';
import { RequestError } from '../request-error.js';
import { localPath } from '../return-path.js';
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
      const { login, intention } = await finishLogin(network, req, res);
      if (intention.purpose === 'link') {
        await link(network, login, intention.userID, req);
        return res.redirect('/accounts');
      }
      const { userID } = await accounts.signIn(login);
      await startSession(req, userID);
      recordSuccess(network, req, login, 'Signed in, with a new session.');
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
        throw new RequestError(
          403,
          'other_user',
          'You are no longer signed in as the user who started this. Sign in and link the account again.',
        );
      }
      await accounts.link(userID, login);
    } catch (error) {
      recordFailure(network, req, error, 'account');
      throw error;
    }
    recordSuccess(network, req, login, 'Linked to the user who is signed in.');
    sessionOf(req).notice = `Your account at the ${network.title.toLowerCase()} is linked.`;
  }

  return router;
}
