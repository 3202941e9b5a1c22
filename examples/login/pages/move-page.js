// @ts-check
import { networkOf, networkTitle } from '../networks/index.js';
import { html } from './html.js';
import { buttonForm, page } from './layout.js';
import { icon, picture } from './picture.js';

/**
 * Asks whether to move an account from another user, and says what is kept and what is lost.
 *
 * @param {import('express').Request} req
 * @param {import('../networks/index.js').ConnectedNetwork[]} networks
 * @param {import('../accounts.js').Account} account
 * @param {boolean} isOnly Whether the other user has no other account
 */
export function movePage(req, networks, account, isOnly) {
  const { profile } = account;
  const network = networkOf(networks, account);
  return page(
    req,
    'This account belongs to another user',
    html`<section class="card person">
${picture(profile, 'small')}
<div>
<p class="name">${profile.displayName || 'No name'}</p>
<p class="quiet with-icon">${network && icon(network.family)}${networkTitle(networks, account)}</p>
</div>
</section>
<p>You have just signed in with this account, so you can move it here. It then signs you in as the user you are now, with its profile and tokens.</p>
<p>${isOnly ? LAST : NOT_LAST}</p>
<p class="quiet">To confirm, sign in again with an account that is linked here.</p>
<div class="actions">
${buttonForm(req, '/accounts/move', 'Sign in and move the account', 'primary')}
<a class="button" href="/accounts">Cancel</a>
</div>`,
    'narrow',
  );
}

const LAST = 'It is the only account of the other user, who is deleted.';
const NOT_LAST = 'The other user keeps all other accounts.';
