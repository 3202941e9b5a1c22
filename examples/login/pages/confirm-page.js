// @ts-check
import { hasToken } from '../accounts.js';
import { accountTitle, networkOf, networkTitle } from '../networks/index.js';
import { html } from './html.js';
import { buttonForm, page } from './layout.js';
import { nameOf, person } from './parts.js';

/** @typedef {import('express').Request} Request */
/** @typedef {import('../networks/index.js').ConnectedNetwork} ConnectedNetwork */
/** @typedef {import('../accounts.js').Account} Account */
/** @typedef {import('../routes/account-changes.js').OwnAccount} OwnAccount */
/** @typedef {[req: Request, networks: ConnectedNetwork[], account: Account]} About */

/** Asks whether to revoke an account's tokens. @type {(...about: About) => string} */
export function revokePage(req, networks, account) {
  const title = networkTitle(networks, account);
  return confirmPage(req, networks, account, {
    title: `Revoke the tokens of this ${title} account?`,
    effects: [
      `${title} then rejects them, and this application deletes them. The account stays linked, and signs you in as before.`,
      'To get new tokens later, connect the account again.',
    ],
    path: `/accounts/${account.id}/revoke`,
    label: 'Revoke tokens',
    isLoss: true,
  });
}

/** Asks whether to unlink an account. @type {(...about: [...About, other: OwnAccount]) => string} */
export function unlinkPage(req, networks, account, other) {
  const title = networkTitle(networks, account);
  const isRevocable = networkOf(networks, account)?.revoke && hasToken(account);
  const access = isRevocable ? ` To end this application's access at ${title}, revoke the tokens first.` : '';
  return confirmPage(req, networks, account, {
    title: `Unlink this ${title} account?`,
    effects: [
      `It then no longer signs you in, and this application deletes its profile and tokens.${access}`,
      signInWith(networks, other),
    ],
    path: `/accounts/${account.id}/unlink`,
    label: `Sign in with ${other.network.title} and unlink`,
    isLoss: true,
  });
}

/**
 * Asks whether to move an account from another user, who may have no other account (`isOnly`).
 *
 * @type {(...about: [...About, other: OwnAccount, isOnly: boolean]) => string}
 */
export function movePage(req, networks, account, other, isOnly) {
  return confirmPage(req, networks, account, {
    title: 'This account belongs to another user',
    effects: [
      'You have just signed in with this account, so you can move it here. It then signs you in as the user you are now, with its profile and tokens.',
      isOnly
        ? 'It is the only account of the other user, who will be deleted.'
        : 'The other user keeps all other accounts.',
      signInWith(networks, other),
    ],
    path: '/accounts/move',
    label: `Sign in with ${other.network.title} and move`,
    isLoss: isOnly,
  });
}

/** Asks whether to delete the user. @param {Request} req @param {ConnectedNetwork[]} networks @param {OwnAccount} other */
export function deletePage(req, networks, other) {
  return confirmPage(req, networks, other.account, {
    title: 'Delete your account?',
    effects: [
      'This application revokes its tokens, and deletes all your linked accounts with their profiles. Nobody can undo this.',
      signInWith(networks, other),
    ],
    path: '/accounts/delete',
    label: `Sign in with ${other.network.title} and delete`,
    isLoss: true,
  });
}

/** @param {ConnectedNetwork[]} networks @param {OwnAccount} other */
function signInWith(networks, { account }) {
  // A name can end with a full stop, so the sentence does not end with the name.
  return `Sign in again with your ${accountTitle(networks, account)} to confirm.`;
}

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {string[]} effects
 * @property {string} path Of the form
 * @property {string} label Of the form's button
 * @property {boolean} isLoss
 */

/** @type {(...about: [...About, Question]) => string} */
function confirmPage(req, networks, account, { title, effects, path, label, isLoss }) {
  return page(
    req,
    title,
    html`<section class="card" aria-label="Account">
${person(networks, account, html`<p class="name">${nameOf(account)}</p>`)}
</section>
${effects.map((effect) => html`<p>${effect}</p>`)}
<div class="actions">
${buttonForm(req, path, label, isLoss ? 'primary danger' : 'primary')}
<a class="button" href="/accounts">Cancel</a>
</div>`,
    'narrow',
  );
}
