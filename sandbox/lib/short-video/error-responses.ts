import type { Belief } from '../core/evidence.js';
import { ErrorResponse, json } from '../core/http.js';
import type { FaultResponses } from '../core/network.js';
import { randomHex } from '../core/oauth.js';
import type { Clock } from '../core/world.js';
import { BELIEFS } from './beliefs.js';

/** An error of the OAuth endpoints: a flat object, with HTTP 200. */
export function shortVideoOAuthError(
  clock: Clock,
  belief: Belief,
  error: string,
  error_description: string,
  reason: string,
): ErrorResponse {
  const log_id = logId(clock);
  const response = json({ error, error_description, log_id }, 200, { 'x-tt-logid': log_id });
  return new ErrorResponse(response, reason, belief);
}

/** Status and message of the API's errors. */
const API_ERRORS = {
  access_token_invalid: {
    status: 401,
    message: 'Access token is invalid, please refresh token and retry',
  },
  invalid_params: { status: 400, message: 'The fields parameter is invalid.' },
  rate_limit_exceeded: {
    status: 429,
    message: 'The API rate limit was exceeded. Please try again later.',
  },
  scope_not_authorized: {
    status: 401,
    message: 'The user did not authorize the scope required for completing this request.',
  },
} as const;

/** An error of the API: a nested object, with an HTTP error status. */
export function shortVideoApiError(
  clock: Clock,
  belief: Belief,
  code: keyof typeof API_ERRORS,
  reason: string,
): ErrorResponse {
  const { status, message } = API_ERRORS[code];
  const log_id = logId(clock);
  const response = json({ data: {}, error: { code, message, log_id } }, status, { 'x-tt-logid': log_id });
  return new ErrorResponse(response, reason, belief);
}

/** The network's request ID, 34 characters: the time to the second, then random hex digits in capitals. */
export function logId(clock: Clock): string {
  const digits = new Date(clock.now()).toISOString().replace(/\D/g, '');
  return `${digits.slice(0, 14)}${randomHex(20).toUpperCase()}`;
}

/**
 * Error responses of the short-video network under a fault, by endpoint.
 *
 * The OAuth endpoints have no documented limit, so they send the API's error. No response says how long to wait.
 *
 * @see https://developers.tiktok.com/doc/tiktok-api-v2-error-handling (read 2026-11)
 */
export function shortVideoFaultResponses(clock: Clock, endpoint: string): FaultResponses {
  const limit = {
    'rate-limit': () =>
      shortVideoApiError(clock, BELIEFS.rateLimit, 'rate_limit_exceeded', 'too many requests'),
  };
  const invalidGrant = (belief: Belief, description: string, reason: string) => (): ErrorResponse =>
    shortVideoOAuthError(clock, belief, 'invalid_grant', description, reason);
  switch (endpoint) {
    case 'token':
      return {
        ...limit,
        'expired-code': invalidGrant(BELIEFS.code, 'Authorization code is expired.', 'code has expired'),
        'revoked-token': invalidGrant(
          BELIEFS.refreshToken,
          'Refresh token is invalid or expired.',
          'refresh_token was revoked',
        ),
      };
    case 'revocation':
      return {
        ...limit,
        'revoked-token': invalidGrant(
          BELIEFS.revocation,
          'Access token is invalid or expired.',
          'token was revoked',
        ),
      };
    case 'profile': {
      const reason = 'the bearer token was revoked';
      return {
        ...limit,
        'revoked-token': () => shortVideoApiError(clock, BELIEFS.bearer, 'access_token_invalid', reason),
      };
    }
    default:
      return limit;
  }
}
