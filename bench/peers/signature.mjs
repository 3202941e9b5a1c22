import { createHmac } from 'node:crypto';
import { CLIENT_SECRET } from './subjects.mjs';

/**
 * The signature that a request must carry (RFC 5849 section 3.4), with the token secret that belongs to its token.
 *
 * @param {import('./fake-network.mjs').Call} call
 * @param {string} server Its origin.
 */
export function signatureOf({ method, url, form, signed }, server) {
  const { origin, pathname, searchParams } = new URL(url, server);
  const own = Object.entries(signed).filter(([name]) => name !== 'oauth_signature' && name !== 'realm');
  const pairs = [...searchParams, ...form, ...own];
  const sorted = pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort();
  const base = [method, `${origin}${pathname}`, sorted.join('&')].map(encoded).join('&');
  const key = `${encoded(CLIENT_SECRET)}&${encoded(`secret-of-${signed.oauth_token}`)}`;
  return createHmac('sha1', key).update(base).digest('base64');
}

/** @param {string} text */
function encoded(text) {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
