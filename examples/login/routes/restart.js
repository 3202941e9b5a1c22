// @ts-check
// A login that came back in another browser than it began in, as it happens in the browsers inside of apps.

/** @typedef {Pick<import('express').Request, 'headers' | 'originalUrl'>} Request */
/** @typedef {Pick<import('express').Response, 'appendHeader'>} Response */

const NAME = 'restarted-login';
/** @param {Request} req */
const isMarked = (req) => new RegExp(`(^|; )${NAME}=1(;|$)`).test(req.headers.cookie ?? '');
/** @param {Request} req */
const parametersOf = (req) => new URL(req.originalUrl, 'http://localhost').searchParams;

/**
 * At the callback route, after a failure: the path to go to, or `undefined` for the page that shows the failure.
 *
 * @param {Request} req @param {Response} res @param {{ code?: string }} failure @param {string} signIn The path of the sign-in route
 */
export function restart(req, res, { code }, signIn) {
  const parameters = parametersOf(req);
  // Only who has agreed: who declines is not asked again.
  const hasAgreed = ['code', 'payload', 'oauth_verifier'].some((name) => parameters.has(name));
  if (code !== 'unknown_login' || !hasAgreed || isMarked(req)) return undefined;
  res.appendHeader('Set-Cookie', `${NAME}=1; Path=/; HttpOnly; SameSite=Lax; Max-Age=600`);
  return `${signIn}?restarted=1`;
}

/** At the sign-in route: whether the mark is gone, so that the login would go round in circles. @param {Request} req */
export const isStuck = (req) => parametersOf(req).has('restarted') && !isMarked(req);
