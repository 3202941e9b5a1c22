import type { Belief } from '../core/evidence.js';
import type { NetworkRequest, Parameters, Refusal } from '../core/http.js';
import { ErrorResponse, json, oauthError, queryAndBody } from '../core/http.js';
import type { Case, FaultTable } from '../core/network.js';
import { errorPage } from '../pages/error-page.js';
import { html } from '../pages/page.js';
import { BELIEFS } from './beliefs.js';

const WRONG_REDIRECT_URI = 'redirect_uri is incorrect, check application redirect uri in the settings page';
const REDIRECT_URI_DIFFERS =
  'redirect_uri is invalid, please pass same redirect_uri, you used in authorize method.';

const CLASSIC_ERRORS = new Map<Belief, readonly [status: number, error: string, description: string]>([
  [BELIEFS.client, [401, 'invalid_client', 'client_id is incorrect']],
  [BELIEFS.clientSecret, [401, 'invalid_client', 'client_secret is incorrect']],
  [BELIEFS.noPkce, [400, 'invalid_request', 'Code challenge method is unsupported']],
  [BELIEFS.responseType, [400, 'unsupported_response_type', 'response_type is unsupported']],
  [BELIEFS.redirectUri, [400, 'invalid_request', WRONG_REDIRECT_URI]],
  [BELIEFS.redirectUriHttps, [400, 'invalid_request', WRONG_REDIRECT_URI]],
  [BELIEFS.scope, [400, 'invalid_scope', 'scope is incorrect']],
  [BELIEFS.grantType, [401, 'unsupported_grant_type', 'grant_type is unsupported']],
  [BELIEFS.code, [401, 'invalid_grant', 'Code is invalid or expired.']],
  [BELIEFS.sameRedirectUri, [400, 'invalid_grant', REDIRECT_URI_DIFFERS]],
]);

/** An error of the classic protocol. @param description - Default: the network's usual one, or the reason where it has none. */
export function classicError(belief: Belief, reason: string, description?: string): ErrorResponse {
  const [status, error, usual] = CLASSIC_ERRORS.get(belief) ?? [400, 'invalid_request', reason];
  return oauthError(belief, status, error, description ?? usual, reason);
}

export const vkIdErrorPage = errorPage(
  'Authorization error',
  html`<p>The request cannot be carried out.</p>\n<p><code>invalid_request</code></p>`,
);

const VK_ID_ERRORS: ReadonlyMap<Belief, readonly [error: string, description: string]> = new Map([
  [BELIEFS.rateLimit, ['slow_down', 'Too many requests']],
  [BELIEFS.vkIdClient, ['invalid_client', 'client_id is missing']],
  [BELIEFS.vkIdServiceToken, ['invalid_client', 'service_token is invalid']],
  [BELIEFS.vkIdGrantType, ['invalid_request', 'grant_type is missing or invalid']],
  [BELIEFS.vkIdCode, ['invalid_grant', 'code is invalid or expired']],
  [BELIEFS.vkIdDevice, ['invalid_request', 'device_id is invalid']],
  [BELIEFS.vkIdSameRedirectUri, ['invalid_request', 'redirect_uri is missing or invalid']],
  [BELIEFS.vkIdVerifier, ['invalid_request', 'verifier is missing or invalid']],
  [BELIEFS.vkIdRefreshToken, ['invalid_request', 'refresh_token is missing or invalid']],
  [BELIEFS.vkIdToken, ['invalid_token', 'access_token is missing or invalid']],
  [BELIEFS.vkIdIdToken, ['invalid_request', 'id_token is missing or invalid']],
]);

/** Errors repeat the `state`, even an empty one. */
export const vkIdError =
  (parameters: Parameters): Refusal =>
  (belief, reason) => {
    const [error, error_description] = VK_ID_ERRORS.get(belief) ?? [];
    const response = json({ error, error_description, state: parameters.one('state') ?? '' });
    return new ErrorResponse(response, reason, belief);
  };

/** Repeats the parameters, as the network does, even the access token: an application must not show them. */
export function apiError(
  belief: Belief,
  error_code: number,
  error_msg: string,
  reason: string,
  parameters?: Parameters,
): ErrorResponse {
  const sent = parameters ? [['oauth', '1'], ['method', 'users.get'], ...parameters] : [];
  const request_params = sent.map(([key, value]) => ({ key, value }));
  return new ErrorResponse(json({ error: { error_code, error_msg, request_params } }), reason, belief);
}

const PAGE = { redirect_uri: 'https://id.vk.ru/login?act=security_check' };
const invalid = (error_description: string): Case => [401, { error: 'invalid_request', error_description }];
function apiCase(error_code: number, error_msg: string, more: object = {}): Case {
  return [200, { error: { error_code, error_msg, ...more } }];
}

/** No response says how long to wait. @see https://dev.vk.com/ru/reference/errors (read 2026-11) */
export const CLASSIC_FAULTS: FaultTable = {
  rateLimit: () => apiError(BELIEFS.rateLimit, 6, 'Too many requests per second', 'too many requests'),
  'expired-code': { token: () => classicError(BELIEFS.code, 'code has expired') },
  'revoked-token': {
    'users.get': () => {
      const message = 'User authorization failed: user revoke access for this token.';
      return apiError(BELIEFS.token, 5, message, 'the token was revoked');
    },
  },
  cases: {
    token: {
      'redirect-uri-incorrect': invalid(WRONG_REDIRECT_URI),
      'wrong-domain': invalid('redirect_uri has wrong domain, check application settings'),
      'redirect-uri-blocked': invalid('redirect_uri is blocked'),
      'vk-id-application': invalid('Security Error'),
      'native-application': invalid('OAuth authorization cannot be used from native VK applications'),
      'too-many-tries': invalid('too much tries'),
      'flood-control': [401, { error: '9;Flood control' }],
      'validation-needed': [401, { error: 'need_validation', ...PAGE }],
      'captcha-needed': [401, { error: 'need_captcha', captcha_sid: '665120744537' }],
    },
    'users.get': {
      'other-address': apiCase(5, 'User authorization failed: access_token was given to another ip address.'),
      'captcha-needed': apiCase(14, 'Captcha needed', PAGE),
      'validation-needed': apiCase(17, 'Validation required', PAGE),
      deactivated: apiCase(15, 'Access denied: user deactivated'),
    },
  },
};

const vkIdFault = (belief: Belief, reason: string) => (request: NetworkRequest) =>
  vkIdError(queryAndBody(request))(belief, reason);
const revokedToken = vkIdFault(BELIEFS.vkIdToken, 'access_token was revoked');

export const VK_ID_FAULTS: FaultTable = {
  rateLimit: vkIdFault(BELIEFS.rateLimit, 'too many requests'),
  'expired-code': { token: vkIdFault(BELIEFS.vkIdCode, 'code has expired') },
  'revoked-token': {
    token: vkIdFault(BELIEFS.vkIdRefreshToken, 'refresh_token was revoked'),
    profile: revokedToken,
    revocation: revokedToken,
    logout: revokedToken,
  },
  cases: {
    token: {
      'device-missing': [200, { error: 'invalid_request', error_description: 'device id is missing' }],
    },
    profile: { challenge: [200, '', () => ({ 'x-challenge': 'required' })] },
  },
};
