import type { Application } from '../clients.js';
import type { Belief } from '../evidence.js';
import { errorPage } from '../pages/error-page.js';
import { html } from '../pages/page.js';
import { isLoopback, plainHttpProblem, redirectUriProblem } from '../redirect-uri.js';
import type { NetworkRequest, Parameters } from '../request.js';
import { ErrorResponse } from '../response.js';
import { BELIEFS } from './beliefs.js';
import { SHORT_VIDEO_SCOPES } from './record.js';

/** A valid authorization request to the short-video network. */
export interface ShortVideoRequest {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly challenge?: string;
  readonly state: string | undefined;
}

/**
 * Validates an authorization request.
 *
 * @throws ErrorResponse with an error page. This network never redirects an invalid request back.
 * @see https://developers.tiktok.com/doc/login-kit-web and https://developers.tiktok.com/doc/login-kit-desktop/ (read 2026-11)
 */
export function readShortVideoRequest(request: NetworkRequest, application: Application): ShortVideoRequest {
  const { query } = request;
  checkClientKey(query, application);
  if (query.get('response_type') !== 'code') {
    const reason = 'response_type is not "code"';
    throw shortVideoErrorPage(BELIEFS.responseType, 'param_error', 'response_type', reason);
  }
  const scopes = readScopes(query.get('scope') ?? '');
  const redirectUri = readRedirectUri(query.get('redirect_uri'));
  const challenge = readChallenge(request, redirectUri);
  if (!['0', '1', undefined].includes(query.get('disable_auto_auth'))) {
    const reason = 'disable_auto_auth is neither 0 nor 1';
    throw shortVideoErrorPage(BELIEFS.autoAuth, 'param_error', 'disable_auto_auth', reason);
  }
  return { redirectUri, scopes, state: query.get('state'), ...(challenge !== undefined && { challenge }) };
}

/**
 * The network's error page. It shows the parameters that the real page has in its URL.
 *
 * @param reason - Shown on the page, although the real network does not say it.
 */
export function shortVideoErrorPage(
  belief: Belief,
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
  const content = html`<p>We couldn't log in to the application. This may be due to specific app settings.</p>
<p><code>${parameters.toString()}</code></p>`;
  const response = errorPage({ title: 'Something went wrong', content, reason, belief, status: 400 });
  return new ErrorResponse(response, reason, belief);
}

function checkClientKey(query: Parameters, application: Application): void {
  const key = query.get('client_key');
  if (!key) {
    const reason = query.has('client_id')
      ? 'client_id is sent, this network wants client_key'
      : 'client_key is missing';
    throw shortVideoErrorPage(BELIEFS.clientKey, 'param_error', 'client_key', reason, 10003);
  }
  if (key !== application.id) {
    const reason = 'client_key belongs to no application of the sandbox';
    throw shortVideoErrorPage(BELIEFS.clientKey, 'unauthorized_client', 'client_key', reason);
  }
}

function readScopes(scope: string): readonly string[] {
  if (/\s/.test(scope)) {
    const reason = 'scopes are joined by spaces, this network wants commas';
    throw shortVideoErrorPage(BELIEFS.scopeSeparator, 'param_error', 'scope', reason);
  }
  const scopes = [...new Set(scope.split(','))];
  if (!scopes.every((name) => SHORT_VIDEO_SCOPES.includes(name))) {
    const reason = 'scope is missing or names one that the application does not have';
    throw shortVideoErrorPage(BELIEFS.scope, 'param_error', 'scope', reason);
  }
  return scopes;
}

function readRedirectUri(redirectUri: string | undefined): string {
  const problem = redirectUriProblem(redirectUri) ?? formProblem(redirectUri ?? '');
  if (redirectUri === undefined || problem !== undefined) {
    const reason = problem ?? 'redirect_uri is missing';
    throw shortVideoErrorPage(BELIEFS.redirectUri, 'param_error', 'redirect_uri', reason, 10006);
  }
  const unsafe = plainHttpProblem(redirectUri) ?? loopbackProblem(new URL(redirectUri));
  if (unsafe === undefined) return redirectUri;
  throw shortVideoErrorPage(BELIEFS.redirectUriHttps, 'param_error', 'redirect_uri', unsafe, 10006);
}

/** Why the developer portal would not have registered the redirect URI. */
function formProblem(redirectUri: string): string | undefined {
  if (redirectUri.includes('?')) return 'redirect_uri has a query';
  return redirectUri.length >= 512 ? 'redirect_uri has 512 characters or more' : undefined;
}

function loopbackProblem({ hostname, port }: URL): string | undefined {
  if (!isLoopback(hostname)) return undefined;
  if (!['localhost', '127.0.0.1'].includes(hostname))
    return 'redirect_uri is neither localhost nor 127.0.0.1';
  return port === '' ? 'redirect_uri names no port, which a loopback address needs' : undefined;
}

/**
 * Reads the code challenge, which is hex, unlike in RFC 7636. At a loopback redirect URI, which only desktop applications may have,
 * it is required. There the token endpoint rejects another form, not this page.
 */
function readChallenge({ query, notes }: NetworkRequest, redirectUri: string): string | undefined {
  const challenge = query.get('code_challenge') || undefined;
  const isDesktop = isLoopback(new URL(redirectUri).hostname);
  if (challenge === undefined) {
    if (!isDesktop) return undefined;
    const reason = 'code_challenge is missing, which a loopback redirect_uri needs';
    throw challengeErrorPage(BELIEFS.challenge, reason);
  }
  if (query.get('code_challenge_method') !== 'S256') {
    throw challengeErrorPage(BELIEFS.challengeMethod, 'code_challenge_method is not "S256"');
  }
  if (!isDesktop && !/^[0-9a-f]{64}$/.test(challenge)) {
    const reason = 'code_challenge is no SHA-256 in lower-case hex';
    notes.refuseOrNote(challengeErrorPage(BELIEFS.challengeForm, reason));
  }
  return challenge;
}

function challengeErrorPage(belief: Belief, reason: string): ErrorResponse {
  return shortVideoErrorPage(belief, 'param_error', 'code_challenge', reason, 10007);
}
