// @ts-check
import { csrfSync } from 'csrf-sync';
import helmet from 'helmet';

/** Name of the form field that proves that a form is one of ours. */
export const TOKEN_FIELD = 'csrfToken';

const { csrfSynchronisedProtection, generateToken } = csrfSync({
  getTokenFromRequest: (req) => req.body?.[TOKEN_FIELD],
  errorConfig: {
    message: 'This form is from an earlier session. Go back, load the page anew and send the form again.',
  },
});

/** Refuses forms that do not carry the token of their session: another site can send forms here, but not read it. */
export const onlyOwnForms = csrfSynchronisedProtection;

/** The token for a form. Begins a session where there is none. @param {import('express').Request} req */
export const formToken = (req) => generateToken(req);

/**
 * Headers that tell the browser what this site never does.
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
        // The form that links an account is answered with a redirect to the network, and browsers check that, too.
        formAction: ["'self'", ...new Set(real), ...sandbox],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // Over plain http browsers ignore it; said only where it is meant.
    strictTransportSecurity: secure,
  });
}

/** Every page is about one person. @type {import('express').RequestHandler} */
export const neverCached = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};
