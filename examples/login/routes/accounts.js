// @ts-check
import { Router } from 'express';
import { beginLogin } from '../login-flow.js';
import { accountsPage } from '../pages/accounts-page.js';
import { Refusal } from '../refusal.js';
import { onlySignedIn, sessionOf, signedInUser } from '../visitor.js';
import { accountIdentifier } from './account-identifier.js';

/** @typedef {import('../networks/index.js').ConnectedNetwork} ConnectedNetwork */

/**
 * A user's accounts at the networks: link, refresh, revoke, unlink.
 *
 * @param {ConnectedNetwork[]} networks
 * @param {import('../accounts.js').Accounts} accounts
 */
export function accountRoutes(networks, accounts) {
  const router = Router();
  router.use('/accounts', onlySignedIn);

  router.get('/accounts', async (req, res) => {
    res.send(accountsPage(req, networks, await accounts.list(signedInUser(req).id)));
  });

  // A form with a token, unlike the way to sign in: a link from anywhere must not add an account to this user.
  for (const network of networks) {
    router.post(`/accounts/link/${network.name}`, async (req, res) => {
      await beginLogin(network, { purpose: 'link', userID: signedInUser(req).id }, req, res);
    });
  }

  router.post('/accounts/:account/refresh', async (req, res) => {
    await accounts.refresh(
      signedInUser(req).id,
      accountIdentifier(req.params.account),
      ({ provider }, tokens) => {
        const { refresh } = networkOf(provider);
        if (!refresh || !tokens.refreshToken) throw impossible();
        return refresh(tokens);
      },
    );
    answer(req, res, 'The network gave new tokens.');
  });

  router.post('/accounts/:account/revoke', async (req, res) => {
    await accounts.revoke(
      signedInUser(req).id,
      accountIdentifier(req.params.account),
      ({ provider }, tokens) => {
        const { revoke } = networkOf(provider);
        if (!revoke || !(tokens.accessToken || tokens.oauthToken)) throw impossible();
        return revoke(tokens);
      },
    );
    answer(req, res, 'The network has ended the tokens, and they are deleted here.');
  });

  router.post('/accounts/:account/unlink', async (req, res) => {
    await accounts.unlink(signedInUser(req).id, accountIdentifier(req.params.account));
    answer(req, res, 'The account is unlinked.');
  });

  /** @param {string} provider */
  function networkOf(provider) {
    const network = networks.find(({ name }) => name === provider);
    if (network) return network;
    throw new Refusal(
      409,
      'unknown_network',
      'This application no longer knows that network. Unlink the account.',
    );
  }

  return router;
}

/** @param {import('express').Request} req @param {import('express').Response} res @param {string} notice */
function answer(req, res, notice) {
  sessionOf(req).notice = notice;
  res.redirect(303, '/accounts');
}

function impossible() {
  return new Refusal(409, 'impossible', 'There is no token for that. Link the account again to get one.');
}
