import type { Application, Signature } from '../core/clients.js';
import { type ErrorResponse, type NetworkRequest, queryAndForm } from '../core/http.js';
import { secretsEqual } from '../core/secrets.js';
import type { World } from '../core/world.js';
import { BELIEFS } from './beliefs.js';
import { SignatureError } from './error-responses.js';

/** How far `oauth_timestamp` may be off. */
const TOLERANCE_SECONDS = 300;

/** A request or access token with its secret; the secret is `''` for a request that needs no token. */
export interface TokenWithSecret {
  readonly secret: string;
}

/** Parameters of a request, from header, query and form together. */
type SignedParameters = ReadonlyMap<string, string>;

/** Looks the value of `oauth_token` up with its last argument, and throws what `respond` makes of a mistake. */
export function signatureVerifier(world: World, consumer: Application) {
  const nonces = world.credentials<true>();
  const now = () => world.clock.now() / 1000;

  /** Stores the nonce for as long as its timestamp would be accepted. */
  function useNonce(parameters: SignedParameters): void {
    const nonce = parameters.get('oauth_nonce') ?? '';
    if (!/^[\x21-\x7e]+$/.test(nonce)) throw new SignatureError('nonce', 'oauth_nonce is not plain ASCII');
    const key = `${parameters.get('oauth_timestamp')} ${parameters.get('oauth_token') ?? ''} ${nonce}`;
    if (nonces.find(key).state !== 'unknown')
      throw new SignatureError('nonce', 'oauth_nonce was used before');
    nonces.issue(key, true, 2 * TOLERANCE_SECONDS);
  }

  return function verify<T extends TokenWithSecret>(
    request: NetworkRequest,
    respond: (error: SignatureError) => ErrorResponse,
    findToken: (token: string | undefined) => T | undefined,
  ): { readonly parameters: SignedParameters; readonly token: T } {
    try {
      request.notes.keeps(BELIEFS.signedParameters, BELIEFS.consumer, BELIEFS.timestamp);
      const { parameters, doubt } = signedParameters(request);
      checkProtocol(parameters, consumer, now());
      const token = findToken(parameters.get('oauth_token'));
      request.notes.keeps(BELIEFS.signature, BELIEFS.nonce);
      if (!token) throw new SignatureError('token', 'oauth_token is not valid for this request');
      const { oauth_signature: signature, ...signed } = Object.fromEntries(parameters);
      const { method, url, notes } = request;
      const expected = hmacSha1Signature(method, url, signed, consumer.secret ?? '', token.secret);
      if (!secretsEqual(signature, expected))
        throw new SignatureError('signature', 'oauth_signature does not match the request');
      useNonce(parameters);
      if (doubt) notes.refuseOrNote(respond(doubt));
      return { parameters, token };
    } catch (error) {
      throw error instanceof SignatureError ? respond(error) : error;
    }
  };
}

function checkProtocol(parameters: SignedParameters, consumer: Application, now: number): void {
  for (const name of ['oauth_consumer_key', 'oauth_signature', 'oauth_nonce', 'oauth_timestamp']) {
    if (!parameters.get(name)) throw new SignatureError('parameters', `${name} is missing or empty`);
  }
  if (parameters.get('oauth_signature_method') !== 'HMAC-SHA1')
    throw new SignatureError('parameters', 'oauth_signature_method is not "HMAC-SHA1"');
  if (!['1.0', undefined].includes(parameters.get('oauth_version')))
    throw new SignatureError('parameters', 'oauth_version is not "1.0"');
  if (parameters.get('oauth_consumer_key') !== consumer.id)
    throw new SignatureError('client', "oauth_consumer_key is not the sandbox's consumer key");
  const timestamp = parameters.get('oauth_timestamp') ?? '';
  const seconds = /^\d{1,15}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (Math.abs(seconds - now) <= TOLERANCE_SECONDS) return;
  throw new SignatureError('timestamp', "oauth_timestamp is not within five minutes of the sandbox's clock");
}

const oauthSign: { readonly hmacsign: Signature } = require('oauth-sign');

/** The URL is without its query, the parameters are decoded and without `oauth_signature` (RFC 5849, section 3.4.2). */
export const hmacSha1Signature: Signature = (...request) => oauthSign.hmacsign(...request);

/** Whether a request has an OAuth 1.0a signature, valid or not. */
export const isSigned = (request: NetworkRequest): boolean =>
  /^OAuth\s/i.test(request.authorization ?? '') || queryAndForm(request).has('oauth_signature');

/** The parameters of a signed request, and what the network may refuse about them all the same. */
function signedParameters(request: NetworkRequest): {
  readonly parameters: SignedParameters;
  readonly doubt?: SignatureError;
} {
  const header = headerParameters(request.authorization ?? '');
  const [, token] = header.find(([name]) => name === 'oauth_token') ?? [];
  const elsewhere = queryAndForm(request).entries();
  const others = elsewhere.filter(([name, value]) => name !== 'oauth_token' || value !== token);
  const pairs = [...header, ...others];
  const parameters = new Map(pairs);
  if (parameters.size < pairs.length) throw new SignatureError('parameters', 'a parameter is given twice');
  if (others.length === elsewhere.length) return { parameters };
  const doubt = new SignatureError('token twice', 'oauth_token is in the header and again in query or body');
  return { parameters, doubt };
}

function headerParameters(authorization: string): (readonly [string, string])[] {
  const list = /^OAuth\s+(.*)$/i.exec(authorization)?.[1];
  if (list === undefined) return [];
  return list
    .split(/\s*,\s*/)
    .map(headerParameter)
    .filter(([name]) => name !== 'realm');
}

function headerParameter(pair: string): readonly [string, string] {
  const [, name, value] = /^([A-Za-z0-9_.~%-]+)="([^"]*)"$/.exec(pair) ?? [];
  try {
    if (name !== undefined && value !== undefined)
      return [decodeURIComponent(name), decodeURIComponent(value)];
  } catch {
    throw new SignatureError('parameters', 'the Authorization header is not percent-encoded');
  }
  throw new SignatureError('parameters', 'the Authorization header is not a list of name="value" pairs');
}
