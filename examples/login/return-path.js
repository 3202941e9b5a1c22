// @ts-check

/** Starts with a single slash, so it names no other host. Excludes backslashes, which browsers treat as slashes. */
const LOCAL_PATH = /^\/(?!\/)[\x21-\x5b\x5d-\x7e]{0,500}$/;

/**
 * Returns the path to go to after the login. Anyone can put one into a link, so only this application's paths are allowed.
 *
 * @param {unknown} requested
 */
export function localPath(requested) {
  return typeof requested === 'string' && LOCAL_PATH.test(requested) ? requested : '/profile';
}
