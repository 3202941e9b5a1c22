import type { Belief } from '../core/evidence.js';
import { ErrorResponse, json, type NetworkRequest, type Parameters, queryAndBody } from '../core/http.js';
import type { Endpoint, FaultResponses } from '../core/network.js';
import { BELIEFS } from './beliefs.js';

/** An error of the classic protocol's authorization and token endpoints. */
export function classicError(
  belief: Belief,
  status: number,
  error: string,
  error_description: string,
  reason: string,
): ErrorResponse {
  return new ErrorResponse(json({ error, error_description }, status), reason, belief);
}

/** An error of VK ID. Repeats the request's `state`, even an empty one, as every response of the token endpoint does. */
export function vkIdError(
  belief: Belief,
  parameters: Parameters,
  error: string,
  error_description: string,
  reason = error_description,
): ErrorResponse {
  const response = json({ error, error_description, state: parameters.get('state') ?? '' });
  return new ErrorResponse(response, reason, belief);
}

/**
 * An error of the API.
 *
 * @param parameters - Repeated in the error, as the network does. They may include the access token, so an application must
 *   not show them.
 */
export function apiError(
  belief: Belief,
  error_code: number,
  error_msg: string,
  reason: string,
  parameters?: Parameters,
): ErrorResponse {
  const sent = parameters?.entries().map(([key, value]) => ({ key, value }));
  const request_params = sent
    ? [{ key: 'oauth', value: '1' }, { key: 'method', value: 'users.get' }, ...sent]
    : [];
  return new ErrorResponse(json({ error: { error_code, error_msg, request_params } }), reason, belief);
}

/**
 * Error responses of the social network under a fault, by endpoint. No response says how long to wait.
 *
 * @see https://dev.vk.com/ru/reference/errors (read 2026-11)
 */
export function socialNetworkFaultResponses({ name }: Endpoint, version: string | undefined): FaultResponses {
  return version === '2.1' ? vkIdFaultResponses(name) : classicFaultResponses(name);
}

function classicFaultResponses(name: string): FaultResponses {
  const limit = {
    'rate-limit': () => apiError(BELIEFS.rateLimit, 6, 'Too many requests per second', 'too many requests'),
  };
  if (name === 'token') {
    const reason = 'code has expired';
    return {
      ...limit,
      'expired-code': () =>
        classicError(BELIEFS.code, 401, 'invalid_grant', 'Code is invalid or expired.', reason),
    };
  }
  if (name !== 'users.get') return limit;
  const message = 'User authorization failed: user revoke access for this token.';
  return { ...limit, 'revoked-token': () => apiError(BELIEFS.token, 5, message, 'the token was revoked') };
}

function vkIdFaultResponses(name: string): FaultResponses {
  const respond =
    (belief: Belief, error: string, description: string, reason: string) => (request: NetworkRequest) =>
      vkIdError(belief, queryAndBody(request), error, description, reason);
  const limit = {
    'rate-limit': respond(BELIEFS.rateLimit, 'slow_down', 'Too many requests', 'too many requests'),
  };
  switch (name) {
    case 'token':
      return {
        ...limit,
        'expired-code': respond(
          BELIEFS.vkIdCode,
          'invalid_grant',
          'code is invalid or expired',
          'code has expired',
        ),
        'revoked-token': respond(
          BELIEFS.vkIdRefreshToken,
          'invalid_request',
          'refresh_token is missing or invalid',
          'refresh_token was revoked',
        ),
      };
    case 'profile':
    case 'revocation':
    case 'logout':
      return {
        ...limit,
        'revoked-token': respond(
          BELIEFS.vkIdToken,
          'invalid_token',
          'access_token is missing or invalid',
          'access_token was revoked',
        ),
      };
    default:
      return limit;
  }
}
