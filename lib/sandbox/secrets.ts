import { createHash, type Hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Random text of `[A-Za-z0-9_-]`. */
export function randomText(length: number): string {
  return randomBytes(length).toString('base64url').slice(0, length);
}

/** Random text of lower-case hexadecimal digits. */
export function randomHex(length: number): string {
  return randomBytes(length).toString('hex').slice(0, length);
}

/** SHA-256 digest of a PKCE verifier, in the encoding that the network compares. */
export function sha256(text: string, encoding: 'hex' | 'base64url'): string {
  return digest(text).digest(encoding);
}

/** Compares in constant time, over digests so that texts of different lengths take as long as equal ones. */
export function sameText(one: string | undefined, other: string): boolean {
  return one !== undefined && timingSafeEqual(digest(one).digest(), digest(other).digest());
}

function digest(text: string): Hash {
  return createHash('sha256').update(text);
}
