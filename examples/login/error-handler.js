// @ts-check
import { ProviderError, RefusedError } from 'passport-social-networks';
import { errorPage } from './pages/error-page.js';
import { Refusal } from './refusal.js';

/**
 * Shows an error as a page. Of a network's failure it shows the strategy's message, because whoever reads this example
 * develops something; your users need no more than "please try again".
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
 * @property {[name: string, value: string][]} facts
 */

/** @param {unknown} error @returns {Problem} */
function describe(error) {
  if (error instanceof ProviderError) {
    const { status, step, code, provider, message } = error;
    const facts = {
      network: provider,
      step,
      code,
      ...(error instanceof RefusedError && refusalFacts(error)),
    };
    return {
      status,
      title: error instanceof RefusedError ? 'The network refused' : 'The network failed',
      message,
      facts: Object.entries(facts).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      ),
    };
  }
  if (error instanceof Refusal) {
    const { status, code, message } = error;
    return { status, title: TITLES[code] ?? 'That did not work', message, facts: [['code', code]] };
  }
  const { status, expose, message } = /** @type {{ status?: number, expose?: boolean, message: string }} */ (
    error
  );
  if (status !== undefined && status < 500 && expose) {
    return { status, title: 'That did not work', message, facts: [] };
  }
  return {
    status: 500,
    title: 'Something is wrong here',
    message: "It is no fault of yours. This server's log says more; please try again later.",
    facts: [],
  };
}

/** @param {RefusedError} error */
function refusalFacts({ networkCode, requestId, retryAfter }) {
  const wait = retryAfter === undefined ? undefined : `${retryAfter} seconds`;
  return { 'network code': networkCode, 'request identifier': requestId, 'retry after': wait };
}

/** @type {Record<string, string>} */
const TITLES = {
  access_denied: 'You said no',
  unknown_page: 'No such page',
  linked_elsewhere: 'This account is taken',
  last_account: 'Your last account',
};

/** @param {unknown} error */
function loggable(error) {
  if (error instanceof ProviderError) return error.message;
  // A failed query has its values in its message, and personal data has no place in a log; the cause says what is wrong.
  return error instanceof Error && error.cause instanceof Error ? error.cause.stack : error;
}
