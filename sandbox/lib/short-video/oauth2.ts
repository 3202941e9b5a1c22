import type { Application } from '../core/clients.js';
import type { Belief } from '../core/evidence.js';
import {
  bearerToken,
  ErrorResponse,
  json,
  type NetworkRequest,
  type NetworkResponse,
  type Parameters,
  redirect,
} from '../core/http.js';
import type { Endpoint, Network } from '../core/network.js';
import {
  isLoopback,
  isVerifier,
  plainHttpProblem,
  randomString,
  redirectUriProblem,
  secretsEqual,
  verifierMatches,
  withParameters,
} from '../core/oauth.js';
import {
  type AuthorizationCode,
  type Clock,
  type Credentials,
  type Grant,
  type LookupResult,
  liveGrant,
  rejectionReason,
  type World,
} from '../core/world.js';
import { authorizationEndpoints, type ConsentRequest } from '../pages/authorization.js';
import { errorPage } from '../pages/error-page.js';
import { html } from '../pages/page.js';
import { BELIEFS } from './beliefs.js';
import { shortVideoOAuthError } from './error-responses.js';
import { APPEARANCE, SHORT_VIDEO } from './options.js';
import { SHORT_VIDEO_SCOPES } from './record.js';

/** Seconds. The token response states the last two; the network has changed them before. */
const LIFETIME = { code: 60, accessToken: 7_200, refreshToken: 15_552_000 };

/** The only scope that the user cannot untick. */
const BASIC_SCOPE = 'user.info.basic';

/**
 * The short-video network's OAuth 2.0: TikTok, Login Kit v2. The token and revocation endpoints send errors with HTTP 200.
 *
 * @see https://developers.tiktok.com/doc/login-kit-web (read 2026-11)
 * @see https://developers.tiktok.com/doc/oauth-get-a-user-access-token (read 2026-11)
 */
export class ShortVideoOAuth2 implements Network {
  readonly endpoints: readonly Endpoint[];
  private readonly application: Required<Pick<Application, 'id' | 'secret'>> & Application;
  private readonly codes: Credentials<AuthorizationCode>;
  private readonly accessTokens: Credentials<Grant>;
  private readonly refreshTokens: Credentials<Grant>;

  constructor(private readonly world: World) {
    this.application = world.registered(SHORT_VIDEO);
    this.codes = world.credentials();
    this.accessTokens = world.credentials();
    this.refreshTokens = world.credentials();
    this.endpoints = [
      ...authorizationEndpoints({
        network: 'short-video',
        paths: ['/short-video/v2/auth/authorize/', '/short-video/v2/auth/authorize'],
        appearance: APPEARANCE,
        people: world.people,
        read: (request) => this.consent(request),
        reject: (belief, reason) => shortVideoErrorPage(belief, 'param_error', 'request', reason),
      }),
      post('token', '/short-video/v2/oauth/token/', (request) => this.token(request)),
      post('revocation', '/short-video/v2/oauth/revoke/', (request) => this.revoke(request)),
    ];
  }

  /** Looks up the bearer token of a request. */
  findBearer(request: NetworkRequest): LookupResult<Grant> {
    return this.accessTokens.find(bearerToken(request));
  }

  private consent(request: NetworkRequest): ConsentRequest {
    const { redirectUri, scopes, state, challenge } = readShortVideoRequest(request, this.application);
    return {
      application: this.application,
      scopes,
      optionalScopes: scopes.filter((scope) => scope !== BASIC_SCOPE),
      allow: (person, granted) => {
        const grant: Grant = { application: this.application, person, scopes: granted, ended: false };
        const authorization = { grant, redirectUri, ...(challenge !== undefined && { challenge }) };
        const code = this.codes.issue(`${randomString(40)}*1!4608.va`, authorization, LIFETIME.code);
        return redirect(withParameters(redirectUri, { code, scopes: granted.join(','), state }));
      },
      deny: () => {
        const error = { error: 'access_denied', error_description: 'User cancelled the login.' };
        return redirect(withParameters(redirectUri, { ...error, state }));
      },
    };
  }

  private token(request: NetworkRequest): NetworkResponse {
    const { form } = request;
    checkClient(this.world.clock, request, this.application);
    switch (form.get('grant_type')) {
      case 'authorization_code':
        return this.tokens(this.exchange(form));
      case 'refresh_token':
        return this.tokens(this.refresh(form));
      case undefined:
        throw this.error(
          BELIEFS.grantType,
          'invalid_request',
          'The request parameters are malformed.',
          'grant_type is missing',
        );
      default:
        throw this.error(
          BELIEFS.grantType,
          'unsupported_grant_type',
          'Grant type is not supported.',
          'grant_type is unknown',
        );
    }
  }

