// @ts-check
import { hasToken, lastAccount } from '../accounts.js';
import { RequestError } from '../errors.js';
import { beginLogin, endSession, startSession } from '../login-flow.js';
import { accountTitle, networkOf, networkTitle } from '../networks/index.js';
import { sessionOf, userOf } from '../visitor.js';

/** @typedef {import('express').Request} Request */
/** @typedef {import('express').Response} Response */
/** @typedef {import('../accounts.js').Accounts} Accounts */
/** @typedef {import('../networks/index.js').ConnectedNetwork} ConnectedNetwork */
/** @typedef {import('../networks/network.js').Login} Login */
/** @typedef {import('../login-flow.js').Confirmation} Confirmation */
/** @typedef {{ account: import('../accounts.js').Account, network: ConnectedNetwork }} OwnAccount */
/** @typedef {Exclude<import('../login-flow.js').Intention, { purpose: 'sign in' }>} Change */

/** How long a login counts as fresh, in milliseconds. */
const FRESH = 10 * 60 * 1_000;

/**
 * Whether the user has signed in lately. Linking needs this: whoever finds an open session could otherwise link an account of
 * their own, and confirm with it that all others are unlinked.
 *
 * @param {Request} req
 */
export function hasFreshLogin(req) {
  return Date.now() - (sessionOf(req).confirmedAt ?? 0) < FRESH;
}

/**
 * Linking, unlinking and moving accounts and deleting users, with the fresh logins that they need.
 *
 * @param {ConnectedNetwork[]} networks
 * @param {Accounts} accounts
 */
export function accountChanges(networks, accounts) {
  return { confirmingAccount, confirmChange, finishChange, accountToMove };

  /**
   * Chooses the account for the fresh login before a change: the one that the user signed in with last. Never the account that the
   * change is about, so that a user who unlinks it has just shown another way to sign in.
   *
   * @param {string} userID
   * @param {string} [accountID] The account that the change is about
   * @returns {Promise<OwnAccount>}
   * @throws {RequestError} if the user cannot sign in with any other account
   */
  async function confirmingAccount(userID, accountID) {
    const others = (await accounts.list(userID)).filter(({ id }) => id !== accountID);
    const latestFirst = others.toSorted((one, other) => Number(other.signedInAt) - Number(one.signedInAt));
    for (const account of latestFirst) {
      const network = networkOf(networks, account);
      if (network) return { account, network };
    }
    throw lastAccount();
  }

  /**
   * Asks for a fresh login before a change. A session that somebody else got hold of is not enough to take accounts away from a user.
   *
   * @param {Confirmation} intention
   * @param {Request} req
   * @param {Response} res
   * @throws {RequestError} if the user cannot sign in with any other account
   */
  async function confirmChange(intention, req, res) {
    const { network } = await confirmingAccount(intention.userID, intention.accountID);
    await beginLogin(network, intention, req, res);
  }

  /**
   * Performs a change after the login that it asked for.
   *
   * @param {Login} login
   * @param {Change} intention
   * @param {Request} req
   * @returns {Promise<string>} The path of the next page
   */
  async function finishChange(login, intention, req) {
    if (userOf(req)?.id !== intention.userID) {
      throw new RequestError(
        403,
        'other_user',
        'You are no longer signed in as the user who started this. Sign in and start again.',
      );
    }
    if (intention.purpose === 'link') return link(login, intention.userID, req);
    return change(login, intention, req);
  }

  /**
   * Returns the account of another user that this user has just signed in with.
   *
   * @param {string} userID
   * @param {Request} req
   * @throws {RequestError} if there is none, or the login was too long ago
   */
  async function accountToMove(userID, req) {
    const { move } = sessionOf(req);
    const account = move && move.expiresAt > Date.now() ? await accounts.byID(move.accountID) : undefined;
    if (account && account.userID !== userID) return account;
    throw new RequestError(
      409,
      'nothing_to_move',
      'You signed in with the other account too long ago. Link it again to move it.',
    );
  }

  /**
   * Links an account, or prepares to move it from another user.
   *
   * @param {Login} login
   * @param {string} userID
   * @param {Request} req
   */
  async function link(login, userID, req) {
    const known = await accounts.ofLogin(login);
    if (known && known.userID !== userID) {
      sessionOf(req).move = { accountID: known.id, expiresAt: Date.now() + FRESH };
      return '/accounts/move';
    }
    const account = await accounts.link(userID, login);
    sessionOf(req).notice = `${accountTitle(networks, account)} ${known ? 'connected again' : 'linked'}.`;
    return '/accounts';
  }

  /**
   * Revokes all tokens of a user, and deletes the user even if a network does not respond.
   *
   * @param {string} userID
   * @param {Request} req
   */
  async function deleteUser(userID, req) {
    const left = [];
    for (const account of await accounts.list(userID)) {
      if (!hasToken(account)) continue;
      const network = networkOf(networks, account);
      const revoking = accounts.revoke(userID, account.id, async (_account, tokens) => {
        const hasExpired = account.expiresAt !== null && account.expiresAt < new Date();
        await network?.revoke?.(hasExpired && network.refresh ? await network.refresh(tokens) : tokens);
      });
      const isRevoked = await revoking.then(
        () => network?.revoke,
        () => false,
      );
      if (!isRevoked) left.push(networkTitle(networks, account));
    }
    await accounts.deleteUser(userID);
    await endSession(req);
    const advice = `To end this application's access at ${left.join(' and ')}, remove it in your settings there.`;
    sessionOf(req).notice = `Your account has been deleted.${left.length > 0 ? ` ${advice}` : ''}`;
    return '/signed-out';
  }

  /**
   * Unlinks or moves an account, deletes the user, or does nothing more, after a fresh login with another account of the user.
   *
   * @param {Login} login
   * @param {Confirmation} intention
   * @param {Request} req
   */
  async function change(login, { purpose, userID, accountID }, req) {
    const confirmed = await accounts.confirm(userID, login);
    if (confirmed.id === accountID) {
      throw new RequestError(
        403,
        'wrong_account',
        'You signed in with the account you want to unlink. Try again with another one of your accounts.',
      );
    }
    if (purpose === 'delete') return deleteUser(userID, req);
    // Whoever got hold of the earlier session must not have the rights of a fresh login.
    // The session says what may be moved, not the login's state: others may know the secret that encrypts that.
    const moved = purpose === 'move' ? await accountToMove(userID, req) : undefined;
    await startSession(req, confirmed);
    const session = sessionOf(req);
    if (purpose === 'confirm') {
      session.notice = 'You have signed in again. You can link an account now.';
      return '/accounts';
    }
    const account = moved
      ? await accounts.move(moved.id, userID)
      : await accounts.unlink(userID, String(accountID));
    session.notice = `${accountTitle(networks, account)} ${purpose === 'unlink' ? 'unlinked' : 'moved here'}.`;
    return '/accounts';
  }
}
