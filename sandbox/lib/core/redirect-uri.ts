import { parseURL } from './checks.js';
import type { Belief } from './evidence.js';
import { type Fields, type Hold, type NetworkResponse, redirect } from './http.js';

export const isLoopback = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);

export const isLoopbackHost = (host: string | undefined): boolean =>
  isLoopback(parseURL(`http://${host}`)?.hostname ?? '');

/** Whether only this machine can reach a server that listens on an address or name. */
export const isLocalAddress = (host: string): boolean => isLoopback(host.includes(':') ? `[${host}]` : host);

export function naming(problem: string, ...values: readonly string[]): string {
  const list = values.filter((value) => value !== '').join(', ');
  return list === '' ? problem : `${problem}: ${printable(list)}`;
}

/** What a client sent, for a terminal: no control character, and not too long. */
const printable = (text: string): string => text.slice(0, 600).replace(/\p{C}/gu, '�');

export const redirectUriDiffers = (now: string | undefined, before: string): string | false =>
  now !== before &&
  `redirect_uri differs from the authorization request: it was ${printable(before)}, now it is ${printable(now || 'missing')}`;

/** Where the authorization responses of the console's own logins arrive. */
export const CALLBACK_PATH = '/try/callback';

/** That a redirect URI is not registered, unless any is accepted, or it is the sandbox's own. @param endpoint - URL at which the sandbox got it. */
export function registrationProblem(
  name: string,
  redirectUri: string,
  registered: readonly string[] | undefined,
  endpoint: string,
): string | undefined {
  const isTrial = redirectUri === `${/^https?:\/\/[^/]+/.exec(endpoint)?.[0]}${CALLBACK_PATH}`;
  if (isTrial || registered?.includes(redirectUri) !== false) return undefined;
  const problem = naming(`${name} is not registered for the application`, redirectUri);
  return registered.length === 0 ? `${problem}; none is` : naming(`${problem}; registered`, ...registered);
}

/** @returns Why it is invalid. Characters that URL parsers disagree about are rejected. */
export function redirectUriProblem(redirectUri: string | undefined): string | undefined {
  if (!redirectUri) return 'redirect_uri is missing, empty or given twice';
  const url = /^https?:\/\/[\x21-\x7e]+$/i.test(redirectUri) ? parseURL(redirectUri) : undefined;
  if (!url) return naming('redirect_uri is no absolute http or https address', redirectUri);
  if (redirectUri.includes('#')) return naming('redirect_uri has a fragment', redirectUri);
  if (redirectUri.includes('\\') || url.username || url.password)
    return naming('redirect_uri hides its host', redirectUri);
  return undefined;
}

export function heldRedirectUri(
  hold: Hold,
  redirectUri: string | undefined,
  beliefs: Readonly<Record<'redirectUri' | 'redirectUriHttps', Belief>>,
): string {
  hold(beliefs.redirectUri, redirectUriProblem(redirectUri));
  const { protocol, hostname = '' } = parseURL(redirectUri ?? '') ?? {};
  const plain = naming('redirect_uri is plain http beyond this machine', redirectUri ?? '');
  hold(beliefs.redirectUriHttps, protocol === 'http:' && !isLoopback(hostname) && plain);
  return redirectUri ?? '';
}

/** The authorization response to a user who declines (RFC 6749, section 4.1.2.1). @param more - The state, and what else the network tells. */
export const declined = (redirectUri: string, more: Fields): NetworkResponse =>
  redirect(redirectUri, { error: 'access_denied', ...more });
