import { createHash } from 'node:crypto';
import { secretsEqual } from './secrets.js';

/** How a network encodes the SHA-256 digest of a code verifier. */
export type ChallengeEncoding = 'hex' | 'base64url';

/**
 * Whether a code verifier has the form of RFC 7636.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7636#section-4.1
 */
export function isVerifier(verifier: string | undefined): verifier is string {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(verifier ?? '');
}

/**
 * Whether a code verifier, of any form, matches the `S256` challenge of the authorization request.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7636#section-4.6
 */
export function verifierMatches(
  verifier: string | undefined,
  challenge: string,
  encoding: ChallengeEncoding,
): boolean {
  if (verifier === undefined) return false;
  return secretsEqual(createHash('sha256').update(verifier).digest(encoding), challenge);
}
