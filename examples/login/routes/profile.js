// @ts-check
import { Router } from 'express';
import { profilePage } from '../pages/profile-page.js';
import { storyPage } from '../pages/story-page.js';
import { requireUser, sessionOf, signedInUser, userOf } from '../visitor.js';
import { accountIdentifier } from './account-identifier.js';

/**
 * The user's profile and the steps of the last login.
 *
 * @param {import('../networks/index.js').ConnectedNetwork[]} networks
 * @param {import('../accounts.js').Accounts} accounts
 */
export function profileRoutes(networks, accounts) {
  const router = Router();

  router.get('/', (req, res) => {
    res.redirect(userOf(req) ? '/profile' : '/signin');
  });

  router.get('/profile', requireUser, async (req, res) => {
    const { account } = req.query;
    const accountID = account === undefined ? undefined : accountIdentifier(account);
    res.send(profilePage(req, networks, await accounts.find(signedInUser(req).id, accountID)));
  });

  router.get('/what-happened', (req, res) => {
    res.send(storyPage(req, networks, sessionOf(req).story));
  });

  return router;
}
