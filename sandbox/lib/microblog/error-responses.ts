import type { Belief } from '../core/evidence.js';
import type { NetworkRequest, Refusal } from '../core/http.js';
import { ErrorResponse, json, oauthError, textResponse } from '../core/http.js';
import type { Case, FaultTable } from '../core/network.js';
import type { Clock } from '../core/world.js';
import { errorPage } from '../pages/error-page.js';
import { html } from '../pages/page.js';
import { BELIEFS } from './beliefs.js';

type SignatureRow = readonly [status: number, code: number, message: string];

const BAD_DATA: SignatureRow = [400, 215, 'Bad Authentication data.'];
const NOT_AUTHENTICATED: SignatureRow = [401, 32, 'Could not authenticate you.'];

const SIGNATURE_ERRORS: ReadonlyMap<Belief, SignatureRow> = new Map([
  [BELIEFS.signedParameters, BAD_DATA],
  [BELIEFS.tokenTwice, BAD_DATA],
  [BELIEFS.consumer, NOT_AUTHENTICATED],
  [BELIEFS.timestamp, [401, 135, 'Timestamp out of bounds.']],
  [BELIEFS.accessToken, [401, 89, 'Invalid or expired token.']],
  [BELIEFS.nonce, NOT_AUTHENTICATED],
  [BELIEFS.signature, NOT_AUTHENTICATED],
]);

/** OAuth 1.0a, request-token endpoint and API version 1.1: JSON. */
export function signatureError(belief: Belief, reason: string): ErrorResponse {
  const [status, code, message] = SIGNATURE_ERRORS.get(belief) ?? BAD_DATA;
  return new ErrorResponse(json({ errors: [{ code, message }] }, status), reason, belief);
}

/** OAuth 1.0a, access-token endpoint: plain text for a wrong token or signature, otherwise JSON. */
export function accessTokenError(belief: Belief, reason: string): ErrorResponse {
  if (belief === BELIEFS.accessToken)
    return new ErrorResponse(textResponse('Invalid request token.', 401), reason, BELIEFS.requestToken);
  if (belief !== BELIEFS.signature) return signatureError(belief, reason);
  return new ErrorResponse(textResponse('Failed to validate oauth signature and token', 401), reason, belief);
}

/** OAuth 1.0a, callback URL that is not approved: XML. */
export function callbackError(belief: Belief, problem: string): ErrorResponse {
  const message =
    'Callback URL not approved for this client application. Approved callback URLs can be adjusted in your application settings';
  const body = `<?xml version='1.0' encoding='UTF-8'?><errors><error code="415">${message}</error></errors>`;
  const reason = problem.replace('redirect_uri', 'oauth_callback');
  return new ErrorResponse(textResponse(body, 403, 'application/xml'), reason, belief);
}

/** OAuth 1.0a, page for a user who arrives with an expired or used request token. */
export const whoaTherePage = errorPage(
  'Whoa there!',
  html`<p>There is no request token for this page. That's the special key we need from applications asking to use your account. Please go back to the site or application that sent you here and try again; it was probably just a mistake.</p>`,
  403,
);

export const oauth2ErrorPage = errorPage(
  'Something went wrong',
  html`<p>You weren't able to give access to the App. Go back and try logging in again.</p>`,
);

/** How the network goes on after "Value passed for the", by what is invalid in OAuth 2.0. */
const INVALID_VALUES: ReadonlyMap<Belief, string> = new Map([
  [BELIEFS.grantType, 'grant type was invalid.'],
  [BELIEFS.code, 'authorization code was invalid.'],
  [BELIEFS.sameRedirectUri, 'redirect uri did not match the uri of the authorization code.'],
  [BELIEFS.verifier, 'code verifier did not match the code challenge.'],
  [BELIEFS.verifierForm, 'code verifier did not match the code challenge.'],
  [BELIEFS.refreshToken, 'token was invalid.'],
  [BELIEFS.revokedToken, 'token was invalid.'],
]);

/** OAuth 2.0, invalid value. The network sends `invalid_request` even where RFC 6749 says `invalid_grant`. */
export const invalidRequest = (
  belief: Belief,
  reason: string,
  description = `Value passed for the ${INVALID_VALUES.get(belief)}`,
) => oauthError(belief, 400, 'invalid_request', description, reason);

