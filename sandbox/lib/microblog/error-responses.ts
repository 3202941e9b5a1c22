import type { Belief } from '../core/evidence.js';
import { ErrorResponse, json, type NetworkRequest, oauthError, plain } from '../core/http.js';
import type { Case, FaultTable } from '../core/network.js';
import type { Clock } from '../core/world.js';
import { errorPage } from '../pages/error-page.js';
import { html } from '../pages/page.js';
import { BELIEFS } from './beliefs.js';

/** Requests that the network allows for each user to the users lookup, in 15 minutes. */
const LIMIT = '75';

const BAD_DATA = [400, 215, 'Bad Authentication data.'] as const;
const NOT_AUTHENTICATED = [401, 32, 'Could not authenticate you.'] as const;

/** The belief that each problem of an OAuth 1.0a signature breaks, and the network's status and error. */
const SIGNATURE_ERRORS = {
  parameters: [BELIEFS.signedParameters, ...BAD_DATA],
  'token twice': [BELIEFS.tokenTwice, ...BAD_DATA],
  client: [BELIEFS.consumer, ...NOT_AUTHENTICATED],
  timestamp: [BELIEFS.timestamp, 401, 135, 'Timestamp out of bounds.'],
  token: [BELIEFS.accessToken, 401, 89, 'Invalid or expired token.'],
  nonce: [BELIEFS.nonce, ...NOT_AUTHENTICATED],
  signature: [BELIEFS.signature, ...NOT_AUTHENTICATED],
} as const;

export class SignatureError extends Error {
  override readonly name = 'SignatureError';

  /** @param message - Reason for the request log; holds no value of the request. */
  constructor(
    readonly problem: keyof typeof SIGNATURE_ERRORS,
    message: string,
  ) {
    super(message);
  }
}

/** OAuth 1.0a, request-token endpoint and API version 1.1: JSON. */
export function signatureErrorResponse({ problem: found, message: reason }: SignatureError): ErrorResponse {
  const [belief, status, code, message] = SIGNATURE_ERRORS[found];
  return new ErrorResponse(json({ errors: [{ code, message }] }, status), reason, belief);
}

/** OAuth 1.0a, access-token endpoint: plain text for a wrong token or signature, otherwise JSON. */
export function accessTokenErrorResponse(error: SignatureError): ErrorResponse {
  if (error.problem === 'token') return invalidRequestToken(error.message);
  if (error.problem !== 'signature') return signatureErrorResponse(error);
  const response = plain('Failed to validate oauth signature and token', 401);
  return new ErrorResponse(response, error.message, BELIEFS.signature);
}

/** OAuth 1.0a, users lookup: a problem document for whatever is wrong. */
export const lookupErrorResponse = ({ problem: found, message: reason }: SignatureError): ErrorResponse =>
  problem(SIGNATURE_ERRORS[found][0], 401, 'Unauthorized', reason);

const invalidRequestToken = (reason: string): ErrorResponse =>
  new ErrorResponse(plain('Invalid request token.', 401), reason, BELIEFS.requestToken);

/** OAuth 1.0a, wrong verifier: plain text. */
export function verifierErrorResponse(): ErrorResponse {
  const body = 'Error processing your OAuth request: Invalid oauth_verifier parameter';
  const reason = 'oauth_verifier is missing, or does not belong to this request token';
  return new ErrorResponse(plain(body, 401), reason, BELIEFS.oauthVerifier);
}

/** OAuth 1.0a, callback URL that is not approved: XML. */
export function callbackErrorResponse(belief: Belief, problem: string): ErrorResponse {
  const message =
    'Callback URL not approved for this client application. Approved callback URLs can be adjusted in your application settings';
  const body = `<?xml version='1.0' encoding='UTF-8'?><errors><error code="415">${message}</error></errors>`;
  const reason = problem.replace('redirect_uri', 'oauth_callback');
  return new ErrorResponse({ status: 403, type: 'application/xml; charset=utf-8', body }, reason, belief);
}

/** OAuth 1.0a, page for a user who arrives with an expired or used request token. */
export const whoaThereErrorPage = errorPage({
  title: 'Whoa there!',
  content: html`<p>There is no request token for this page. That's the special key we need from applications asking to use your account. Please go back to the site or application that sent you here and try again; it was probably just a mistake.</p>`,
  status: 403,
});

/** OAuth 2.0, error page. */
export const microblogErrorPage = errorPage({
  title: 'Something went wrong',
  content: html`<p>You weren't able to give access to the App. Go back and try logging in again.</p>`,
  status: 400,
});

const WRONG_TOKEN = 'Value passed for the token was invalid.';
const WRONG_REDIRECT_URI =
  'Value passed for the redirect uri did not match the uri of the authorization code.';
const WRONG_VERIFIER = 'Value passed for the code verifier did not match the code challenge.';

/** The network's description of each invalid value in OAuth 2.0. */
const INVALID_VALUES: ReadonlyMap<Belief, string> = new Map([
  [BELIEFS.grantType, 'Value passed for the grant type was invalid.'],
  [BELIEFS.code, 'Value passed for the authorization code was invalid.'],
  [BELIEFS.sameRedirectUri, WRONG_REDIRECT_URI],
  [BELIEFS.verifier, WRONG_VERIFIER],
  [BELIEFS.verifierForm, WRONG_VERIFIER],
  [BELIEFS.refreshToken, WRONG_TOKEN],
  [BELIEFS.revokedToken, WRONG_TOKEN],
]);

