// @ts-check
import { lastAccount } from '../accounts.js';
import { beginLogin } from '../login-flow.js';
import { recordFailure, recordSuccess } from '../login-story.js';
import { networkOf } from '../networks/index.js';
import { RequestError } from '../request-error.js';
import { sessionOf, userOf } from '../visitor.js';

/** @typedef {import('express').Request} Request */
/** @typedef {import('express').Response} Response */
/** @typedef {import('../accounts.js').Accounts} Accounts */
/** @typedef {import('../networks/index.js').ConnectedNetwork} ConnectedNetwork */
/** @typedef {import('../networks/network.js').Login} Login */
/** @typedef {import('../login-flow.js').Confirmation} Confirmation */
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
 * Asks for a fresh login before a change, with the account that the user signed in with last. A session that somebody else got
 * hold of is not enough to take accounts away from a user. Never with the account that the change is about, so that a user who
 * unlinks it has just shown another way to sign in.
 *
 * @param {ConnectedNetwork[]} networks
 * @param {Accounts} accounts
 * @param {Confirmation} intention
 * @param {Request} req
 * @param {Response} res
 * @throws {RequestError} if the user cannot sign in with any other account
 */
export async function confirmChange(networks, accounts, intention, req, res) {
  const others = (await accounts.list(intention.userID)).filter(({ id }) => id !== intention.accountID);
  const latestFirst = others.toSorted((one, other) => Number(other.signedInAt) - Number(one.signedInAt));
  const [network] = latestFirst.flatMap((account) => networkOf(networks, account) ?? []);
  if (!network) throw lastAccount();
  await beginLogin(network, intention, req, res);
}

/**
 * Performs a change after the login that it asked for.
 *
 * @param {Accounts} accounts
 * @param {ConnectedNetwork} network
 * @param {Login} login
 * @param {Change} intention
 * @param {Request} req
 * @returns {Promise<string>} The path of the next page
 */
export async function finishChange(accounts, network, login, intention, req) {
  try {
    if (userOf(req)?.id !== intention.userID) {
      throw new RequestError(
        403,
        'other_user',
        'You are no longer signed in as the user who started this. Sign in and start again.',
      );
    }
    if (intention.purpose === 'link') return await link(accounts, network, login, intention.userID, req);
    return await change(accounts, network, login, intention, req);
  } catch (error) {
    recordFailure(network, req, error, 'account');
    throw error;
  }
}

/**
 * Returns the account of another user that this user has just signed in with.
 *
 * @param {Accounts} accounts
 * @param {string} userID
 * @param {Request} req
 * @throws {RequestError} if there is none, or the login was too long ago
 */
export async function accountToMove(accounts, userID, req) {
  const { move } = sessionOf(req);
  const account = move && move.expiresAt > Date.now() ? await accounts.byID(move.accountID) : undefined;
  if (account && account.userID !== userID) return account;
  throw new RequestError(
    409,
    'nothing_to_move',
    'The login with the other account is too long ago. Link the account again to move it.',
  );
}

/**
 * Links an account, or prepares to move it from another user.
 *
 * @param {Accounts} accounts
 * @param {ConnectedNetwork} network
 * @param {Login} login
 * @param {string} userID
 * @param {Request} req
 */
async function link(accounts, network, login, userID, req) {
  const known = await accounts.ofLogin(login);
  if (known && known.userID !== userID) {
    sessionOf(req).move = { accountID: known.id, expiresAt: Date.now() + FRESH };
    recordSuccess(network, req, login, 'Belongs to another user. Nothing was changed.');
    return '/accounts/move';
  }
  await accounts.link(userID, login);
  recordSuccess(network, req, login, 'Linked to the user who is signed in.');
  sessionOf(req).notice = `Your account at the ${network.title.toLowerCase()} is linked.`;
  return '/accounts';
}

/**
 * Unlinks or moves an account, or neither, after a fresh login with another account of the user.
 *
 * @param {Accounts} accounts
 * @param {ConnectedNetwork} network
 * @param {Login} login
 * @param {Confirmation} intention
 * @param {Request} req
 */
async function change(accounts, network, login, { purpose, userID, accountID }, req) {
  const { id } = await accounts.confirm(userID, login);
  if (id === accountID) {
    throw new RequestError(
      403,
      'wrong_account',
      'You signed in with the account that you want to unlink. Try again with another account of yours.',
    );
  }
  sessionOf(req).confirmedAt = Date.now();
  if (purpose === 'unlink') await accounts.unlink(userID, accountID);
  if (purpose === 'move') await accounts.move(accountID, userID);
  if (purpose !== 'confirm') delete sessionOf(req).move;
  const result = RESULTS[purpose];
  recordSuccess(network, req, login, result);
  sessionOf(req).notice = result;
  return '/accounts';
}

const RESULTS = {
  unlink: 'The account is unlinked.',
  move: 'The account is now yours.',
  confirm: 'You have signed in again. You can link an account now.',
};
