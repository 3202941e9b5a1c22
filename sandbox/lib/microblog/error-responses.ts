import type { Belief } from '../core/evidence.js';
import { ErrorResponse, json, type NetworkRequest, plain } from '../core/http.js';
import type { Endpoint, FaultResponses } from '../core/network.js';
import type { Clock } from '../core/world.js';
import { errorPage } from '../pages/error-page.js';
import { html } from '../pages/page.js';
import { BELIEFS } from './beliefs.js';

/** Which part of a signed request is wrong. */
export type SignatureProblem =
  | 'parameters'
  | 'token twice'
  | 'client'
  | 'timestamp'
  | 'token'
  | 'nonce'
  | 'signature';

/** A request without a valid OAuth 1.0a signature. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';

  /** @param message - Reason for the request log; holds no value of the request. */
  constructor(
    readonly problem: SignatureProblem,
    message: string,
  ) {
    super(message);
  }
}

/** Requests that the network allows for each user to the users lookup, in 15 minutes. */
const LIMIT = '75';

const BAD_DATA = { status: 400, code: 215, message: 'Bad Authentication data.' };
const NOT_AUTHENTICATED = { status: 401, code: 32, message: 'Could not authenticate you.' };

/** The network's status and error for each problem of an OAuth 1.0a signature. */
const SIGNATURE_ERRORS: Record<
  SignatureProblem,
  { readonly belief: Belief; readonly status: number; readonly code: number; readonly message: string }
> = {
  parameters: { belief: BELIEFS.signedParameters, ...BAD_DATA },
  'token twice': { belief: BELIEFS.tokenTwice, ...BAD_DATA },
  client: { belief: BELIEFS.consumer, ...NOT_AUTHENTICATED },
  timestamp: { belief: BELIEFS.timestamp, status: 401, code: 135, message: 'Timestamp out of bounds.' },
  token: { belief: BELIEFS.accessToken, status: 401, code: 89, message: 'Invalid or expired token.' },
  nonce: { belief: BELIEFS.nonce, ...NOT_AUTHENTICATED },
  signature: { belief: BELIEFS.signature, ...NOT_AUTHENTICATED },
};