/** OAuth 2.0, invalid value. The network sends `invalid_request` even where RFC 6749 says `invalid_grant`. */
export const invalidRequest = (belief: Belief, reason: string, description = INVALID_VALUES.get(belief)) =>
  oauthError(belief, 400, 'invalid_request', description, reason);

/** OAuth 2.0, missing parameter. A body that is not a form has no parameters at all. */
export function missingParameter(belief: Belief, name: string, request: NetworkRequest): ErrorResponse {
  const reason = request.isForm
    ? `${name} is missing, empty or given twice`
    : 'the body is not application/x-www-form-urlencoded';
  return invalidRequest(belief, reason, `Missing required parameter [${name}].`);
}

export function unknownClient(reason: string): ErrorResponse {
  const description = 'Value passed for the client id was invalid.';
  return oauthError(BELIEFS.tokenClient, 400, 'invalid_client', description, reason);
}

export const unauthorizedClient = (belief: Belief, reason: string): ErrorResponse =>
  oauthError(belief, 401, 'unauthorized_client', 'Missing valid authorization header', reason);

/** API version 2, and version 1.1 for a token of OAuth 2.0: a problem document. */
export function problem(belief: Belief, status: 401 | 403, title: string, reason: string, detail = title) {
  const response = json({ title, type: 'about:blank', status, detail }, status);
  return new ErrorResponse({ ...response, type: 'application/problem+json; charset=utf-8' }, reason, belief);
}

export function invalidQueryParameter(
  belief: Belief,
  name: string,
  value: string,
  known: readonly string[],
  reason: string,
): ErrorResponse {
  const message = `The \`${name}\` query parameter value is not one of [${known.join(',')}]`;
  const body = {
    errors: [{ parameters: { [name]: [value] }, message }],
    title: 'Invalid Request',
    detail: 'One or more parameters to your request was invalid.',
    type: 'https://api.twitter.com/2/problems/invalid-request',
  };
  return new ErrorResponse(json(body, 400), reason, belief);
}

/** @see https://docs.x.com/x-api/fundamentals/response-codes-and-errors and /rate-limits (read 2026-11) */
export function microblogFaultResponses(clock: Clock, version?: string): FaultTable {
  const signed = () => signatureErrorResponse(new SignatureError('token', 'oauth_token was revoked'));
  return {
    rateLimit: (_request, seconds) => rateLimit(clock, seconds),
    expired: {
      token: () => invalidRequest(BELIEFS.code, 'code has expired'),
      'access token': () => invalidRequestToken('oauth_token has expired'),
    },
    revoked: {
      token: () => invalidRequest(BELIEFS.refreshToken, 'refresh_token was revoked'),
      'users lookup': () => problem(BELIEFS.bearer, 401, 'Unauthorized', 'the token was revoked'),
      'verify credentials': signed,
      revocation:
        version === '1.0' ? signed : () => invalidRequest(BELIEFS.revokedToken, 'token was revoked'),
    },
    cases: {
      'users lookup': { ...CAPS, ...lookupCases(clock) },
      'verify credentials': { ...CAPS, ...VERSION_1_CASES },
      'request token': {
        'callback-refused': listed(403, 415, 'Callback URL not approved for this client application.'),
      },
    },
  };
}

const listed = (status: number, code: number, message: string): Case => [
  status,
  { errors: [{ code, message }] },
];
const aProblem = (status: number, type: string, title: string, more: object = {}): Case => [
  status,
  { title, detail: title, type: `https://api.x.com/2/problems/${type}`, ...more },
];

/** What an application without money gets, from either version of the API. */
const CAPS = {
  'credits-depleted': aProblem(402, 'credits-depleted', 'Payment Required'),
  'spend-cap-reached': aProblem(403, 'spend-cap-reached', 'SpendCapReached'),
  'usage-capped': aProblem(429, 'usage-capped', 'UsageCapExceeded', { period: 'Monthly' }),
};

const VERSION_1_CASES = {
  suspended: listed(403, 63, 'User has been suspended.'),
  locked: listed(403, 326, 'To protect our users from spam, this account is temporarily locked.'),
  'no-access': listed(403, 453, 'You currently have access to a subset of X API V2 endpoints only.'),
};

function lookupCases(clock: Clock): Readonly<Record<string, Case>> {
  const daily = () => ({
    'x-user-limit-24hour-remaining': '0',
    'x-user-limit-24hour-reset': String(Math.floor(clock.now() / 1000) + 80_000),
  });
  const suspended = { resource_type: 'user', title: 'Forbidden', detail: 'User has been suspended: [1].' };
  const notEnrolled = { reason: 'client-not-enrolled' };
  return {
    'daily-limit': [429, { title: 'Too Many Requests', type: 'about:blank', status: 429 }, daily],
    'rate-limit-exceeded': aProblem(429, 'rate-limit-exceeded', 'Rate Limit Exceeded'),
    'client-forbidden': aProblem(403, 'client-forbidden', 'Client Forbidden', notEnrolled),
    'bad-gateway': [502, { title: 'Bad Gateway', type: 'about:blank', status: 502 }],
    'internal-error': [500, { code: 131, message: 'Internal error' }],
    suspended: [200, { errors: [suspended] }],
  };
}

function rateLimit(clock: Clock, seconds: number): ErrorResponse {
  const reset = String(Math.floor(clock.now() / 1000) + seconds);
  const headers = { 'x-rate-limit-limit': LIMIT, 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': reset };
  const body = { errors: [{ code: 88, message: 'Rate limit exceeded' }] };
  return new ErrorResponse(json(body, 429, headers), 'too many requests', BELIEFS.rateLimit);
}
