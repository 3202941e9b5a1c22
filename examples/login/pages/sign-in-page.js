// @ts-check
import { html } from './html.js';
import { page } from './layout.js';
import { icon } from './picture.js';

/** @typedef {import('../networks/index.js').ConnectedNetwork} ConnectedNetwork */

/**
 * Shows one button for each version of each network.
 *
 * @param {import('express').Request} req
 * @param {ConnectedNetwork[]} networks
 * @param {string} returnTo
 */
export function signInPage(req, networks, returnTo) {
  return page(
    req,
    'Sign in',
    html`<p class="lead">Choose a network. It asks for your consent and tells this application who you are.</p>
<ul class="choices">
${networks.map((network) => choice(network, returnTo))}
</ul>
${networks.some(({ usesSandbox }) => usesSandbox) && sandboxNote()}`,
    'narrow',
  );
}

/** @param {ConnectedNetwork} network @param {string} returnTo */
function choice({ name, family, title, version, usesSandbox }, returnTo) {
  const path = `/api/auth/signin/${name}?returnTo=${encodeURIComponent(returnTo)}`;
  return html`<li><a class="choice ${family}" href="${path}">
${icon(family)}
<span class="label">${title}<small>${version}</small></span>
<span class="badge ${usesSandbox ? 'sandbox' : 'real'}">${usesSandbox ? 'sandbox' : 'real network'}</span>
</a></li>
`;
}

function sandboxNote() {
  return html`<p class="quiet">The sandbox simulates a network on this machine, with fictional users. With client credentials in its settings, this application uses the real network.</p>`;
}
