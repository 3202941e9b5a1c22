// @ts-check
import { ProviderError } from 'passport-social-networks';
import { RequestError } from './request-error.js';
import { sessionOf } from './visitor.js';

/** @typedef {import('express').Request} Request */
/** @typedef {import('express').Response} Response */
/** @typedef {import('./networks/index.js').ConnectedNetwork} ConnectedNetwork */
/** @typedef {'request token' | 'redirect' | 'callback' | 'token' | 'profile' | 'account'} StepName */
/** @typedef {[name: string, value: string]} Fact */

/** @typedef {{ url: string, facts: Fact[] }} Redirect */

/**
 * @typedef {object} Step
 * @property {StepName} name
 * @property {'done' | 'failed' | 'not reached'} outcome
 * @property {string} [url]
 * @property {Fact[]} facts
 */

/**
 * The steps of a login, for the page "What just happened". Contains names and URLs, but no secrets.
 *
 * @typedef {object} Story
 * @property {string} network
 * @property {string} happenedAt ISO date
 * @property {Step[]} steps
 */

/** Parameters that are safe to show, because their values are not specific to one login. */
const SAFE_PARAMETERS = [
  'client_id',
  'client_key',
  'code_challenge_method',
  'error',
  'expansions',
  'redirect_uri',
  'response_type',
  'scope',
  'scopes',
  'user.fields',
  'v',
];

/** Limits what ends up in the session, because anyone can add parameters to a callback URL. */
const MAX_PARAMETERS = 20;

/**
 * Records where the strategy redirects the browser.
 *
 * @param {ConnectedNetwork} network
 * @param {Request} req
 * @param {Response} res
 */
export function recordRedirect({ name }, req, res) {
  const end = res.end.bind(res);
  // Passport's redirect calls `end` directly, which also saves the session, so record the redirect before that.
  res.end = /** @type {typeof end} */ (
    function endAndRecord(/** @type {any[]} */ ...args) {
      const location = res.getHeader('Location');
      if (typeof location === 'string' && URL.canParse(location)) {
        const { origin, pathname, searchParams } = new URL(location);
        const session = sessionOf(req);
        const redirect = { url: `${origin}${pathname}`, facts: safeParameters([...searchParams]) };
        session.redirects = { ...session.redirects, [name]: redirect };
      }
      return /** @type {(...args: any[]) => any} */ (end)(...args);
    }
  );
}

/**
 * @param {ConnectedNetwork} network
 * @param {Request} req
 * @param {import('./networks/network.js').Login} login
 * @param {string} result Outcome in this application
 */
export function recordSuccess(network, req, login, result) {
  /** @type {Partial<Record<StepName, Fact[]>>} */
  const facts = {
    token: [
      ['response', login.tokenFields.join(', ')],
      ['scopes', login.tokens.scope?.join(' ') || 'not reported'],
    ],
    profile: [
      ['provider', login.provider],
      ['identifier', login.identifier],
      ['record', Object.keys(login.record).join(', ')],
    ],
    account: [['result', result]],
  };
  record(network, req, undefined, facts);
}

/**
 * @param {ConnectedNetwork} network
 * @param {Request} req
 * @param {unknown} error
 * @param {StepName} step The failed step, if the error does not name it
 */
export function recordFailure(network, req, error, step) {
  record(network, req, failedStep(error) ?? step, {});
}

/**
 * @param {ConnectedNetwork} network
 * @param {Request} req
 * @param {StepName | undefined} failed
 * @param {Partial<Record<StepName, Fact[]>>} facts
 */
function record({ name, endpoints }, req, failed, facts) {
  const redirect = sessionOf(req).redirects?.[name];
  /** @type {Omit<Step, 'outcome'>[]} */
  const steps = [
    { name: 'redirect', url: redirect?.url ?? endpoints.authorization, facts: redirect?.facts ?? [] },
    { name: 'callback', url: req.path, facts: safeParameters(Object.entries(req.query)) },
    { name: 'token', url: endpoints.token, facts: facts.token ?? [] },
    { name: 'profile', url: endpoints.profile, facts: facts.profile ?? [] },
    { name: 'account', facts: facts.account ?? [] },
  ];
  if (endpoints.requestToken)
    steps.unshift({ name: 'request token', url: endpoints.requestToken, facts: [] });
  const end = failed === undefined ? steps.length : steps.findIndex((step) => step.name === failed);
  sessionOf(req).story = {
    network: name,
    happenedAt: new Date().toISOString(),
    steps: steps.map((step, index) => {
      if (index < end) return { ...step, outcome: 'done' };
      if (index === end) return { ...step, outcome: 'failed' };
      return { name: step.name, facts: [], outcome: 'not reached' };
    }),
  };
}

/** @param {unknown} error @returns {StepName | undefined} */
function failedStep(error) {
  if (!(error instanceof ProviderError)) {
    // The only failure that a strategy finds in the user's record.
    return error instanceof RequestError && error.code === 'account_unusable' ? 'profile' : undefined;
  }
  const { step } = error;
  return step === 'request token' || step === 'token' || step === 'profile' ? step : undefined;
}

/** @param {[string, unknown][]} parameters @returns {Fact[]} */
function safeParameters(parameters) {
  return parameters
    .slice(0, MAX_PARAMETERS)
    .map(([name, value]) => [
      name,
      SAFE_PARAMETERS.includes(name) && typeof value === 'string' ? value : 'not shown',
    ]);
}
