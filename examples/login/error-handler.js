// @ts-check
import { ProviderError, RefusedError } from 'passport-social-networks';
import { errorPage } from './pages/error-page.js';
import { RequestError } from './request-error.js';

/**
 * Shows an error page. For network errors it shows the strategy's message, because readers of this example are developers.
 * Users need only "please try again".
 *
 * @type {import('express').ErrorRequestHandler}
 */
export function showErrors(error, req, res, next) {
  if (res.headersSent) return next(error);
  const problem = describe(error);
  if (problem.status >= 500) console.error(`${req.method} ${req.path}:`, loggable(error));
  res.status(problem.status).send(errorPage(req, problem));
}

/**
 * @typedef {object} Problem
 * @property {number} status
 * @property {string} title
 * @property {string} message
 * @property {[name: string, value: string][]} details
 */

/** @param {unknown} error @returns {Problem} */
function describe(error) {
  if (error instanceof ProviderError) {
    const { status, step, code, provider, message } = error;
    const details = {
      network: provider,
      step,
      code,
      ...(error instanceof RefusedError && rejectionDetails(error)),
    };
    return {
      status,
      title: error instanceof RefusedError ? 'The network rejected the request' : 'The network failed',
      message,
      details: Object.entries(details).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      ),
    };
  }
  if (error instanceof RequestError) {
    const { status, code, message } = error;
    return { status, title: TITLES[code] ?? 'That did not work', message, details: [['code', code]] };
  }
  const { status, expose, message } = /** @type {{ status?: number, expose?: boolean, message: string }} */ (
    error
  );
  if (status !== undefined && status < 500 && expose) {
    return { status, title: 'That did not work', message, details: [] };
  }
  return {
    status: 500,
    title: 'Something went wrong',
    message: 'This is not your fault. Please try again later. The server log has the details.',
    details: [],
  };
}

/** @param {RefusedError} error */
function rejectionDetails({ networkCode, requestId, retryAfter }) {
  const wait = retryAfter === undefined ? undefined : `${retryAfter} seconds`;
  return { 'network code': networkCode, 'request ID': requestId, 'retry after': wait };
}

/** @type {Record<string, string>} */
const TITLES = {
  access_denied: 'You declined',
  unknown_page: 'Page not found',
  linked_elsewhere: 'This account is already linked',
  last_account: 'Your only account',
  wrong_account: 'That is another account',
  busy: 'Already in progress',
  sandbox_closed: 'The sandbox is closed',
};

/** @param {unknown} error */
function loggable(error) {
  if (error instanceof ProviderError) return error.message;
  // Log only the cause of a failed query. The query's message contains its values, which may be personal data.
  return error instanceof Error && error.cause instanceof Error ? error.cause.stack : error;
}
