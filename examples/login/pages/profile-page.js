// @ts-check
import { networkOf, networkTitle } from '../networks/index.js';
import { isOfSandbox } from '../networks/network.js';
import { html } from './html.js';
import { page } from './layout.js';
import { moment, nameOf, person, scopes, tokenState } from './parts.js';

/**
 * Shows one of a user's accounts.
 *
 * @param {import('express').Request} req
 * @param {import('../networks/index.js').ConnectedNetwork[]} networks
 * @param {import('../accounts.js').Account} account
 */
export function profilePage(req, networks, account) {
  const { identifier, profile, record, scope, signedInAt } = account;
  return page(
    req,
    'Profile',
    html`<section class="card" aria-label="Account">
${person(networks, account, html`<p class="name" id="name">${nameOf(account)}</p>`, 'large')}
</section>
<section class="card" aria-labelledby="about">
<h2 id="about">About you</h2>
<dl class="facts">
${fact('User ID', html`<code id="identifier">${identifier}</code>`)}
${fact('Given name', profile.name?.givenName)}
${fact('Middle name', profile.name?.middleName)}
${fact('Family name', profile.name?.familyName)}
${fact('Gender', profile.gender)}
${fact('E-mail', email(profile.emails?.[0]))}
${fact('Profile page', profilePageLink(account))}
${fact('Protocol', networkOf(networks, account)?.protocol)}
${fact('Signed in', moment(signedInAt))}
${fact('Granted scopes', scopes(scope))}
${fact('Tokens', tokenState(account))}
</dl>
</section>
<details>
<summary>What ${networkTitle(networks, account)} sent</summary>
<dl class="facts" id="record">
${fields(record).map(([path, value]) => fact(html`<code>${breakable(path)}</code>`, html`${value}`))}
</dl>
</details>`,
  );
}

/** @param {import('./html.js').Value} name @param {import('./html.js').Value} value */
function fact(name, value) {
  return value ? html`<div><dt>${name}</dt><dd>${value}</dd></div>` : undefined;
}

/** @param {import('passport-social-networks').ProfileEmail | undefined} address */
function email(address) {
  if (!address) return undefined;
  const note = address.verified ? 'verified by the network' : 'not reported as verified';
  return html`${address.value} <small class="quiet">${note}</small>`;
}

/**
 * Links http and https URLs only, because other schemes could run a script. Links nothing for people of the sandbox, because somebody
 * else may have their handle at the network.
 *
 * @param {import('../accounts.js').Account} account
 */
function profilePageLink({ provider, profile: { profileUrl: url, username } }) {
  if (isOfSandbox(provider))
    return username ? `@${username}, only in the sandbox` : 'none, only in the sandbox';
  return url && /^https?:\/\//.test(url) ? html`<a href="${url}" rel="noreferrer">${url}</a>` : url;
}

/** Allows line breaks after dots and underscores. @param {string} path */
function breakable(path) {
  return path.split(/(?<=[._])/).map((part) => html`${part}<wbr>`);
}

/**
 * Flattens a record into the path of each value and the value as a string.
 *
 * @param {unknown} value
 * @param {string} path
 * @returns {[path: string, value: string][]}
 */
function fields(value, path = '') {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  const entries = Object.entries(value);
  if (entries.length === 0) return path === '' ? [] : [[path, 'empty']];
  return entries.flatMap(([name, part]) => fields(part, path === '' ? name : `${path}.${name}`));
}
