import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The form of RFC 7636, section 4.1. */
export const isVerifier = (verifier: string | undefined): verifier is string =>
  /^[A-Za-z0-9._~-]{43,128}$/.test(verifier ?? '');

/** RFC 7636, section 4.6, for a verifier of any form. @param encoding - How the network encodes its SHA-256. */
export const verifierMatches = (
  verifier: string | undefined,
  challenge: string,
  encoding: 'hex' | 'base64url',
): boolean => verifier !== undefined && secretsEqual(digest(verifier).toString(encoding), challenge);

export const randomString = (length: number, encoding: 'hex' | 'base64url' = 'base64url'): string =>
  randomBytes(length).toString(encoding).slice(0, length);

/** Compares two secrets in constant time, by their digests, so that their lengths do not matter. */
export const secretsEqual = (actual: string | undefined, expected: string): boolean =>
  actual !== undefined && timingSafeEqual(digest(actual), digest(expected));

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** The URL is without its query, the parameters are decoded and without `oauth_signature` (RFC 5849, section 3.4.2). */
export const hmacSha1Signature: (
  ...parts: [method: string, url: string, parameters: object, clientSecret: string, tokenSecret: string]
) => string = require('oauth-sign').hmacsign;
