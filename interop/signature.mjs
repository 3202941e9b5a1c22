// OAuth 1.0a signatures cover the URL, and the relay (rewrite.mjs) changes it. So it verifies the signature that the client made for the
// network's URL, and makes the same one for the sandbox's URL. A wrong signature stays wrong.
import { createRequire } from 'node:module';

/** @type {{ hmacsign: (method: string, url: string, parameters: Record<string, string[]>, ...secrets: [consumer: string, token: string]) => string }} */
const { hmacsign } = createRequire(import.meta.url)('oauth-sign');

/** @typedef {{ method: string, url: string, headers: import('node:http').IncomingHttpHeaders, body: Buffer }} Sent - `url` is a path with its query. */

/**
 * A request as the sandbox should get it: with the signature for its own URL, if the client's signature is right.
 *
 * @param {Sent} sent
 * @param {string} base - What the sandbox puts before the network's path.
 * @param {string} consumerSecret
 * @param {ReadonlyMap<string, string>} tokenSecrets
 * @returns {Sent}
 */
export function resigned(sent, base, consumerSecret, tokenSecrets) {
  const { method, url, headers, body } = sent;
  const [path = '', query = ''] = url.split('?');
  const { authorization = '', 'content-type': type = '' } = headers;
  const form = type.startsWith('application/x-www-form-urlencoded') ? body.toString() : '';
  const listed = /^OAuth\s/i.test(authorization) ? authorization.matchAll(/([\w.~%-]+)="([^"]*)"/g) : [];
  const all = [
    ...Array.from(listed, ([, name = '', value = '']) => [name, decodeURIComponent(value)]),
    ...new URLSearchParams(query),
    ...new URLSearchParams(form),
  ];
  const { oauth_signature: given, oauth_token: token = '' } = Object.fromEntries(all);
  const signed = all.filter(([name = '']) => !/^(oauth_signature|realm)$/.test(name));
  /** As oauth-sign makes it, which gives a repeated name a list. @param {string} place @param {string[][]} pairs */
  const signature = (place, pairs) => {
    /** @type {Record<string, string[]>} */
    const parameters = {};
    for (const [name = '', value = ''] of pairs) parameters[name] = [...(parameters[name] ?? []), value];
    return hmacsign(method, `${place}${path}`, parameters, consumerSecret, tokenSecrets.get(token) ?? '');
  };
  // Some clients send a parameter twice, in the header and in the query, but sign it once.
  const variants = [signed, Object.entries(Object.fromEntries(signed))];
  const right = variants.find((pairs) => signature(`https://${headers.host}`, pairs) === given);
  if (right === undefined) return sent;
  const again = encodeURIComponent(signature(base, right));
  const replaced = (/** @type {string} */ text) => text.replace(/(oauth_signature="?)[^"&]*/, `$1${again}`);
  return {
    method,
    url: replaced(url),
    headers: { ...headers, ...(authorization && { authorization: replaced(authorization) }) },
    body: form === '' ? body : Buffer.from(replaced(form)),
  };
}
