// @ts-check
import { sessionOf, userOf } from '../visitor.js';
import { html } from './html.js';
import { buttonForm, page } from './layout.js';
import { beginPath } from './sign-in-page.js';

/** @typedef {import('express').Request} Request */
/** @typedef {import('../networks/index.js').ConnectedNetwork} ConnectedNetwork */

/** @param {Request} req @param {import('../error-handler.js').Problem} problem */
export function errorPage(req, { status, title, message, details, isCalm, areDetailsOpen, network }) {
  const retry = network && retryButton(req, network);
  const signIn = { path: '/signin', label: retry ? 'Choose another network' : 'Back to sign in' };
  const back = userOf(req) ? { path: '/accounts', label: 'Back to your accounts' } : signIn;
  return page(
    req,
    title,
    html`<div class="card${!isCalm && ' problem'}" role="${isCalm ? 'status' : 'alert'}">
<p>${message}</p>
</div>
<div class="actions">
${retry}
<a class="button${!retry && ' primary'}" href="${back.path}">${back.label}</a>
</div>
<details${areDetailsOpen && html` open`}>
<summary>Details</summary>
<dl class="facts">
<div><dt>HTTP status</dt><dd>${status}</dd></div>
${details.map(([name, value]) => html`<div><dt>${name}</dt><dd><code>${value}</code></dd></div>`)}
</dl>
</details>`,
    'narrow',
  );
}

/**
 * Begins a failed login again. A change of an account begins on the page that asks about it, and an account whose tokens could not be
 * refreshed is connected again.
 *
 * @param {Request} req
 * @param {ConnectedNetwork} network
 */
function retryButton(req, network) {
  const connect = `/accounts/link/${network.name}`;
  if (req.path.endsWith('/refresh'))
    return buttonForm(req, connect, `Sign in with ${network.title} again`, 'primary');
  const { attempt } = sessionOf(req);
  const intention = attempt?.network === network.name ? attempt.intention : undefined;
  const label = `Try again with ${network.title}`;
  /** @param {string} path */
  const link = (path) => html`<a class="button primary" href="${path}">${label}</a>`;
  if (!userOf(req)) return link(beginPath(network, '/profile'));
  if (intention?.purpose === 'link') return buttonForm(req, connect, label, 'primary');
  if (intention?.purpose === 'unlink') return link(`/accounts/${intention.accountID}/unlink`);
  if (intention?.purpose === 'delete') return link('/accounts/delete');
  return intention?.purpose === 'move' && link('/accounts/move');
}
