// @ts-check
import { html } from './html.js';
import { page } from './layout.js';
import { mark, networkList } from './parts.js';

/** @typedef {import('../networks/index.js').ConnectedNetwork} ConnectedNetwork */

/**
 * Shows one button for each network. Their other protocols are folded.
 *
 * @param {import('express').Request} req
 * @param {ConnectedNetwork[]} networks
 * @param {string} returnTo
 */
export function signInPage(req, networks, returnTo) {
  const isMixed = networks.some(({ usesSandbox }) => !usesSandbox);
  /** @param {ConnectedNetwork} network @param {string} [protocol] */
  const choice = (
    network,
    protocol,
  ) => html`<li><a class="button choice" href="${beginPath(network, returnTo)}">
${mark(network)}<span class="label"><span>Continue with ${network.title}${protocol && html` <small>${protocol}</small>`}</span>
${isMixed && network.usesSandbox && SANDBOX_BADGE}</span></a></li>
`;
  return page(
    req,
    'Sign in',
    html`<p class="lead">Choose a network. It asks for your consent and tells this application who you are.</p>
<div class="card">
${networkList(networks, 'choices', choice)}
</div>
${networks.some(({ usesSandbox }) => usesSandbox) && sandboxNote(isMixed)}`,
    'narrow',
  );
}

/** Path that begins a login. @param {ConnectedNetwork} network @param {string} returnTo */
export function beginPath({ name }, returnTo) {
  return `/api/auth/signin/${name}?returnTo=${encodeURIComponent(returnTo)}`;
}

const SANDBOX_BADGE = html`<span class="badge sandbox">sandbox</span>`;

/** @param {boolean} isMixed Whether other networks are real */
function sandboxNote(isMixed) {
  const which = isMixed ? 'These networks are simulated' : 'The networks are simulated';
  return html`<div class="note">${SANDBOX_BADGE}
<p>${which} on this machine, with fictional people. With client credentials in its settings, this application uses the real ones.</p></div>`;
}

/** @param {import('express').Request} req */
export function signedOutPage(req) {
  return page(
    req,
    'You are signed out',
    html`<p class="lead">Your session here has ended. You may still be signed in at the network.</p>
<p><a class="button primary" href="/signin">Sign in again</a></p>`,
    'narrow',
  );
}
