// @ts-check
import { groupNetworks, networkOf, networkTitle } from '../networks/index.js';
import { html } from './html.js';

/** @typedef {import('../networks/index.js').ConnectedNetwork} ConnectedNetwork */
/** @typedef {import('../accounts.js').Account} Account */

const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Formats a date and time. @param {Date} date */
export function moment(date) {
  return html`<time datetime="${date.toISOString()}">${FORMAT.format(date)} UTC</time>`;
}

/** @param {readonly string[]} scope */
export function scopes(scope) {
  if (scope.length === 0) return html`<span class="quiet">Not reported by the network</span>`;
  return html`<ul class="tags">${scope.map((name) => html`<li><code>${name}</code></li>`)}</ul>`;
}

/** Describes whether an account's tokens are valid, and how long. @param {Account} account */
export function tokenState({ expiresAt, revokedAt }) {
  if (revokedAt) return html`revoked on ${moment(revokedAt)}`;
  return expiresAt ? html`valid until ${moment(expiresAt)}` : html`valid, no expiry reported`;
}

/**
 * Renders the owner of an account: picture, name, handle and network.
 *
 * @param {ConnectedNetwork[]} networks
 * @param {Account} account
 * @param {import('./html.js').Html} name The element with the name
 * @param {'small' | 'large'} size
 */
export function person(networks, account, name, size = 'small') {
  const { profile, provider } = account;
  const network = networkOf(networks, account) ?? networks.find((other) => other.provider === provider);
  return html`<div class="person">
${picture(profile, size)}
<div>
${name}
<p class="quiet row">${network && mark(network)}<span>${networkTitle(networks, account)}${profile.username && html` · <bdi>@${profile.username}</bdi>`}</span></p>
</div>
</div>`;
}

/** The name of an account's owner. @param {Account} account */
export const nameOf = ({ profile }) => html`<bdi>${profile.displayName || 'No name'}</bdi>`;

/**
 * Renders a network's initial, because the networks restrict the use of their logos. Decorative, because the name is next to it.
 *
 * @param {import('../networks/network.js').Network} network
 */
export function mark({ family, title }) {
  return html`<span class="mark ${family}" aria-hidden="true">${initial(title)}</span>`;
}

/**
 * Renders a user's picture, or the first letter of the name. Decorative, because the name is always next to it.
 *
 * @param {import('../networks/network.js').AccountProfile} profile
 * @param {'small' | 'large'} size
 */
function picture({ displayName, photos }, size) {
  const url = photos?.[0]?.value;
  if (url) return html`<img class="picture ${size}" src="${url}" alt="">`;
  return html`<span class="picture ${size}" aria-hidden="true">${initial(displayName || '?')}</span>`;
}

/** The first grapheme, because a letter can be several code points. @param {string} name */
function initial(name) {
  const [first] = new Intl.Segmenter('en').segment(name);
  return first?.segment ?? '?';
}

/**
 * Renders one entry for each network, and its other protocols folded.
 *
 * @param {ConnectedNetwork[]} networks
 * @param {string} appearance CSS class
 * @param {(network: ConnectedNetwork, protocol?: string) => import('./html.js').Html} item
 */
export function networkList(networks, appearance, item) {
  const { entries, others } = groupNetworks(networks);
  return html`<ul class="${appearance}">
${entries.map((network) => item(network))}</ul>
${
  others.length > 0 &&
  html`<details>
<summary>Other protocols</summary>
<ul class="${appearance}">
${others.map((network) => item(network, network.protocol))}</ul>
</details>`
}`;
}
