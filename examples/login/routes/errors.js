// @ts-check
import { ProviderError, RefusedError } from 'passport-social-networks';
import { titleOf } from '../accounts/networks.js';
import { errorPage } from '../pages/pages.js';
import { Problem } from '../problem.js';

/** @type {import('express').ErrorRequestHandler} */
export const showErrors = (error, req, res, next) => {
  if (res.headersSent) return next(error);
  const problem = problemOf(error);
  // For developers. Has no secrets or tokens.
  if (problem.status >= 500) console.error(`${req.method} ${req.path}:`, error);
  const userURL = error instanceof RefusedError ? error.userURL : undefined;
  res.status(problem.status).send(errorPage(req, problem, userURL));
};

/** @param {unknown} error @returns {Problem} */
function problemOf(error) {
  if (error instanceof Problem) return error;
  if (error instanceof ProviderError) {
    const { status, code, provider: network } = error;
    const title = `The sign-in with ${titleOf(network)} did not work`;
    const text = 'Nothing was changed. Please try again in a moment.';
    return new Problem(status, title, text, { code, network });
  }
  // Express and csrf-sync say which messages users may read.
  const { status, expose, message, code } = /** @type {import('http-errors').HttpError} */ (error);
  if (status >= 400 && status < 500) {
    const text = expose ? message : 'Go back, and try again.';
    return new Problem(status, 'That did not work', text, { code });
  }
  return new Problem(500, 'Something went wrong', 'This is not your fault. Please try again later.');
}
