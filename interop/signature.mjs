// OAuth 1.0a signatures cover the URL, and the relay (rewrite.mjs) changes it. So it verifies the signature that the client made for the
// network's URL, and makes the same one for the sandbox's URL. A wrong signature stays wrong.
import { createHmac } from 'node:crypto';

/** @typedef {readonly (readonly [string, string])[]} Pairs */
/** @typedef {{ method: string, url: string, headers: import('node:http').IncomingHttpHeaders, body: Buffer }} Sent - `url` is a path with its query. */

/** The secrets that sign requests. */
export class SecretStore {
  /** Token -> its secret. @type {Map<string, string>} */
  tokens = new Map();

  /** @param {{ id: string, secret: string }} consumer */
  constructor(consumer) {
    this.consumer = consumer;
  }

  /** Keeps the token and the secret of a response that has both. @param {Buffer} body */
  learn(body) {
    const form = new URLSearchParams(body.toString());
    const [token, secret] = [form.get('oauth_token'), form.get('oauth_token_secret')];
    if (token !== null && secret !== null) this.tokens.set(token, secret);
  }

  /** The signing key. @param {Pairs} pairs */
  keyFor(pairs) {
    const token = pairs.find(([name]) => name === 'oauth_token')?.[1] ?? '';
    return `${encode(this.consumer.secret)}&${encode(this.tokens.get(token) ?? '')}`;
  }
}

/**
 * A request as the sandbox should get it: with the signature for its own URL, if the client's signature is right.
 *
 * @param {Sent & { origin: string }} sent
 * @param {string} base - What the sandbox puts before the network's path.
 * @param {SecretStore} secrets
 * @returns {Sent}
 */
export function resigned({ origin, ...sent }, base, secrets) {
  const [path = '', query = ''] = sent.url.split('?');
  const { authorization, 'content-type': type = '' } = sent.headers;
  const isForm = type.startsWith('application/x-www-form-urlencoded');
  const all = [
    ...headerPairs(authorization),
    ...pairsOf(query),
    ...(isForm ? pairsOf(sent.body.toString()) : []),
  ];
  const given = all.find(([name]) => name === 'oauth_signature')?.[1];
  if (given === undefined) return sent;
  const key = secrets.keyFor(all);
  const signed = all.filter(([name]) => name !== 'oauth_signature');
  // Some clients send a parameter twice, in the header and in the query, but sign it once.
  const variants = [signed, [...new Map(signed)]];
  const used = variants.find((pairs) => signature(sent.method, `${origin}${path}`, pairs, key) === given);
  if (used === undefined) return sent;
  const signedAgain = encode(signature(sent.method, `${base}${path}`, used, key));
  const inForm = (/** @type {string} */ form) =>
    form.replace(/(^|&)oauth_signature=[^&]*/, `$1oauth_signature=${signedAgain}`);
  return {
    method: sent.method,
    url: query === '' ? path : `${path}?${inForm(query)}`,
    headers: {
      ...sent.headers,
      ...(authorization !== undefined && {
        authorization: authorization.replace(/oauth_signature="[^"]*"/, `oauth_signature="${signedAgain}"`),
      }),
    },
    body: isForm ? Buffer.from(inForm(sent.body.toString())) : sent.body,
  };
}

/**
 * @see https://www.rfc-editor.org/rfc/rfc5849#section-3.4
 *
 * @param {string} method
 * @param {string} url - Without its query.
 * @param {Pairs} pairs
 * @param {string} key
 */
export function signature(method, url, pairs, key) {
  const normalized = pairs
    .map(([name, value]) => [encode(name), encode(value)])
    .sort(([a = '', x = ''], [b = '', y = '']) => compare(a, b) || compare(x, y))
    .map((pair) => pair.join('='))
    .join('&');
  const base = [method.toUpperCase(), url, normalized].map(encode).join('&');
  return createHmac('sha1', key).update(base).digest('base64');
}

/** By bytes, not by the rules of a language. @param {string} a @param {string} b */
export const compare = (a, b) => (a < b ? -1 : Number(a > b));

/** @param {string} text */
export const encode = (text) =>
  encodeURIComponent(text).replace(
    /[!*'()]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** @param {string} form @returns {Pairs} */
const pairsOf = (form) => [...new URLSearchParams(form)];

/** @param {string} [authorization] @returns {Pairs} */
export function headerPairs(authorization = '') {
  if (!/^OAuth\s/i.test(authorization)) return [];
  return [...authorization.matchAll(/([\w.~%-]+)="([^"]*)"/g)]
    .map(
      ([, name = '', value = '']) =>
        /** @type {const} */ ([decodeURIComponent(name), decodeURIComponent(value)]),
    )
    .filter(([name]) => name !== 'realm');
}
