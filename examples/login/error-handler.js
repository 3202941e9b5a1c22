// @ts-check
import { ProviderError, RefusedError } from 'passport-social-networks';
import { RequestError } from './errors.js';
import { RejectedLogin } from './login-flow.js';
import { errorPage } from './pages/error-page.js';

/**
 * Shows an error page. For network errors its details have the strategy's message, because readers of this example are developers.
 * Users need only "please try again".
 *
 * @param {import('./networks/index.js').ConnectedNetwork[]} networks
 * @returns {import('express').ErrorRequestHandler}
 */
export function showErrors(networks) {
  return (error, req, res, next) => {
    if (res.headersSent) return next(error);
    const problem = describe(error, networks);
    if (problem.status >= 500) console.error(`${req.method} ${req.path}:`, loggable(error));
    res.status(problem.status).send(errorPage(req, problem));
  };
}

/**
 * @typedef {object} Problem
 * @property {number} status
 * @property {string} title
 * @property {string} message
 * @property {[name: string, value: string][]} details
 * @property {boolean} [isCalm] Whether nothing went wrong
 * @property {boolean} [areDetailsOpen]
 * @property {import('./networks/index.js').ConnectedNetwork} [network] The network of a login that the user may try again
 */

/** @param {unknown} error @param {import('./networks/index.js').ConnectedNetwork[]} networks @returns {Problem} */
function describe(error, networks) {
  if (error instanceof ProviderError) {
    const { status, step, code, provider, message } = error;
    const network = networks.find(({ name }) => name === provider);
    const title = network?.title ?? provider;
    const details = {
      message,
      network: provider,
      step,
      code,
      ...(error instanceof RefusedError && rejectionDetails(error)),
    };
    return {
      status,
      title:
        error instanceof RefusedError
          ? `${title} rejected the request`
          : `${title} did not respond as expected`,
      message:
        step === 'refresh'
          ? `Sign in with ${title} again to get new tokens.`
          : 'Please try again in a moment.',
      areDetailsOpen: true,
      ...(network && step !== 'revoke' && { network }),
      details: Object.entries(details).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      ),
    };
  }
  if (error instanceof RejectedLogin && /^(access_denied|unknown_login|used_login)$/.test(error.code)) {
    const { status, code, message, network } = error;
    const isOver = code !== 'access_denied';
    return {
      status,
      title: isOver ? 'This sign-in has ended' : `You cancelled the sign-in with ${network.title}`,
      message: isOver
        ? 'It was finished or cancelled before, or started in another browser. Nothing was changed.'
        : `Nothing was changed, and this application got no data from ${network.title}.`,
      details: Object.entries({ message, network: network.name, code }),
      isCalm: true,
      network,
    };
  }
  if (error instanceof RequestError) {
    const { status, code, message } = error;
    const network = error instanceof RejectedLogin ? { network: error.network } : {};
    return {
      status,
      title: TITLES[code] ?? 'That did not work',
      message,
      details: [['code', code]],
      isCalm: status === 404,
      ...network,
    };
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
  account_unusable: 'This account cannot be used',
  unknown_page: 'Page not found',
  linked_elsewhere: 'This account is already linked',
  last_account: 'Your only account',
  wrong_account: 'That is a different account',
  busy: 'Already in progress',
  sandbox_closed: 'The sandbox is closed',
};

/** @param {unknown} error */
function loggable(error) {
  if (error instanceof ProviderError) return error.message;
  // Log only the cause of a failed query. The query's message contains its values, which may be personal data.
  return error instanceof Error && error.cause instanceof Error ? error.cause.stack : error;
}