/** OAuth 1.0a, request-token endpoint and API version 1.1: JSON. */
export function signatureErrorResponse({ problem: found, message: reason }: SignatureError): ErrorResponse {
  const { belief, status, code, message } = SIGNATURE_ERRORS[found];
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
export function lookupErrorResponse({ problem: found, message: reason }: SignatureError): ErrorResponse {
  return problem(SIGNATURE_ERRORS[found].belief, 401, 'Unauthorized', reason);
}

function invalidRequestToken(reason: string): ErrorResponse {
  return new ErrorResponse(plain('Invalid request token.', 401), reason, BELIEFS.requestToken);
}

/** OAuth 1.0a, wrong verifier: plain text. */
export function verifierErrorResponse(): ErrorResponse {
  const body = 'Error processing your OAuth request: Invalid oauth_verifier parameter';
  const reason = 'oauth_verifier is missing, or does not belong to this request token';
  return new ErrorResponse(plain(body, 401), reason, BELIEFS.oauthVerifier);
}

/** OAuth 1.0a, callback URL that is not approved: XML. */
export function callbackErrorResponse(belief: Belief, reason: string): ErrorResponse {
  const message =
    'Callback URL not approved for this client application. Approved callback URLs can be adjusted in your application settings';
  const body = `<?xml version='1.0' encoding='UTF-8'?><errors><error code="415">${message}</error></errors>`;
  return new ErrorResponse({ status: 403, type: 'application/xml; charset=utf-8', body }, reason, belief);
}

/** OAuth 1.0a, page for a user who arrives with an expired or used request token. */
export function whoaThereErrorPage(belief: Belief, reason: string): ErrorResponse {
  const content = html`<p>There is no request token for this page. That's the special key we need from applications asking to use your account. Please go back to the site or application that sent you here and try again; it was probably just a mistake.</p>`;
  const response = errorPage({ title: 'Whoa there!', content, reason, belief, status: 403 });
  return new ErrorResponse(response, reason, belief);
}

/** OAuth 2.0, invalid value. The network sends `invalid_request` even where RFC 6749 says `invalid_grant`. */
export function invalidRequest(belief: Belief, error_description: string, reason: string): ErrorResponse {
  return new ErrorResponse(json({ error: 'invalid_request', error_description }, 400), reason, belief);
}

/** OAuth 2.0, missing parameter. A body that is not a form has no parameters at all. */
export function missingParameter(belief: Belief, name: string, request: NetworkRequest): ErrorResponse {
  const reason = request.isForm
    ? `${name} is missing, empty or given twice`
    : 'the body is not application/x-www-form-urlencoded';
  return invalidRequest(belief, `Missing required parameter [${name}].`, reason);
}

/** OAuth 2.0, client that the network does not know. */
export function unknownClient(reason: string): ErrorResponse {
  const error_description = 'Value passed for the client id was invalid.';
  return new ErrorResponse(
    json({ error: 'invalid_client', error_description }, 400),
    reason,
    BELIEFS.tokenClient,
  );
}

/** OAuth 2.0, failed client authentication. */
export function unauthorizedClient(belief: Belief, reason: string): ErrorResponse {
  const body = { error: 'unauthorized_client', error_description: 'Missing valid authorization header' };
  return new ErrorResponse(json(body, 401), reason, belief);
}

/** API version 2, and version 1.1 for a token of OAuth 2.0: a problem document. */
export function problem(
  belief: Belief,
  status: number,
  title: string,
  reason: string,
  detail = title,
): ErrorResponse {
  const response = json({ title, type: 'about:blank', status, detail }, status);
  return new ErrorResponse({ ...response, type: 'application/problem+json; charset=utf-8' }, reason, belief);
}

/** API version 2, unknown value of a query parameter. */
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

/**
 * Error responses of the microblog network under a fault, by endpoint.
 *
 * @see https://docs.x.com/x-api/fundamentals/response-codes-and-errors and /x-api/fundamentals/rate-limits (read 2026-11)
 */
export function microblogFaultResponses(
  clock: Clock,
  { name }: Endpoint,
  version: string | undefined,
): FaultResponses {
  const limit = { 'rate-limit': (_request: unknown, seconds: number) => rateLimit(clock, seconds) };
  const revoked = (): ErrorResponse =>
    signatureErrorResponse(new SignatureError('token', 'oauth_token was revoked'));
  switch (name) {
    case 'token':
      return {
        ...limit,
        'expired-code': () =>
          invalidRequest(
            BELIEFS.code,
            'Value passed for the authorization code was invalid.',
            'code has expired',
          ),
        'revoked-token': () =>
          invalidRequest(
            BELIEFS.refreshToken,
            'Value passed for the token was invalid.',
            'refresh_token was revoked',
          ),
      };
    case 'access token':
      return { ...limit, 'expired-code': () => invalidRequestToken('oauth_token has expired') };
    case 'users lookup':
      return {
        ...limit,
        'revoked-token': () => problem(BELIEFS.bearer, 401, 'Unauthorized', 'the token was revoked'),
      };
    case 'verify credentials':
      return { ...limit, 'revoked-token': revoked };
    case 'revocation':
      return {
        ...limit,
        'revoked-token':
          version === '1.0'
            ? revoked
            : () =>
                invalidRequest(
                  BELIEFS.revokedToken,
                  'Value passed for the token was invalid.',
                  'token was revoked',
                ),
      };
    default:
      return limit;
  }
}

function rateLimit(clock: Clock, seconds: number): ErrorResponse {
  const headers = {
    'x-rate-limit-limit': LIMIT,
    'x-rate-limit-remaining': '0',
    'x-rate-limit-reset': String(Math.floor(clock.now() / 1000) + seconds),
  };
  const body = { errors: [{ code: 88, message: 'Rate limit exceeded' }] };
  return new ErrorResponse(json(body, 429, headers), 'too many requests', BELIEFS.rateLimit);
}
