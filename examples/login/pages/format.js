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
 * Describes how long an account's tokens are valid.
 *
 * @param {import('../accounts.js').Account} account
 */
export function expiry({ expiresAt, revokedAt }) {
  if (revokedAt) return html`revoked ${moment(revokedAt)}`;
  return expiresAt ? moment(expiresAt) : html`<span class="quiet">No expiry reported</span>`;
}
