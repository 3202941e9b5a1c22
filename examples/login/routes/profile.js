// @ts-check
import { Router } from 'express';
import { profilePage } from '../pages/profile-page.js';
import { storyPage } from '../pages/story-page.js';
import { onlySignedIn, sessionOf, signedInUser, userOf } from '../visitor.js';
import { accountIdentifier } from './account-identifier.js';

/**
 * What is known about the person, and how their last login went.
 *
 * @param {import('../networks/index.js').ConnectedNetwork[]} networks
 * @param {import('../accounts.js').Accounts} accounts
 */
export function profileRoutes(networks, accounts) {
  const router = Router();

  router.get('/', (req, res) => {
    res.redirect(userOf(req) ? '/profile' : '/signin');
  });

  router.get('/profile', onlySignedIn, async (req, res) => {
    const { account } = req.query;
    const wanted = account === undefined ? undefined : accountIdentifier(account);
    res.send(profilePage(req, networks, await accounts.find(signedInUser(req).id, wanted)));
  });

  router.get('/what-happened', (req, res) => {
    res.send(storyPage(req, networks, sessionOf(req).story));
  });

  return router;
}
