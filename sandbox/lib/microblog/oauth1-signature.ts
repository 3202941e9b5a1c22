import type { Application } from '../clients.js';
import type { Credentials } from '../grants.js';
import { type NetworkRequest, queryAndForm } from '../request.js';
import { secretsEqual } from '../secrets.js';
import type { World } from '../world.js';

/** Which part of a signed request is wrong. */
export type SignatureProblem =
  | 'parameters'
  | 'token twice'
  | 'client'
  | 'timestamp'
  | 'token'
  | 'nonce'
  | 'signature';

/** A request without a valid OAuth 1.0a signature. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';

  /** @param message - Reason for the request log; holds no value of the request. */
  constructor(
    readonly problem: SignatureProblem,
    message: string,
  ) {
    super(message);
  }
}

/** Parameters of a request, from header, query and form together. */
export type SignedParameters = ReadonlyMap<string, string>;

/** A request or access token with its secret; the secret is `''` for a request that needs no token. */
export interface TokenWithSecret {
  readonly secret: string;
}

/** A request whose signature is valid. */
export interface Signed<T extends TokenWithSecret> {
  readonly parameters: SignedParameters;
  readonly token: T;
  /** What the network may refuse about the request all the same. */
  readonly doubt?: SignatureError;
}

const TOLERANCE_SECONDS = 300;

/**
 * Verifies OAuth 1.0a signatures: HMAC-SHA1, a timestamp within five minutes, no repeated nonce or parameter.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5849#section-3.2
 */
export class SignatureVerifier {
  private readonly nonces: Credentials<true>;

  constructor(
    private readonly world: World,
    private readonly consumer: Application,
  ) {
    this.nonces = world.credentials();
  }

  /**
   * Verifies the signature of a request.
   *
   * @param findToken - Looks up the value of `oauth_token`.
   * @throws SignatureError naming what is wrong.
   */
  verify<T extends TokenWithSecret>(
    request: NetworkRequest,
    findToken: (token: string | undefined) => T | undefined,
  ): Signed<T> {
    const { parameters, doubt } = signedParameters(request);
    this.checkProtocol(parameters);
    this.checkTimestamp(parameters.get('oauth_timestamp'));
    const token = findToken(parameters.get('oauth_token'));
    if (!token) throw new SignatureError('token', 'oauth_token is not valid for this request');
    const { oauth_signature: signature, ...signed } = Object.fromEntries(parameters);
    const secret = this.consumer.secret ?? '';
    const expected = hmacSha1Signature(request.method, request.url, signed, secret, token.secret);
    if (!secretsEqual(signature, expected)) {
      throw new SignatureError('signature', 'oauth_signature does not match the request');
    }
    this.useNonce(parameters);
    return { parameters, token, ...(doubt && { doubt }) };
  }

  private checkProtocol(parameters: SignedParameters): void {
    for (const name of ['oauth_consumer_key', 'oauth_signature', 'oauth_nonce', 'oauth_timestamp']) {
      if (!parameters.get(name)) throw new SignatureError('parameters', `${name} is missing or empty`);
    }
    if (parameters.get('oauth_signature_method') !== 'HMAC-SHA1') {
      throw new SignatureError('parameters', 'oauth_signature_method is not "HMAC-SHA1"');
    }
    if (!['1.0', undefined].includes(parameters.get('oauth_version'))) {
      throw new SignatureError('parameters', 'oauth_version is not "1.0"');
    }
    if (parameters.get('oauth_consumer_key') !== this.consumer.id) {
      throw new SignatureError('client', "oauth_consumer_key is not the sandbox's consumer key");
    }
  }

  private checkTimestamp(timestamp: string | undefined): void {
    const seconds = /^\d{1,15}$/.test(timestamp ?? '') ? Number(timestamp) : Number.NaN;
    if (Math.abs(seconds - this.world.clock.now() / 1000) <= TOLERANCE_SECONDS) return;
    throw new SignatureError(
      'timestamp',
      "oauth_timestamp is not within five minutes of the sandbox's clock",
    );
  }

  /** Stores the nonce for as long as its timestamp would be accepted. */
  private useNonce(parameters: SignedParameters): void {
    const nonce = parameters.get('oauth_nonce') ?? '';
    if (!/^[\x21-\x7e]+$/.test(nonce)) throw new SignatureError('nonce', 'oauth_nonce is not plain ASCII');
    const key = `${parameters.get('oauth_timestamp')} ${parameters.get('oauth_token') ?? ''} ${nonce}`;
    if (this.nonces.find(key).state !== 'unknown') {
      throw new SignatureError('nonce', 'oauth_nonce was used before');
    }
    this.nonces.issue(key, true, 2 * TOLERANCE_SECONDS);
  }
}

/** The function that the sandbox uses of `oauth-sign`, which has no type declarations. */
interface OauthSign {
  hmacsign(
    method: string,
    url: string,
    parameters: Readonly<Record<string, string>>,
    consumerSecret: string,
    tokenSecret: string,
  ): string;
}

const oauthSign: OauthSign = require('oauth-sign');

/**
 * HMAC-SHA1 signature of a request, in base64.
 *
 * @param url - Without its query.
 * @param parameters - Query, form and `oauth_*` parameters, decoded, without `oauth_signature`.
 * @see https://www.rfc-editor.org/rfc/rfc5849#section-3.4.2
 */
export function hmacSha1Signature(
  method: string,
  url: string,
  parameters: Readonly<Record<string, string>>,
  consumerSecret: string,
  tokenSecret: string,
): string {
  return oauthSign.hmacsign(method, url, parameters, consumerSecret, tokenSecret);
}

/** Whether a request has an OAuth 1.0a signature, valid or not. */
export function isSigned(request: NetworkRequest): boolean {
  return /^OAuth\s/i.test(request.authorization ?? '') || queryAndForm(request).has('oauth_signature');
}

function signedParameters(request: NetworkRequest): Pick<Signed<TokenWithSecret>, 'parameters' | 'doubt'> {
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
    if (name !== undefined && value !== undefined) {
      return [decodeURIComponent(name), decodeURIComponent(value)];
    }
  } catch {
    throw new SignatureError('parameters', 'the Authorization header is not percent-encoded');
  }
  throw new SignatureError('parameters', 'the Authorization header is not a list of name="value" pairs');
}
