// @ts-check
import { networkOf, networkTitle } from '../networks/index.js';
import { expiry, moment, scopes } from './format.js';
import { html } from './html.js';
import { buttonForm, page } from './layout.js';
import { icon, picture } from './picture.js';

/** @typedef {import('express').Request} Request */
/** @typedef {import('../networks/index.js').ConnectedNetwork} ConnectedNetwork */
/** @typedef {import('../accounts.js').Account} Account */

/**
 * Lists a user's linked accounts and the actions for each.
 *
 * @param {Request} req
 * @param {ConnectedNetwork[]} networks
 * @param {Account[]} accounts
 */
export function accountsPage(req, networks, accounts) {
  return page(
    req,
    'Linked accounts',
    html`<p class="lead">Each of these accounts signs you in as the same user.</p>
${accounts.map((account) => card(req, networks, account, accounts.length === 1))}
<section class="card" aria-labelledby="more">
<h2 id="more">Link another account</h2>
<p class="quiet">The network asks for your consent and sends you back here. If you signed in more than ten minutes ago, sign in again with one of your accounts first.</p>
<ul class="links">
${networks.map((network) => html`<li>${linkForm(req, network)}</li>\n`)}
</ul>
</section>`,
  );
}

/** @param {Request} req @param {ConnectedNetwork} network */
function linkForm(req, { name, family, title, version }) {
  const label = html`${icon(family)}<span class="label">${title}<small>${version}</small></span>`;
  return buttonForm(req, `/accounts/link/${name}`, label, `wide ${family}`);
}

/** @param {Request} req @param {ConnectedNetwork[]} networks @param {Account} account @param {boolean} isOnly */
function card(req, networks, account, isOnly) {
  const { id, profile, scope, createdAt } = account;
  const network = networkOf(networks, account);
  return html`<section class="card account" data-network="${account.network}" aria-labelledby="account-${id}">
<div class="person">
${picture(profile, 'small')}
<div>
<h2 id="account-${id}">${profile.displayName || 'No name'}</h2>
<p class="quiet with-icon">${network && icon(network.family)}${networkTitle(networks, account)}</p>
</div>
</div>
<dl class="facts">
<div><dt>Linked</dt><dd>${moment(createdAt)}</dd></div>
<div><dt>Granted scopes</dt><dd>${scopes(scope)}</dd></div>
<div><dt>Tokens valid until</dt><dd>${expiry(account)}</dd></div>
</dl>
<div class="actions">
<a class="button" href="/profile?account=${id}" aria-describedby="account-${id}">Show profile</a>
${network?.refresh && account.refreshToken !== null && buttonForm(req, `/accounts/${id}/refresh`, 'Refresh tokens')}
${network?.revoke && hasToken(account) && buttonForm(req, `/accounts/${id}/revoke`, 'Revoke tokens', 'danger')}
${!isOnly && buttonForm(req, `/accounts/${id}/unlink`, 'Unlink', 'danger')}
</div>
<p class="quiet">${isOnly ? ONLY_ACCOUNT : HOW_TO_UNLINK}</p>
${network && !network.refresh && html`<p class="quiet">${WHY_NO_REFRESH}</p>`}
</section>
`;
}

const ONLY_ACCOUNT =
  'You cannot unlink your only account, because you need one to sign in. To move it to another user, sign in as that user and link it there.';

const HOW_TO_UNLINK = 'To unlink this account, sign in again with another of your accounts.';

const WHY_NO_REFRESH =
  'This network has no refresh tokens in this version. Sign in again to get a new token.';

/** @param {Account} account */
const hasToken = ({ accessToken, oauthToken }) => accessToken !== null || oauthToken !== null;
