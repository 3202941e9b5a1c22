import { sameText, sha256 } from './secrets.js';

/** How a network spells the SHA-256 of a code verifier. */
export type ChallengeEncoding = 'hex' | 'base64url';

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/**
 * Whether a code verifier is well formed and leads to the challenge of the authorization request.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7636#section-4.6
 */
export function provesChallenge(
  verifier: string | undefined,
  challenge: string,
  encoding: ChallengeEncoding,
): boolean {
  return verifier !== undefined && VERIFIER.test(verifier) && sameText(sha256(verifier, encoding), challenge);
}
