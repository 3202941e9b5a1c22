import type { Application, Signature } from '../core/clients.js';
import { type Hold, type NetworkRequest, queryAndForm, type Refusal } from '../core/http.js';
import { secretsEqual } from '../core/secrets.js';
import type { World } from '../core/world.js';
import { BELIEFS } from './beliefs.js';

/** How far `oauth_timestamp` may be off. */
const TOLERANCE_SECONDS = 300;

const REQUIRED = ['oauth_consumer_key', 'oauth_signature', 'oauth_nonce', 'oauth_timestamp'];

/** A request or access token with its secret; the secret is `''` for a request that needs no token. */
export interface TokenWithSecret {
  readonly secret: string;
}

/** Looks the value of `oauth_token` up with its last argument. */
export function signatureVerifier(world: World, consumer: Application) {
  const nonces = world.credentials<object>();

  return function verify<T extends TokenWithSecret>(
    request: NetworkRequest,
    respond: Refusal,
    findToken: (token: string | undefined) => T | undefined,
  ) {
    const { method, url, notes } = request;
    const hold = notes.holdTo(respond);
    const { parameters, isTokenTwice } = signedParameters(request, hold);
    const value = (name: string): string => parameters.get(name) ?? '';
    for (const name of REQUIRED)
      hold(BELIEFS.signedParameters, value(name) === '' && `${name} is missing or empty`);
    const isHmac = value('oauth_signature_method') === 'HMAC-SHA1';
    hold(BELIEFS.signedParameters, !isHmac && 'oauth_signature_method is not "HMAC-SHA1"');
    const isVersion1 = ['1.0', undefined].includes(parameters.get('oauth_version'));
    hold(BELIEFS.signedParameters, !isVersion1 && 'oauth_version is not "1.0"');
    const isConsumer = value('oauth_consumer_key') === consumer.id;
    hold(BELIEFS.consumer, !isConsumer && "oauth_consumer_key is not the sandbox's consumer key");
    const timestamp = value('oauth_timestamp');
    const seconds = /^\d{1,15}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
    const isNear = Math.abs(seconds - world.clock.now() / 1000) <= TOLERANCE_SECONDS;
    hold(BELIEFS.timestamp, !isNear && "oauth_timestamp is not within five minutes of the sandbox's clock");
    const token = findToken(parameters.get('oauth_token'));
    if (!token) throw respond(BELIEFS.accessToken, 'oauth_token is not valid for this request');
    const { oauth_signature: signature, ...signed } = Object.fromEntries(parameters);
    const expected = hmacSha1Signature(method, url, signed, consumer.secret ?? '', token.secret);
    const isRight = secretsEqual(signature, expected);
    hold(BELIEFS.signature, !isRight && 'oauth_signature does not match the request');
    const nonce = value('oauth_nonce');
    hold(BELIEFS.nonce, !/^[\x21-\x7e]+$/.test(nonce) && 'oauth_nonce is not plain ASCII');
    const key = `${timestamp} ${value('oauth_token')} ${nonce}`;
    hold(BELIEFS.nonce, nonces.find(key).state !== 'unknown' && 'oauth_nonce was used before');
    // For as long as its timestamp would be accepted.
    nonces.issue(key, {}, 2 * TOLERANCE_SECONDS);
    hold(BELIEFS.tokenTwice, isTokenTwice && 'oauth_token is in the header and again in query or body');
    return { parameters, token };
  };
}

/** The URL is without its query, the parameters are decoded and without `oauth_signature` (RFC 5849, section 3.4.2). */
export const { hmacsign: hmacSha1Signature }: { readonly hmacsign: Signature } = require('oauth-sign');

/** From header, query and form together. The same `oauth_token` in the header and elsewhere counts once. */
function signedParameters(request: NetworkRequest, hold: Hold) {
  const [, list] = /^OAuth\s+(.*)$/i.exec(request.authorization ?? '') ?? [];
  const header = list === undefined ? [] : list.split(/\s*,\s*/).map((pair) => headerParameter(pair, hold));
  const [, token] = header.find(([name]) => name === 'oauth_token') ?? [];
  const elsewhere = queryAndForm(request).entries();
  const others = elsewhere.filter(([name, value]) => name !== 'oauth_token' || value !== token);
  const pairs = [...header.filter(([name]) => name !== 'realm'), ...others];
  const parameters: ReadonlyMap<string, string> = new Map(pairs);
  hold(BELIEFS.signedParameters, parameters.size < pairs.length && 'a parameter is given twice');
  return { parameters, isTokenTwice: others.length < elsewhere.length };
}

function headerParameter(pair: string, hold: Hold): readonly [string, string] {
  const [, name = '', value = ''] = /^([A-Za-z0-9_.~%-]+)="([^"]*)"$/.exec(pair) ?? [];
  const noPair = name === '' && 'the Authorization header is not a list of name="value" pairs';
  hold(BELIEFS.signedParameters, noPair);
  try {
    return [decodeURIComponent(name), decodeURIComponent(value)];
  } catch {
    hold(BELIEFS.signedParameters, 'the Authorization header is not percent-encoded');
    return ['', ''];
  }
}
