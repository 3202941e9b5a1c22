import { hash, randomFillSync, timingSafeEqual } from 'node:crypto';

/**
 * A new unguessable text of 256 bits: 43 letters, digits, `-` and `_` for states and code verifiers, or 64 hexadecimal digits.
 *
 * The social network wants at least 32 such characters and no others, the microblog network at most 500.
 * @see RFC 6749 section 10.10, RFC 7636 section 7.1
 */
export function newSecret(encoding: 'base64url' | 'hex' = 'base64url'): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const end = used + SECRET_BYTES;
  const secret = pool.toString(encoding, used, end);
  // Nobody who reads the memory later finds a secret that is in use.
  pool.fill(0, used, end);
  used = end;
  return secret;
}

const SECRET_BYTES = 32;
// Random bytes for 64 secrets at once, as crypto.randomUUID takes them: asking for each took a tenth of a login.
const pool = Buffer.alloc(64 * SECRET_BYTES);
let used = pool.length;

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

/** Compares two texts in a time that does not depend on where they differ; texts of two lengths are never equal. */
export function equalSecrets(one: string, other: string): boolean {
  const [ours, theirs] = [Buffer.from(one), Buffer.from(other)];
  return ours.length === theirs.length && timingSafeEqual(ours, theirs);
}
