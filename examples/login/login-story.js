// @ts-check
import { ProviderError } from 'passport-social-networks';
import { Refusal } from './refusal.js';
import { sessionOf } from './visitor.js';

/** @typedef {import('express').Request} Request */
/** @typedef {import('express').Response} Response */
/** @typedef {import('./networks/index.js').ConnectedNetwork} ConnectedNetwork */
/** @typedef {'request token' | 'redirect' | 'callback' | 'token' | 'profile' | 'account'} StepName */
/** @typedef {[name: string, value: string]} Fact */

/** @typedef {{ address: string, facts: Fact[] }} Redirect */

/**
 * @typedef {object} Step
 * @property {StepName} name
 * @property {'done' | 'failed' | 'not reached'} outcome
 * @property {string} [address]
 * @property {Fact[]} facts
 */

/**
 * How a login went, to be told on a page. Holds names and addresses, and no value that is worth stealing.
 *
 * @typedef {object} Story
 * @property {string} network
 * @property {string} happenedAt ISO date
 * @property {Step[]} steps
 */

/** Parameters whose values say the same in every login, so that they may be shown; all others are good for one use. */
const SHOWN = [
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

/** Anybody can put more into the address of a callback, and the session has to hold it. */
const MOST_FACTS = 20;

/**
 * Notes where the strategy sends the browser.
 *
 * @param {ConnectedNetwork} network
 * @param {Request} req
 * @param {Response} res
 */
export function noteRedirect({ name }, req, res) {
  const end = res.end.bind(res);
  // Passport's redirect goes straight to `end`. Noted before that, because the session is saved at the end.
  res.end = /** @type {typeof end} */ (
    function noted(/** @type {any[]} */ ...args) {
      const location = res.getHeader('Location');
      if (typeof location === 'string' && URL.canParse(location)) {
        const { origin, pathname, searchParams } = new URL(location);
        const session = sessionOf(req);
        const redirect = { address: `${origin}${pathname}`, facts: shownFacts([...searchParams]) };
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
 * @param {string} result What became of it here
 */
export function tellSuccess(network, req, login, result) {
  /** @type {Partial<Record<StepName, Fact[]>>} */
  const facts = {
    token: [
      ['answer', login.answer.join(', ')],
      ['scopes', login.tokens.scope?.join(' ') || 'not said'],
    ],
    profile: [
      ['provider', login.provider],
      ['identifier', login.identifier],
      ['record', Object.keys(login.record).join(', ')],
    ],
    account: [['result', result]],
  };
  tell(network, req, undefined, facts);
}

/**
 * @param {ConnectedNetwork} network
 * @param {Request} req
 * @param {unknown} error
 * @param {StepName} step Where it happened, if the error does not say
 */
export function tellFailure(network, req, error, step) {
  tell(network, req, failedStep(error) ?? step, {});
}

/**
 * @param {ConnectedNetwork} network
 * @param {Request} req
 * @param {StepName | undefined} failed
 * @param {Partial<Record<StepName, Fact[]>>} facts
 */
function tell({ name, addresses }, req, failed, facts) {
  const redirect = sessionOf(req).redirects?.[name];
  /** @type {Omit<Step, 'outcome'>[]} */
  const steps = [
    { name: 'redirect', address: redirect?.address ?? addresses.authorization, facts: redirect?.facts ?? [] },
    { name: 'callback', address: req.path, facts: shownFacts(Object.entries(req.query)) },
    { name: 'token', address: addresses.token, facts: facts.token ?? [] },
    { name: 'profile', address: addresses.profile, facts: facts.profile ?? [] },
    { name: 'account', facts: facts.account ?? [] },
  ];
  if (addresses.requestToken)
    steps.unshift({ name: 'request token', address: addresses.requestToken, facts: [] });
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
    // The one failure that a strategy finds in the person's record.
    return error instanceof Refusal && error.code === 'account_unusable' ? 'profile' : undefined;
  }
  const { step } = error;
  return step === 'request token' || step === 'token' || step === 'profile' ? step : undefined;
}

/** @param {[string, unknown][]} parameters @returns {Fact[]} */
function shownFacts(parameters) {
  return parameters
    .slice(0, MOST_FACTS)
    .map(([name, value]) => [name, SHOWN.includes(name) && typeof value === 'string' ? value : 'not shown']);
}
