import type { Belief } from '../core/evidence.js';
import { ErrorResponse, json, type NetworkRequest, type Parameters, queryAndBody } from '../core/http.js';
import type { FaultResponses } from '../core/network.js';
import { errorPage } from '../pages/error-page.js';
import { html } from '../pages/page.js';
import { BELIEFS } from './beliefs.js';

export const classicError = (
  belief: Belief,
  status: number,
  error: string,
  error_description: string,
  reason: string,
): ErrorResponse => new ErrorResponse(json({ error, error_description }, status), reason, belief);

export const classicCodeError = (reason: string): ErrorResponse =>
  classicError(BELIEFS.code, 401, 'invalid_grant', 'Code is invalid or expired.', reason);

/** VK ID's error page. It shows the reason, although the real network does not say it. */
export function vkIdErrorPage(belief: Belief, reason: string): ErrorResponse {
  const content = html`<p>The request cannot be carried out.</p>
<p><code>invalid_request</code></p>`;
  return errorPage({ title: 'Authorization error', content, reason, belief, status: 400 });
}

const VK_ID_ERRORS = {
  rateLimit: [BELIEFS.rateLimit, 'slow_down', 'Too many requests'],
  client: [BELIEFS.vkIdClient, 'invalid_client', 'client_id is missing'],
  serviceToken: [BELIEFS.vkIdServiceToken, 'invalid_client', 'service_token is invalid'],
  grantType: [BELIEFS.vkIdGrantType, 'invalid_request', 'grant_type is missing or invalid'],
  code: [BELIEFS.vkIdCode, 'invalid_grant', 'code is invalid or expired'],
  device: [BELIEFS.vkIdDevice, 'invalid_request', 'device_id is invalid'],
  redirectUri: [BELIEFS.vkIdSameRedirectUri, 'invalid_request', 'redirect_uri is missing or invalid'],
  verifier: [BELIEFS.vkIdVerifier, 'invalid_request', 'verifier is missing or invalid'],
  refreshToken: [BELIEFS.vkIdRefreshToken, 'invalid_request', 'refresh_token is missing or invalid'],
  token: [BELIEFS.vkIdToken, 'invalid_token', 'access_token is missing or invalid'],
  idToken: [BELIEFS.vkIdIdToken, 'invalid_request', 'id_token is missing or invalid'],
} as const;

/** Errors repeat the `state`, even an empty one. Without a reason, the description is the reason. */
export function vkIdErrors(parameters: Parameters) {
  return (of: keyof typeof VK_ID_ERRORS, reason?: string): ErrorResponse => {
    const [belief, error, error_description] = VK_ID_ERRORS[of];
    const response = json({ error, error_description, state: parameters.get('state') ?? '' });
    return new ErrorResponse(response, reason ?? error_description, belief);
  };
}

/** Repeats the parameters, as the network does, even the access token: an application must not show them. */
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

/** No response says how long to wait. @see https://dev.vk.com/ru/reference/errors (read 2026-11) */
export const socialNetworkFaultResponses = (endpoint: string, version?: string): FaultResponses =>
  version === '2.1' ? vkIdFaultResponses(endpoint) : classicFaultResponses(endpoint);

function classicFaultResponses(endpoint: string): FaultResponses {
  const message = 'User authorization failed: user revoke access for this token.';
  return {
    'rate-limit': () => apiError(BELIEFS.rateLimit, 6, 'Too many requests per second', 'too many requests'),
    ...(endpoint === 'token' && { 'expired-code': () => classicCodeError('code has expired') }),
    ...(endpoint === 'users.get' && {
      'revoked-token': () => apiError(BELIEFS.token, 5, message, 'the token was revoked'),
    }),
  };
}

function vkIdFaultResponses(endpoint: string): FaultResponses {
  const respond = (of: keyof typeof VK_ID_ERRORS, reason: string) => (request: NetworkRequest) =>
    vkIdErrors(queryAndBody(request))(of, reason);
  const takesToken = ['profile', 'revocation', 'logout'].includes(endpoint);
  return {
    'rate-limit': respond('rateLimit', 'too many requests'),
    ...(endpoint === 'token' && {
      'expired-code': respond('code', 'code has expired'),
      'revoked-token': respond('refreshToken', 'refresh_token was revoked'),
    }),
    ...(takesToken && { 'revoked-token': respond('token', 'access_token was revoked') }),
  };
}
