// @ts-check
import { html } from './html.js';
import { page } from './layout.js';
import { icon } from './picture.js';

/** @typedef {import('../networks/index.js').ConnectedNetwork} ConnectedNetwork */

/**
 * One button for each network, and for each version of it.
 *
 * @param {import('express').Request} req
 * @param {ConnectedNetwork[]} networks
 * @param {string} returnTo
 */
export function signInPage(req, networks, returnTo) {
  return page(
    req,
    'Sign in',
    html`<p class="lead">Choose a network. It asks you for your consent and tells this application who you are.</p>
<ul class="choices">
${networks.map((network) => choice(network, returnTo))}
</ul>
${networks.some(({ usesSandbox }) => usesSandbox) && sandboxNote()}`,
    'narrow',
  );
}

/** @param {ConnectedNetwork} network @param {string} returnTo */
function choice({ name, family, title, version, usesSandbox }, returnTo) {
  const address = `/api/auth/signin/${name}?returnTo=${encodeURIComponent(returnTo)}`;
  return html`<li><a class="choice ${family}" href="${address}">
${icon(family)}
<span class="label">${title}<small>${version}</small></span>
<span class="badge ${usesSandbox ? 'sandbox' : 'real'}">${usesSandbox ? 'sandbox' : 'real network'}</span>
</a></li>
`;
}

function sandboxNote() {
  return html`<p class="quiet">The sandbox plays a network on this machine, with people who do not exist. Give this application credentials, and it talks to the real one.</p>`;
}
