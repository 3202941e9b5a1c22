import { parseURL } from './core/hosts.js';

// A host that no URL names by accident: what resolves to it stays in the application.
const HERE = 'http://here.invalid';

/**
 * Whether a URL leads to a page of this application. For return URLs that come from a query, before the application redirects there.
 *
 * @param value - Any value; `false` for anything but a string.
 * @returns `false` for `//host`, `/\host`, `https:host`, relative paths, and control characters anywhere: browsers drop tabs
 *   and line ends, and read a backslash as a slash. Also for letters beyond ASCII, which `Location` has only encoded.
 * @see RFC 9700 section 4.11.1; RFC 9110 section 10.2.2; WHATWG URL Standard, "basic URL parser"
 *
 * @example
 * const { returnTo } = req.query;
 * res.redirect(isLocalURL(returnTo) ? returnTo : '/');
 */
export function isLocalURL(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\/(?!\/)[^\\\p{Cc}\P{ASCII}]*$/u.test(value)) return false;
  const url = parseURL(value, HERE);
  // `/.//host` stays here, but its resolved path is `//host`: an application that redirects to that path leaves.
  return url?.origin === HERE && !url.pathname.startsWith('//');
}
