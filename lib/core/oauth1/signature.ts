import { createHmac, randomBytes } from 'node:crypto';
import { encodePairs, type Form, percentEncode } from '../http/index.js';

export interface TokenCredentials {
  readonly token?: string | undefined;
  readonly tokenSecret?: string | undefined;
}

/** The request as it will be sent. The signature covers exactly this. */
export interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly form?: Readonly<Record<string, string>> | undefined;
  /** Protocol parameters beyond the usual ones: `oauth_callback`, `oauth_verifier`. */
  readonly protocol?: Readonly<Record<string, string>> | undefined;
}

/**
 * Makes the `Authorization` headers of OAuth 1.0a requests, signed with HMAC-SHA1. No network here documents another method. A closure, so that
 * printing a strategy shows no secret.
 *
 * @see RFC 5849 sections 3.1 to 3.5
 * @see https://docs.x.com/fundamentals/authentication/oauth-1-0a/creating-a-signature (read 2026-11)
 */
export const signer =
  ({ consumerKey, consumerSecret }: { readonly consumerKey: string; readonly consumerSecret: string }) =>
  (
    request: SignedRequest,
    { token, tokenSecret = '' }: TokenCredentials = {},
    nonce = randomBytes(16).toString('hex'),
    now = Date.now(),
  ): string => {
    // `_oauth.post` puts in what a caller gives: it replaces nothing that belongs to the signature.
    const parameters = {
      ...request.protocol,
      oauth_consumer_key: consumerKey,
      oauth_nonce: nonce,
      oauth_signature_method: 'HMAC-SHA1',
      oauth_timestamp: String(Math.floor(now / 1_000)),
      oauth_token: token,
      oauth_version: '1.0',
    };
    const base = signatureBase(request, parameters);
    const key = `${percentEncode(consumerSecret)}&${percentEncode(tokenSecret)}`;
    const signature = createHmac('sha1', key).update(base).digest('base64');
    const fields = encodePairs([...Object.entries(parameters), ['oauth_signature', signature]]);
    return `OAuth ${fields.replaceAll('=', '="').replaceAll('&', '", ')}"`;
  };

/** The signature base string. @see RFC 5849 section 3.4.1; its example is in the tests */
export function signatureBase({ method, url, form = {} }: SignedRequest, parameters: Form): string {
  const { origin, pathname, searchParams } = new URL(url);
  const encoded = encodePairs([...searchParams, ...Object.entries(form), ...Object.entries(parameters)]);
  // Sorted by name, then by value, byte by byte. A blank, which encoded text lacks, sorts before every other character.
  const normalized = encoded.replaceAll('=', ' ').split('&').sort().join('&').replaceAll(' ', '=');
  return [method.toUpperCase(), percentEncode(origin + pathname), percentEncode(normalized)].join('&');
}