/** OAuth 2.0, missing parameter. A body that is not a form has no parameters at all. */
export function missingParameter(belief: Belief, name: string, request: NetworkRequest): ErrorResponse {
  const reason = request.isForm
    ? `${name} is missing, empty or given twice`
    : 'the body is not application/x-www-form-urlencoded';
  return invalidRequest(belief, reason, `Missing required parameter [${name}].`);
}

export const unauthorizedClient: Refusal = (belief, reason) =>
  oauthError(belief, 401, 'unauthorized_client', 'Missing valid authorization header', reason);

/** API version 2, and version 1.1 for a token of OAuth 2.0: a problem document. */
export function problem(belief: Belief, status: 401 | 403, title: string, reason: string, detail = title) {
  const response = json({ title, type: 'about:blank', status, detail }, status);
  return new ErrorResponse({ ...response, type: 'application/problem+json; charset=utf-8' }, reason, belief);
}

function listed(status: number, code: number, message: string): Case {
  return [status, { errors: [{ code, message }] }];
}

function aProblem(status: number, type: string, title: string, more: object = {}): Case {
  return [status, { title, detail: title, type: `https://api.x.com/2/problems/${type}`, ...more }];
}

/** What an application without money gets, from either version of the API. */
const CAPS = {
  'credits-depleted': aProblem(402, 'credits-depleted', 'Payment Required'),
  'spend-cap-reached': aProblem(403, 'spend-cap-reached', 'SpendCapReached'),
  'usage-capped': aProblem(429, 'usage-capped', 'UsageCapExceeded', { period: 'Monthly' }),
};

/** @see https://docs.x.com/x-api/fundamentals/response-codes-and-errors and /rate-limits (read 2026-11) */
export function faultResponses(clock: Clock, version?: string): FaultTable {
  const inSeconds = (seconds: number): string => String(Math.floor(clock.now() / 1000) + seconds);
  const signed = () => signatureError(BELIEFS.accessToken, 'oauth_token was revoked');
  const daily = () => ({
    'x-user-limit-24hour-remaining': '0',
    'x-user-limit-24hour-reset': inSeconds(80_000),
  });
  const suspended = { resource_type: 'user', title: 'Forbidden', detail: 'User has been suspended: [1].' };
  return {
    rateLimit(_request, seconds) {
      const response = json({ errors: [{ code: 88, message: 'Rate limit exceeded' }] }, 429, {
        // For each user to the users lookup, in 15 minutes.
        'x-rate-limit-limit': '75',
        'x-rate-limit-remaining': '0',
        'x-rate-limit-reset': inSeconds(seconds),
      });
      return new ErrorResponse(response, 'too many requests', BELIEFS.rateLimit);
    },
    'expired-code': {
      token: () => invalidRequest(BELIEFS.code, 'code has expired'),
      'access token': () => accessTokenError(BELIEFS.accessToken, 'oauth_token has expired'),
    },
    'revoked-token': {
      token: () => invalidRequest(BELIEFS.refreshToken, 'refresh_token was revoked'),
      'users lookup': () => problem(BELIEFS.bearer, 401, 'Unauthorized', 'the token was revoked'),
      'verify credentials': signed,
      revocation:
        version === '1.0' ? signed : () => invalidRequest(BELIEFS.revokedToken, 'token was revoked'),
    },
    cases: {
      'users lookup': {
        ...CAPS,
        'daily-limit': [429, { title: 'Too Many Requests', type: 'about:blank', status: 429 }, daily],
        'rate-limit-exceeded': aProblem(429, 'rate-limit-exceeded', 'Rate Limit Exceeded'),
        'client-forbidden': aProblem(403, 'client-forbidden', 'Client Forbidden', {
          reason: 'client-not-enrolled',
        }),
        'bad-gateway': [502, { title: 'Bad Gateway', type: 'about:blank', status: 502 }],
        'internal-error': [500, { code: 131, message: 'Internal error' }],
        suspended: [200, { errors: [suspended] }],
      },
      'verify credentials': {
        ...CAPS,
        suspended: listed(403, 63, 'User has been suspended.'),
        locked: listed(403, 326, 'To protect our users from spam, this account is temporarily locked.'),
        'no-access': listed(403, 453, 'You currently have access to a subset of X API V2 endpoints only.'),
      },
      'request token': {
        'callback-refused': listed(403, 415, 'Callback URL not approved for this client application.'),
      },
    },
  };
}
