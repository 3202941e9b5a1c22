import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** Random string of `[A-Za-z0-9_-]`. */
export function randomString(length: number): string {
  return randomBytes(length).toString('base64url').slice(0, length);
}

/** Random string of lower-case hexadecimal digits. */
export function randomHex(length: number): string {
  return randomBytes(length).toString('hex').slice(0, length);
}

/** Random string of decimal digits. */
export function randomDigits(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join('');
}

/** Compares two secrets in constant time, by their digests, so that their lengths do not matter. */
export function secretsEqual(actual: string | undefined, expected: string): boolean {
  return actual !== undefined && timingSafeEqual(digest(actual), digest(expected));
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
