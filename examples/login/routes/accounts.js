// @ts-check
import { Router } from 'express';
import { hasToken, unknownAccount } from '../accounts.js';
import { RequestError } from '../errors.js';
import { beginLogin } from '../login-flow.js';
import { accountTitle, networkOf } from '../networks/index.js';
import { accountsPage } from '../pages/accounts-page.js';
import { deletePage, movePage, revokePage, unlinkPage } from '../pages/confirm-page.js';
import { profilePage } from '../pages/profile-page.js';
import { redirectWithSession, requireUser, sessionOf, signedInUser, userOf } from '../visitor.js';
import { accountChanges, hasFreshLogin } from './account-changes.js';

/** @typedef {import('../networks/index.js').ConnectedNetwork} ConnectedNetwork */

/**
 * A user's profile, and accounts at the networks: link, refresh, revoke, unlink, move, delete.
 *
 * @param {ConnectedNetwork[]} networks
 * @param {import('../accounts.js').Accounts} accounts
 */
export function accountRoutes(networks, accounts) {
  const router = Router();
  const { confirmingAccount, confirmChange, accountToMove } = accountChanges(networks, accounts);
  router.get('/', (req, res) => {
    res.redirect(userOf(req) ? '/profile' : '/signin');
  });

  router.get('/profile', requireUser, async (req, res) => {
    const { account } = req.query;
    const accountID = account === undefined ? undefined : accountIdentifier(account);
    res.send(profilePage(req, networks, await accounts.find(signedInUser(req).id, accountID)));
  });

  router.use('/accounts', requireUser);

  router.get('/accounts', async (req, res) => {
    res.send(accountsPage(req, networks, await accounts.list(signedInUser(req).id)));
  });

  // Unlike signing in, this is a form with a CSRF token: a link on another site must not add an account to this user.
  for (const network of networks) {
    router.post(`/accounts/link/${network.name}`, async (req, res) => {
      const { id: userID } = signedInUser(req);
      if (hasFreshLogin(req)) return beginLogin(network, { purpose: 'link', userID }, req, res);
      await confirmChange({ purpose: 'confirm', userID }, req, res);
    });
  }

  router.post('/accounts/:account/refresh', async (req, res) => {
    const account = await ownAccount(req);
    await accounts.refresh(account.userID, account.id, (claimed, tokens) => {
      const { refresh } = knownNetwork(claimed);
      if (!refresh || !tokens.refreshToken) throw noToken();
      return refresh(tokens);
    });
    await redirectWithNotice(req, res, `${accountTitle(networks, account)} has new tokens.`);
  });

  router.get('/accounts/:account/revoke', async (req, res) => {
    const account = await ownAccount(req);
    if (!knownNetwork(account).revoke || !hasToken(account)) throw noToken();
    res.send(revokePage(req, networks, account));
  });

  router.post('/accounts/:account/revoke', async (req, res) => {
    const account = await ownAccount(req);
    await accounts.revoke(account.userID, account.id, (claimed, tokens) => {
      const { revoke } = knownNetwork(claimed);
      if (!revoke || !(tokens.accessToken || tokens.oauthToken)) throw noToken();
      return revoke(tokens);
    });
    await redirectWithNotice(req, res, `Tokens of ${accountTitle(networks, account)} revoked and deleted.`);
  });

  router.get('/accounts/:account/unlink', async (req, res) => {
    const account = await ownAccount(req);
    const other = await confirmingAccount(account.userID, account.id);
    res.send(unlinkPage(req, networks, account, other));
  });

  router.post('/accounts/:account/unlink', async (req, res) => {
    const { userID, id: accountID } = await ownAccount(req);
    await confirmChange({ purpose: 'unlink', userID, accountID }, req, res);
  });

  router.get('/accounts/move', async (req, res) => {
    const { id: userID } = signedInUser(req);
    const account = await accountToMove(userID, req);
    const other = await confirmingAccount(userID);
    const isOnly = (await accounts.list(account.userID)).length === 1;
    res.send(movePage(req, networks, account, other, isOnly));
  });

  router.post('/accounts/move', async (req, res) => {
    const { id: userID } = signedInUser(req);
    await accountToMove(userID, req);
    await confirmChange({ purpose: 'move', userID }, req, res);
  });

  router.get('/accounts/delete', async (req, res) => {
    res.send(deletePage(req, networks, await confirmingAccount(signedInUser(req).id)));
  });

  router.post('/accounts/delete', async (req, res) => {
    await confirmChange({ purpose: 'delete', userID: signedInUser(req).id }, req, res);
  });

  /** The account in the path. @param {import('express').Request<{ account: string }>} req */
  function ownAccount(req) {
    return accounts.find(signedInUser(req).id, accountIdentifier(req.params.account));
  }

  /** @param {import('../accounts.js').Account} account */
  function knownNetwork(account) {
    const network = networkOf(networks, account);
    if (network) return network;
    throw new RequestError(
      409,
      'unknown_network',
      'This application no longer supports that network. Unlink the account.',
    );
  }

  return router;
}

/** @param {import('express').Request} req @param {import('express').Response} res @param {string} notice */
async function redirectWithNotice(req, res, notice) {
  sessionOf(req).notice = notice;
  await redirectWithSession(req, res, '/accounts');
}

/** Reads an account's ID from a request. The database would reject other strings with its own error. @param {unknown} text */
function accountIdentifier(text) {
  if (typeof text === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return text;
  throw unknownAccount();
}

function noToken() {
  return new RequestError(409, 'impossible', 'This account has no token for that. Link it again to get one.');
}
