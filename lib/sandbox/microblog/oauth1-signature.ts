import type { Application } from '../applications.js';
import { type Call, queryAndForm } from '../call.js';
import type { Credentials } from '../grants.js';
import { sameText } from '../secrets.js';
import type { World } from '../world.js';
import { hmacSha1Signature } from './oauth-sign.js';

/** What is wrong with a signed request: its parameters, its client, its time, its token, its nonce or its signature. */
export type SignatureFault = 'parameters' | 'client' | 'timestamp' | 'token' | 'nonce' | 'signature';

/** A request that is not signed as OAuth 1.0a wants it. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';

  /** @param message - In plain words; holds no value of the request. */
  constructor(
    readonly fault: SignatureFault,
    message: string,
  ) {
    super(message);
  }
}

/** Parameters of a request, from header, query and form together. */
export type SignedParameters = ReadonlyMap<string, string>;

/** What a token stands for, with its secret; `''` for a request without a token. */
export interface TokenHolder {
  readonly secret: string;
}

/** A request whose signature is good. */
export interface Signed<T extends TokenHolder> {
  readonly parameters: SignedParameters;
  readonly holder: T;
}

const TOLERANCE_SECONDS = 300;

/**
 * Judges OAuth 1.0a signatures: HMAC-SHA1, a clock within five minutes, no nonce twice, no parameter twice.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5849#section-3.2
 */
export class SignatureCheck {
  private readonly nonces: Credentials<true>;

  constructor(
    private readonly world: World,
    private readonly consumer: Application,
  ) {
    this.nonces = world.credentials();
  }

  /**
   * Checks a request.
   *
   * @param holderOf - Finds what the request's token stands for, and the secret that goes with it.
   * @throws SignatureError naming what is wrong.
   */
  verify<T extends TokenHolder>(
    call: Call,
    holderOf: (token: string | undefined) => T | undefined,
  ): Signed<T> {
    const parameters = signedParameters(call);
    this.checkProtocol(parameters);
    this.checkTimestamp(parameters.get('oauth_timestamp'));
    const holder = holderOf(parameters.get('oauth_token'));
    if (!holder) throw new SignatureError('token', 'oauth_token is not one that holds');
    const { oauth_signature: signature, ...signed } = Object.fromEntries(parameters);
    const secret = this.consumer.secret ?? '';
    const expected = hmacSha1Signature(call.method, call.address, signed, secret, holder.secret);
    if (!sameText(signature, expected)) {
      throw new SignatureError('signature', 'oauth_signature does not fit the request');
    }
    this.spendNonce(parameters);
    return { parameters, holder };
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
      throw new SignatureError('client', 'oauth_consumer_key is no consumer of the sandbox');
    }
  }

  private checkTimestamp(timestamp: string | undefined): void {
    const seconds = /^\d{1,15}$/.test(timestamp ?? '') ? Number(timestamp) : Number.NaN;
    if (Math.abs(seconds - this.world.clock.now() / 1000) <= TOLERANCE_SECONDS) return;
    throw new SignatureError('timestamp', 'oauth_timestamp is no time within five minutes of the clock');
  }

  /** A nonce is remembered for as long as its timestamp could pass. */
  private spendNonce(parameters: SignedParameters): void {
    const nonce = parameters.get('oauth_nonce') ?? '';
    if (!/^[\x21-\x7e]+$/.test(nonce)) throw new SignatureError('nonce', 'oauth_nonce is not plain ASCII');
    const key = `${parameters.get('oauth_timestamp')} ${parameters.get('oauth_token') ?? ''} ${nonce}`;
    if (this.nonces.find(key).state !== 'unknown') {
      throw new SignatureError('nonce', 'oauth_nonce was used before');
    }
    this.nonces.issue(key, true, 2 * TOLERANCE_SECONDS);
  }
}

/** Whether a request claims to be signed by OAuth 1.0a. */
export function isSigned(call: Call): boolean {
  return /^OAuth\s/i.test(call.authorization ?? '') || queryAndForm(call).has('oauth_signature');
}

function signedParameters(call: Call): SignedParameters {
  const pairs = [...headerParameters(call.authorization ?? ''), ...queryAndForm(call).entries()];
  const parameters = new Map(pairs);
  if (parameters.size < pairs.length) throw new SignatureError('parameters', 'a parameter is given twice');
  return parameters;
}

function headerParameters(authorization: string): (readonly [string, string])[] {
  const list = /^OAuth\s+(.*)$/i.exec(authorization)?.[1];
  if (list === undefined) return [];
  return list
    .split(/\s*,\s*/)
    .map(headerParameter)
    .filter(([name]) => name !== 'realm');
}

function headerParameter(text: string): readonly [string, string] {
  const [, name, value] = /^([A-Za-z0-9_.~%-]+)="([^"]*)"$/.exec(text) ?? [];
  try {
    if (name !== undefined && value !== undefined) {
      return [decodeURIComponent(name), decodeURIComponent(value)];
    }
  } catch {
    throw new SignatureError('parameters', 'the Authorization header is not percent-encoded');
  }
  throw new SignatureError('parameters', 'the Authorization header is no list of name="value"');
}
