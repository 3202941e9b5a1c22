// @ts-check
import { csrfSync } from 'csrf-sync';
import helmet from 'helmet';

/** Name of the form field with the CSRF token. */
export const TOKEN_FIELD = 'csrfToken';

const { csrfSynchronisedProtection, generateToken } = csrfSync({
  getTokenFromRequest: (req) => req.body?.[TOKEN_FIELD],
  errorConfig: {
    message: 'This form belongs to an earlier session. Go back, reload the page and submit the form again.',
  },
});

/** Rejects forms without their session's token. Other sites can submit forms here, but cannot read the token. */
export const csrfProtection = csrfSynchronisedProtection;

/** Returns the CSRF token for a form. Starts a session if there is none. @param {import('express').Request} req */
export const formToken = (req) => generateToken(req);

/**
 * Sets headers that restrict what the browser may do on this site.
 *
 * @param {import('./networks/index.js').ConnectedNetwork[]} networks
 * @param {string | undefined} sandboxURL
 * @param {boolean} secure
 */
export function securityHeaders(networks, sandboxURL, secure) {
  const real = networks.filter(({ usesSandbox }) => !usesSandbox).flatMap(({ hosts }) => hosts);
  const sandbox = sandboxURL === undefined ? [] : [sandboxURL];
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'https:', ...sandbox],
        // Submitting the form that links an account redirects to the network, and browsers apply form-action to redirects too.
        formAction: ["'self'", ...new Set(real), ...sandbox],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // Browsers ignore it over plain http.
    strictTransportSecurity: secure,
  });
}

/** Prevents caching, because every page is specific to a user. @type {import('express').RequestHandler} */
export const noStore = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};

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
