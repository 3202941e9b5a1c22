import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * A new unguessable text of 43 letters, digits, `-` and `_` (256 bits): for states and code verifiers.
 *
 * The social network wants at least 32 such characters and no others, the microblog network at most 500.
 * @see RFC 6749 section 10.10, RFC 7636 section 7.1
 */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** How a network wants the SHA-256 of the code verifier to be written. The standard says base64url. */
export type ChallengeEncoding = 'base64url' | 'hex';

/** The S256 code challenge of a verifier. @see RFC 7636 section 4.2 */
export function codeChallenge(verifier: string, encoding: ChallengeEncoding): string {
  return hash('sha256', verifier, encoding);
}

/** The SHA-256 of several texts, so that no two lists of texts give one digest. 43 characters, base64url. */
export function digestOf(...texts: string[]): string {
  return hash('sha256', JSON.stringify(texts), 'base64url');
}

/** Compares two texts in a time that does not depend on where they differ. */
export function equalSecrets(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}
