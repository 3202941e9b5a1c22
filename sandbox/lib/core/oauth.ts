import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** Whether a host name, as `URL` spells it, is this machine. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** Whether only this machine can reach a server that listens on an address or name. */
export const isLocalAddress = (host: string): boolean => isLoopback(host.includes(':') ? `[${host}]` : host);

/** @returns Why it is invalid. Characters that URL parsers disagree about are rejected. */
export function redirectUriProblem(redirectUri: string | undefined): string | undefined {
  if (!redirectUri) return 'redirect_uri is missing, empty or given twice';
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(redirectUri) || !URL.canParse(redirectUri))
    return 'redirect_uri is no absolute http or https address';
  const url = new URL(redirectUri);
  if (redirectUri.includes('#')) return 'redirect_uri has a fragment';
  if (redirectUri.includes('\\') || url.username || url.password) return 'redirect_uri hides its host';
  return undefined;
}

/** Why a valid redirect URI is unsafe: plain http beyond this machine; `undefined` for a safe one. */
export function plainHttpProblem(redirectUri: string): string | undefined {
  const { protocol, hostname } = new URL(redirectUri);
  if (protocol !== 'http:' || isLoopback(hostname)) return undefined;
  return 'redirect_uri is plain http beyond this machine';
}

/** Adds the parameters of an authorization response to a redirect URI, whose own query stays as it is. Skips `undefined`. */
export function withParameters(
  redirectUri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(given).toString()}`;
}

/** How a network encodes the SHA-256 digest of a code verifier. */
export type ChallengeEncoding = 'hex' | 'base64url';

/** The form of RFC 7636, section 4.1. */
export const isVerifier = (verifier: string | undefined): verifier is string =>
  /^[A-Za-z0-9._~-]{43,128}$/.test(verifier ?? '');

/** RFC 7636, section 4.6, for a verifier of any form. */
export function verifierMatches(
  verifier: string | undefined,
  challenge: string,
  encoding: ChallengeEncoding,
): boolean {
  if (verifier === undefined) return false;
  return secretsEqual(createHash('sha256').update(verifier).digest(encoding), challenge);
}

/** Random string of `[A-Za-z0-9_-]`. */
export const randomString = (length: number): string =>
  randomBytes(length).toString('base64url').slice(0, length);

export const randomHex = (length: number): string => randomBytes(length).toString('hex').slice(0, length);

export const randomDigits = (length: number): string => Array.from({ length }, () => randomInt(10)).join('');

/** Compares two secrets in constant time, by their digests, so that their lengths do not matter. */
export const secretsEqual = (actual: string | undefined, expected: string): boolean =>
  actual !== undefined && timingSafeEqual(digest(actual), digest(expected));

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest();
