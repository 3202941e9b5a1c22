// @ts-check
import { hasToken } from '../accounts.js';
import { networkOf } from '../networks/index.js';
import { html } from './html.js';
import { buttonForm, page } from './layout.js';
import { mark, moment, nameOf, networkList, person, tokenState } from './parts.js';

/** @typedef {import('express').Request} Request */
/** @typedef {import('../networks/index.js').ConnectedNetwork} ConnectedNetwork */
/** @typedef {import('../accounts.js').Account} Account */

/**
 * Lists a user's linked accounts, the actions for each, and the networks without an account.
 *
 * @param {Request} req
 * @param {ConnectedNetwork[]} networks
 * @param {Account[]} accounts
 */
export function accountsPage(req, networks, accounts) {
  const free = networks.filter(({ provider }) => !accounts.some((account) => account.provider === provider));
  return page(
    req,
    'Linked accounts',
    html`<p class="lead">Each of these accounts signs you in as the same user.</p>
${accounts.map((account) => card(req, networks, account, accounts.length === 1))}
<section class="card" aria-labelledby="more">
<h2 id="more">Link another account</h2>
${free.length > 0 ? linkForms(req, free) : html`<p class="quiet">You have linked an account of every network.</p>`}
</section>
<p><a class="button danger" href="/accounts/delete">Delete account</a></p>`,
  );
}

/** @param {Request} req @param {ConnectedNetwork[]} networks */
function linkForms(req, networks) {
  /** @param {ConnectedNetwork} network @param {string} [protocol] */
  const form = (network, protocol) => {
    const label = html`${mark(network)}<span class="label"><span>Link ${network.title}${protocol && html` <small>${protocol}</small>`}</span></span>`;
    return html`<li>${buttonForm(req, `/accounts/link/${network.name}`, label, 'choice')}</li>\n`;
  };
  return html`<p class="quiet">The network asks for your consent and sends you back here. If you signed in more than ten minutes ago, you sign in again first.</p>
${networkList(networks, 'links', form)}`;
}

/** @param {Request} req @param {ConnectedNetwork[]} networks @param {Account} account @param {boolean} isOnly */
function card(req, networks, account, isOnly) {
  const { id, createdAt, expiresAt, revokedAt } = account;
  const network = networkOf(networks, account);
  const isRefreshable = network?.refresh && account.refreshToken !== null;
  const canReconnect = network && (revokedAt !== null || (!isRefreshable && expiresAt !== null));
  return html`<section class="card account" data-network="${account.network}" aria-labelledby="account-${id}">
${person(networks, account, html`<h2 id="account-${id}">${nameOf(account)}</h2>`)}
<dl class="facts">
<div><dt>Linked</dt><dd>${moment(createdAt)}</dd></div>
<div><dt>Tokens</dt><dd>${tokenState(account)}</dd></div>
</dl>
<div class="actions">
<a class="button" href="/profile?account=${id}" aria-describedby="account-${id}">Show profile</a>
${isRefreshable && buttonForm(req, `/accounts/${id}/refresh`, 'Refresh tokens')}
${canReconnect && buttonForm(req, `/accounts/link/${network.name}`, 'Connect again')}
${network?.revoke && hasToken(account) && html`<a class="button danger" href="/accounts/${id}/revoke" aria-describedby="account-${id}">Revoke tokens</a>`}
${!isOnly && html`<a class="button danger" href="/accounts/${id}/unlink" aria-describedby="account-${id}">Unlink</a>`}
</div>
${isOnly && html`<p class="quiet">${ONLY_ACCOUNT}</p>`}
</section>
`;
}

const ONLY_ACCOUNT =
  'You cannot unlink your only account, because you need one to sign in. To move it to another user, sign in as that user and link it there.';
