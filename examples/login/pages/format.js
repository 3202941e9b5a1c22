// @ts-check
import { html } from './html.js';

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

/**
 * Describes whether an account's tokens are valid, and how long.
 *
 * @param {import('../accounts.js').Account} account
 */
export function tokenState({ expiresAt, revokedAt }) {
  if (revokedAt) return html`revoked on ${moment(revokedAt)}`;
  return expiresAt ? html`valid until ${moment(expiresAt)}` : html`valid, no expiry reported`;
}
