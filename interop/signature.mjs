// OAuth 1.0a signatures cover the URL, and the relay (rewrite.mjs) changes it. So it verifies the signature that the client made for the
// network's URL, and makes the same one for the sandbox's URL. A wrong signature stays wrong.
import { createRequire } from 'node:module';

/** @type {{ hmacsign: (method: string, url: string, parameters: Record<string, string[]>, ...secrets: [consumer: string, token: string]) => string }} */
const { hmacsign } = createRequire(import.meta.url)('oauth-sign');

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

  /** The consumer's secret and the token's. @param {Pairs} pairs @returns {[consumer: string, token: string]} */
  secretsOf(pairs) {
    const token = pairs.find(([name]) => name === 'oauth_token')?.[1] ?? '';
    return [this.consumer.secret, this.tokens.get(token) ?? ''];
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
  const used = secrets.secretsOf(all);
  const signed = all.filter(([name]) => name !== 'oauth_signature');
  // Some clients send a parameter twice, in the header and in the query, but sign it once.
  const variants = [signed, [...new Map(signed)]];
  const right = variants.find((pairs) => signature(sent.method, `${origin}${path}`, pairs, used) === given);
  if (right === undefined) return sent;
  const signedAgain = encode(signature(sent.method, `${base}${path}`, right, used));
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

/** The signature of a request as oauth-sign makes it, which gives a repeated name a list. @param {string} method @param {string} url - Without its query. @param {Pairs} pairs @param {readonly [consumer: string, token: string]} secrets */
function signature(method, url, pairs, secrets) {
  /** @type {Record<string, string[]>} */
  const parameters = {};
  for (const [name, value] of pairs) parameters[name] = [...(parameters[name] ?? []), value];
  return hmacsign(method, url, parameters, ...secrets);
}

/** @param {string} text */
const encode = (text) =>
  encodeURIComponent(text).replace(
    /[!*'()]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** @param {string} form @returns {Pairs} */
const pairsOf = (form) => [...new URLSearchParams(form)];

/** @param {string} [authorization] @returns {Pairs} */
function headerPairs(authorization = '') {
  if (!/^OAuth\s/i.test(authorization)) return [];
  return [...authorization.matchAll(/([\w.~%-]+)="([^"]*)"/g)]
    .map(
      ([, name = '', value = '']) =>
        /** @type {const} */ ([decodeURIComponent(name), decodeURIComponent(value)]),
    )
    .filter(([name]) => name !== 'realm');
}
