import { html, page } from '../pages/page.js';
import { isLoopback, redirectUriProblem } from '../redirect-uri.js';
import type { Parameters } from '../request.js';
import { ErrorResponse } from '../response.js';
import { SHORT_VIDEO } from './options.js';
import { SHORT_VIDEO_SCOPES } from './record.js';

/** A valid authorization request to the short-video network. */
export interface ShortVideoRequest {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly challenge?: string;
  readonly state: string | undefined;
}

/**
 * Validates an authorization request as strictly as the network does.
 *
 * @throws ErrorResponse with an error page. This network never redirects an invalid request back.
 * @see https://developers.tiktok.com/doc/login-kit-web and https://developers.tiktok.com/doc/login-kit-desktop/ (read 2026-11)
 */
export function readShortVideoRequest(query: Parameters): ShortVideoRequest {
  checkClientKey(query);
  if (query.get('response_type') !== 'code') {
    throw shortVideoErrorPage('param_error', 'response_type', 'response_type is not "code"');
  }
  const scopes = readScopes(query.get('scope') ?? '');
  const redirectUri = readRedirectUri(query.get('redirect_uri'));
  const challenge = readChallenge(query, redirectUri);
  if (!['0', '1', undefined].includes(query.get('disable_auto_auth'))) {
    throw shortVideoErrorPage('param_error', 'disable_auto_auth', 'disable_auto_auth is neither 0 nor 1');
  }
  return { redirectUri, scopes, state: query.get('state'), ...(challenge !== undefined && { challenge }) };
}

/**
 * The network's error page. It shows the parameters that the real page has in its URL.
 *
 * @param reason - Shown on the page, although the real network does not say it.
 */
export function shortVideoErrorPage(
  error: string,
  errorType: string,
  reason: string,
  errCode?: number,
): ErrorResponse {
  const parameters = new URLSearchParams({
    error,
    ...(errCode !== undefined && { errCode: String(errCode) }),
    error_type: errorType,
  });
  const content = html`<h1>Something went wrong</h1>
<p>We couldn't log in to the application. This may be due to specific app settings.</p>
<p>${reason}</p>
<p><code>${parameters.toString()}</code></p>`;
  return new ErrorResponse(page('Something went wrong', content, { status: 400 }), reason);
}

function checkClientKey(query: Parameters): void {
  const key = query.get('client_key');
  if (!key) {
    const reason = query.has('client_id')
      ? 'client_id is sent, this network wants client_key'
      : 'client_key is missing';
    throw shortVideoErrorPage('param_error', 'client_key', reason, 10003);
  }
  if (key !== SHORT_VIDEO.id) {
    throw shortVideoErrorPage(
      'unauthorized_client',
      'client_key',
      'client_key belongs to no application of the sandbox',
    );
  }
}

function readScopes(scope: string): readonly string[] {
  if (/\s/.test(scope)) {
    throw shortVideoErrorPage(
      'param_error',
      'scope',
      'scopes are joined by spaces, this network wants commas',
    );
  }
  const scopes = [...new Set(scope.split(','))];
  if (!scopes.every((name) => SHORT_VIDEO_SCOPES.includes(name))) {
    throw shortVideoErrorPage(
      'param_error',
      'scope',
      'scope is missing or names one that the application does not have',
    );
  }
  return scopes;
}

function readRedirectUri(redirectUri: string | undefined): string {
  const problem =
    redirectUriProblem(redirectUri) ?? registrationProblem(new URL(redirectUri ?? ''), redirectUri ?? '');
  if (problem !== undefined || redirectUri === undefined) {
    throw shortVideoErrorPage('param_error', 'redirect_uri', problem ?? 'redirect_uri is missing', 10006);
  }
  return redirectUri;
}

/** Why the developer portal would not have registered the redirect URI. */
function registrationProblem(url: URL, redirectUri: string): string | undefined {
  if (redirectUri.includes('?')) return 'redirect_uri has a query';
  if (redirectUri.length >= 512) return 'redirect_uri has 512 characters or more';
  if (!isLoopback(url.hostname)) return undefined;
  if (!['localhost', '127.0.0.1'].includes(url.hostname)) {
    return 'redirect_uri is neither localhost nor 127.0.0.1';
  }
  return url.port === '' ? 'redirect_uri names no port, which a loopback address needs' : undefined;
}

/** Only desktop applications may use a loopback redirect URI, and they must use PKCE. The challenge is hex, unlike RFC 7636. */
function readChallenge(query: Parameters, redirectUri: string): string | undefined {
  const challenge = query.get('code_challenge');
  if (challenge === undefined) {
    if (!isLoopback(new URL(redirectUri).hostname)) return undefined;
    throw challengeErrorPage('code_challenge is missing, which a loopback redirect_uri needs');
  }
  if (/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw challengeErrorPage('code_challenge is base64url; this network wants hex');
  }
  if (!/^[0-9a-f]{64}$/.test(challenge)) {
    throw challengeErrorPage('code_challenge is no SHA-256 in lower-case hex');
  }
  if (query.get('code_challenge_method') !== 'S256') {
    throw challengeErrorPage('code_challenge_method is not "S256"');
  }
  return challenge;
}

function challengeErrorPage(reason: string): ErrorResponse {
  return shortVideoErrorPage('param_error', 'code_challenge', reason, 10007);
}
