import { createHash } from 'node:crypto';
import { secretsEqual } from './secrets.js';

/** How a network encodes the SHA-256 digest of a code verifier. */
export type ChallengeEncoding = 'hex' | 'base64url';

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/**
 * Whether a code verifier is well formed and matches the `S256` challenge of the authorization request.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7636#section-4.6
 */
export function verifierMatches(
  verifier: string | undefined,
  challenge: string,
  encoding: ChallengeEncoding,
): boolean {
  if (verifier === undefined || !VERIFIER.test(verifier)) return false;
  return secretsEqual(createHash('sha256').update(verifier).digest(encoding), challenge);
}
