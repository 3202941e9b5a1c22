// @ts-check
import { html } from './html.js';

/**
 * Renders a user's picture, or the first letter of the name. Decorative, because the name is always next to it.
 *
 * @param {import('../networks/network.js').AccountProfile} profile
 * @param {'small' | 'large'} size
 */
export function picture({ displayName, photos }, size) {
  const url = photos?.[0]?.value;
  if (url) return html`<img class="picture ${size}" src="${url}" alt="">`;
  // The first grapheme, because a letter can be several code points.
  const [first] = new Intl.Segmenter('en').segment(displayName || '?');
  return html`<span class="picture ${size}" aria-hidden="true">${first?.segment ?? '?'}</span>`;
}

/** @param {import('../networks/network.js').Network['family']} family */
export function icon(family) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${SHAPES[family]}</svg>`;
}

/** Drawn for this example, because the networks restrict the use of their logos. */
const SHAPES = {
  'short-video': html`<path d="M6 3h12a3 3 0 0 1 3 3v12a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3Zm4 5v8l6-4Z"/>`,
  microblog: html`<path d="M4 4h16a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-8l-5 4v-4H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Zm2 4v2h12V8Zm0 4v2h8v-2Z"/>`,
  'social-network': html`<path d="M8 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8Zm8.5 1.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7ZM1 20c0-3.5 3-6 7-6s7 2.5 7 6v1H1Zm16 1v-1c0-2-.7-3.7-1.9-5 4.2-.5 7.9 1.5 7.9 5v1Z"/>`,
};
