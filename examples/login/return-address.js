// @ts-check

/** One slash first, so no other host; no backslash, which browsers read as a slash; nothing that is not printable. */
const OWN_PATH = /^\/(?!\/)[\x21-\x5b\x5d-\x7e]{0,500}$/;

/**
 * Where to go after the login. Anybody can write that into a link, so only paths of this application pass.
 *
 * @param {unknown} wanted
 */
export function ownPath(wanted) {
  return typeof wanted === 'string' && OWN_PATH.test(wanted) ? wanted : '/profile';
}
