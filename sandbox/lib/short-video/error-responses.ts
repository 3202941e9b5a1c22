import type { Belief } from '../core/evidence.js';
import { ErrorResponse, json, type Refusal } from '../core/http.js';
import type { Case, FaultTable } from '../core/network.js';
import { randomString } from '../core/secrets.js';
import { errorPage } from '../pages/error-page.js';
import { html } from '../pages/page.js';
import { BELIEFS } from './beliefs.js';

const PAGE_ERRORS: ReadonlyMap<Belief, readonly [errorType: string, errCode?: string]> = new Map([
  [BELIEFS.clientKey, ['client_key', '10003']],
  [BELIEFS.responseType, ['response_type']],
  [BELIEFS.scopeSeparator, ['scope']],
  [BELIEFS.scope, ['scope']],
  [BELIEFS.redirectUri, ['redirect_uri', '10006']],
  [BELIEFS.redirectUriHttps, ['redirect_uri', '10006']],
  [BELIEFS.autoAuth, ['disable_auto_auth']],
  [BELIEFS.challenge, ['code_challenge', '10007']],
  [BELIEFS.challengeMethod, ['code_challenge', '10007']],
  [BELIEFS.challengeForm, ['code_challenge', '10007']],
]);

/** Shows the parameters that the real page has in its URL, and the reason, although the real network does not say it. */
export function pageError(belief: Belief, reason: string, error = 'param_error'): ErrorResponse {
  const [error_type, errCode] = PAGE_ERRORS.get(belief) ?? ['request'];
  const withCode = errCode !== undefined && error === 'param_error';
  const parameters = new URLSearchParams({ error, ...(withCode && { errCode }), error_type });
  const content = html`<p>We couldn't log in to the application. This may be due to specific app settings.</p>
<p><code>${parameters.toString()}</code></p>`;
  return errorPage('Something went wrong', content)(belief, reason);
}

type OAuthRow = readonly [error: string, description: string];

const invalid = (description: string): OAuthRow => ['invalid_request', description];

const OAUTH_ERRORS = new Map<Belief, OAuthRow>([
  [BELIEFS.form, invalid('Only `application/x-www-form-urlencoded` is accepted as Content-Type.')],
  [BELIEFS.client, ['invalid_client', 'Client key or secret is incorrect.']],
  [BELIEFS.grantType, ['unsupported_grant_type', 'Grant type is not supported.']],
  [BELIEFS.code, ['invalid_grant', 'Authorization code is expired.']],
  [BELIEFS.sameRedirectUri, invalid('Redirect_uri is not matched with the uri when requesting code.')],
  [BELIEFS.verifier, invalid('Code verifier or code challenge is invalid.')],
  [BELIEFS.refreshToken, ['invalid_grant', 'Refresh token is invalid or expired.']],
  [BELIEFS.revocation, ['invalid_grant', 'Access token is invalid or expired.']],
]);

/** An error of the OAuth endpoints: a flat object, with HTTP 200. @param malformed - Words for a request that is invalid in itself. */
export function tokenError(belief: Belief, reason: string, malformed?: string): ErrorResponse {
  const [error, error_description] = malformed ? invalid(malformed) : (OAUTH_ERRORS.get(belief) ?? []);
  const log_id = logId();
  const response = json({ error, error_description, log_id }, 200, { 'x-tt-logid': log_id });
  return new ErrorResponse(response, reason, belief);
}

const API_ERRORS = {
  access_token_invalid: [401, 'Access token is invalid, please refresh token and retry'],
  invalid_params: [400, 'The fields parameter is invalid.'],
  rate_limit_exceeded: [429, 'The API rate limit was exceeded. Please try again later.'],
  scope_not_authorized: [401, 'The user did not authorize the scope required for completing this request.'],
} as const;

/** An error of the API: a nested object, with an HTTP error status. */
export const apiError =
  (code: keyof typeof API_ERRORS): Refusal =>
  (belief, reason) => {
    const [status, message] = API_ERRORS[code];
    const log_id = logId();
    const response = json({ data: {}, error: { code, message, log_id } }, status, { 'x-tt-logid': log_id });
    return new ErrorResponse(response, reason, belief);
  };

/** The network's request ID, 34 characters: the machine's time to the second, then random hex digits in capitals. */
export function logId(): string {
  const digits = new Date().toISOString().replace(/\D/g, '');
  return `${digits.slice(0, 14)}${randomString(20, 'hex').toUpperCase()}`;
}

const OLDER_FORM: Case = [200, { data: { description: 'Request error', error_code: 1000 }, message: '' }];

/** The OAuth endpoints have no documented limit, so they send the API's error. No response says how long to wait. */
export const FAULTS: FaultTable = {
  rateLimit: () => apiError('rate_limit_exceeded')(BELIEFS.rateLimit, 'too many requests'),
  'expired-code': { token: () => tokenError(BELIEFS.code, 'code has expired') },
  'revoked-token': {
    token: () => tokenError(BELIEFS.refreshToken, 'refresh_token was revoked'),
    revocation: () => tokenError(BELIEFS.revocation, 'token was revoked'),
    profile: () => apiError('access_token_invalid')(BELIEFS.bearer, 'the bearer token was revoked'),
  },
  cases: { token: { 'older-form': OLDER_FORM }, profile: { 'older-form': OLDER_FORM } },
};