  /** Uses the code up, even when the exchange fails. */
  private exchange(form: Parameters): Grant {
    const found = this.codes.use(form.get('code'));
    if (found.state !== 'live') {
      const reason = rejectionReason('code', found);
      throw this.error(BELIEFS.code, 'invalid_grant', 'Authorization code is expired.', reason);
    }
    const { grant, redirectUri, challenge } = found.value;
    if (form.get('redirect_uri') !== redirectUri) {
      const description = 'Redirect_uri is not matched with the uri when requesting code.';
      const reason = 'redirect_uri differs from the authorization request';
      throw this.error(BELIEFS.sameRedirectUri, 'invalid_request', description, reason);
    }
    const problem = challenge && verifierProblem(form.get('code_verifier'), challenge, redirectUri);
    if (problem) {
      const description = 'Code verifier or code challenge is invalid.';
      throw this.error(BELIEFS.verifier, 'invalid_request', description, problem);
    }
    return grant;
  }

  private refresh(form: Parameters): Grant {
    const found = this.refreshTokens.use(form.get('refresh_token'));
    const grant = liveGrant(found);
    if (grant) return grant;
    const reason = rejectionReason('refresh_token', found);
    throw this.error(BELIEFS.refreshToken, 'invalid_grant', 'Refresh token is invalid or expired.', reason);
  }

  private tokens(grant: Grant): NetworkResponse {
    const { accessToken, refreshToken } = LIFETIME;
    return json({
      access_token: this.accessTokens.issue(`act.${randomString(48)}!4608`, grant, accessToken),
      expires_in: accessToken,
      open_id: grant.person.openId,
      refresh_expires_in: refreshToken,
      refresh_token: this.refreshTokens.issue(`rft.${randomString(48)}!4608`, grant, refreshToken),
      scope: grant.scopes.join(','),
      token_type: 'Bearer',
    });
  }

  /** Ends the user's consent, and so every token of it. Accepts only an access token that has not expired. */
  private revoke(request: NetworkRequest): NetworkResponse {
    checkClient(this.world.clock, request, this.application);
    const found = this.accessTokens.find(request.form.get('token'));
    const grant = liveGrant(found);
    if (!grant) {
      const reason = rejectionReason('token', found);
      throw this.error(BELIEFS.revocation, 'invalid_grant', 'Access token is invalid or expired.', reason);
    }
    grant.ended = true;
    return json({});
  }

  private error(belief: Belief, error: string, description: string, reason: string): ErrorResponse {
    return shortVideoOAuthError(this.world.clock, belief, error, description, reason);
  }
}

/**
 * Why a code verifier is rejected; `undefined` for the right one. A desktop application's challenge must be hex. At an https
 * redirect URI base64url is known to work, too.
 */
function verifierProblem(
  verifier: string | undefined,
  challenge: string,
  redirectUri: string,
): string | undefined {
  if (isVerifier(verifier) && verifierMatches(verifier, challenge, 'hex')) return undefined;
  if (!isVerifier(verifier) || !verifierMatches(verifier, challenge, 'base64url')) {
    return 'code_verifier does not match code_challenge, its SHA-256 in hex';
  }
  if (!isLoopback(new URL(redirectUri).hostname)) return undefined;
  return 'code_challenge is base64url; with a loopback redirect_uri this network wants hex';
}

/**
 * Authenticates the client of a token, refresh or revocation request. The network reads credentials only from a form body,
 * neither from JSON nor from HTTP Basic.
 *
 * @throws ErrorResponse when they are missing or wrong.
 */
function checkClient(
  clock: Clock,
  { form, isForm }: NetworkRequest,
  { id, secret }: Required<Pick<Application, 'id' | 'secret'>>,
): void {
  if (!isForm) {
    const description = 'Only `application/x-www-form-urlencoded` is accepted as Content-Type.';
    const reason = 'the body is not application/x-www-form-urlencoded';
    throw shortVideoOAuthError(clock, BELIEFS.form, 'invalid_request', description, reason);
  }
  const isClient = form.get('client_key') === id;
  if (!isClient || !secretsEqual(form.get('client_secret'), secret)) {
    const reason = 'client_key or client_secret is missing from the body, or wrong';
    const description = 'Client key or secret is incorrect.';
    throw shortVideoOAuthError(clock, BELIEFS.client, 'invalid_client', description, reason);
  }
}

function post(name: string, path: string, handle: Endpoint['handle']): Endpoint {
  return { network: 'short-video', name, method: 'post', path, handle };
}

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
