import { authorizationEndpoints, type ConsentRequest } from '../authorization.js';
import type { Application } from '../clients.js';
import type { Clock } from '../clock.js';
import type { Belief } from '../evidence.js';
import {
  type AuthorizationCode,
  type Credentials,
  type Grant,
  type LookupResult,
  liveGrant,
  rejectionReason,
} from '../grants.js';
import type { Endpoint, Network } from '../network.js';
import { isVerifier, verifierMatches } from '../pkce.js';
import { isLoopback, withParameters } from '../redirect-uri.js';
import { bearerToken, type NetworkRequest, type Parameters } from '../request.js';
import { type ErrorResponse, json, type NetworkResponse, redirect } from '../response.js';
import { randomString, secretsEqual } from '../secrets.js';
import type { World } from '../world.js';
import { APPEARANCE } from './appearance.js';
import { readShortVideoRequest, shortVideoErrorPage } from './authorization.js';
import { BELIEFS } from './beliefs.js';
import { shortVideoOAuthError } from './error-responses.js';
import { SHORT_VIDEO } from './options.js';

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
