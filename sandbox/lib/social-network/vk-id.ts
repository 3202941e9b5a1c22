import type { Application } from '../core/clients.js';
import type { Belief } from '../core/evidence.js';
import {
  bearerToken,
  ErrorResponse,
  json,
  type NetworkRequest,
  type NetworkResponse,
  type Parameters,
  plain,
  queryAndBody,
  redirect,
} from '../core/http.js';
import type { Endpoint, Network } from '../core/network.js';
import {
  isVerifier,
  plainHttpProblem,
  randomString,
  redirectUriProblem,
  secretsEqual,
  verifierMatches,
  withParameters,
} from '../core/oauth.js';
import type { SandboxPerson } from '../core/people.js';
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
import { maskedVkIdUser, vkIdUser } from './api.js';
import { BELIEFS } from './beliefs.js';
import { vkIdError } from './error-responses.js';
import { APPEARANCE, VK_ID } from './options.js';

/** Seconds. */
const LIFETIME = { code: 600, accessToken: 3_600, refreshToken: 15_552_000 };

/** A consent belongs to a device. Every token request must repeat the device's ID. */
interface VkIdGrant extends Grant {
  readonly deviceId: string;
}

interface VkIdCode extends AuthorizationCode {
  readonly grant: VkIdGrant;
  readonly challenge: string;
}

/**
 * The social network's VK ID: OAuth 2.1, with PKCE, a device ID and no client secret. Errors have HTTP 200.
 *
 * @see https://id.vk.ru/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description (read 2026-11)
 */
export class VkId implements Network {
  readonly endpoints: readonly Endpoint[];
  private readonly application: typeof VK_ID & Application;
  private readonly codes: Credentials<VkIdCode>;
  private readonly accessTokens: Credentials<VkIdGrant>;
  private readonly refreshTokens: Credentials<VkIdGrant>;
  private readonly idTokens: Credentials<VkIdGrant>;

  constructor(private readonly world: World) {
    this.application = world.registered(VK_ID);
    this.codes = world.credentials();
    this.accessTokens = world.credentials();
    this.refreshTokens = world.credentials();
    this.idTokens = world.credentials();
    this.endpoints = [
      ...authorizationEndpoints({
        network: 'social-network',
        paths: ['/vk-id/authorize'],
        appearance: APPEARANCE,
        people: world.people,
        read: (request) => this.consent(request),
        reject: vkIdErrorPage,
      }),
      post('token', '/vk-id/oauth2/auth', (request) => this.token(request)),
      post('profile', '/vk-id/oauth2/user_info', (request) => this.userInfo(request)),
      post('public info', '/vk-id/oauth2/public_info', (request) => this.publicInfo(request)),
      post('revocation', '/vk-id/oauth2/revoke', (request) => this.end(request)),
      post('logout', '/vk-id/oauth2/logout', (request) => this.end(request)),
    ];
  }

  /** Looks up an access token of this protocol. */
  findToken(accessToken: string | undefined): LookupResult<Grant> {
    return this.accessTokens.find(accessToken);
  }

  private consent(request: NetworkRequest): ConsentRequest {
    const { redirectUri, scopes, challenge, state } = readVkIdRequest(request, this.application);
    return {
      application: this.application,
      scopes,
      allow: (person) => {
        const grant = {
          application: this.application,
          person,
          scopes,
          ended: false,
          deviceId: randomString(86),
        };
        const code = this.codes.issue(
          `vk2.a.${randomString(220)}`,
          { grant, redirectUri, challenge },
          LIFETIME.code,
        );
        return redirect(this.authorizationResponse(redirectUri, code, grant.deviceId, state));
      },
      deny: () => {
        const error = { error: 'access_denied', error_description: 'User cancelled the login' };
        return redirect(withParameters(redirectUri, { ...error, state }));
      },
    };
  }

  private authorizationResponse(
    redirectUri: string,
    code: string,
    device_id: string,
    state: string | undefined,
  ): string {
    const type = 'code_v2';
    if (this.world.settings.vkIdCallback === 'payload') {
      return withParameters(redirectUri, { payload: JSON.stringify({ code, state, type, device_id }) });
    }
    const expires_in = String(LIFETIME.code);
    return withParameters(redirectUri, {
      code,
      expires_in,
      device_id,
      state,
      ext_id: randomString(64),
      type,
    });
  }

  private token(request: NetworkRequest): NetworkResponse {
    const parameters = queryAndBody(request);
    checkClient(request, parameters, this.application);
    switch (parameters.get('grant_type')) {
      case 'authorization_code':
        return this.login(this.exchange(parameters), parameters);
      case 'refresh_token':
        return json(this.tokens(this.refresh(parameters), parameters));
      default:
        throw vkIdError(
          BELIEFS.vkIdGrantType,
          parameters,
          'invalid_request',
          'grant_type is missing or invalid',
        );
    }
  }

  private exchange(parameters: Parameters): VkIdGrant {
    const found = this.codes.use(parameters.get('code'));
    if (found.state !== 'live') {
      const reason = rejectionReason('code', found);
      throw vkIdError(BELIEFS.vkIdCode, parameters, 'invalid_grant', 'code is invalid or expired', reason);
    }
    const { grant, redirectUri, challenge } = found.value;
    checkDevice(parameters, grant.deviceId);
    if (parameters.get('redirect_uri') !== redirectUri) {
      const reason = 'redirect_uri differs from the authorization request';
      const description = 'redirect_uri is missing or invalid';
      throw vkIdError(BELIEFS.vkIdSameRedirectUri, parameters, 'invalid_request', description, reason);
    }
    const verifier = parameters.get('code_verifier');
    const isWellFormed = isVerifier(verifier) && !/[.~]/.test(verifier);
    if (!isWellFormed || !verifierMatches(verifier, challenge, 'base64url')) {
      const reason =
        'code_verifier does not match code_challenge, or has a character that the network rejects';
      const description = 'verifier is missing or invalid';
      throw vkIdError(BELIEFS.vkIdVerifier, parameters, 'invalid_request', description, reason);
    }
    return grant;
  }

  /** A refresh token works once. When a used one comes back, the login ends. */
  private refresh(parameters: Parameters): VkIdGrant {
    const found = this.refreshTokens.find(parameters.get('refresh_token'));
    const grant = liveGrant(found);
    if (!grant) {
      if (found.state === 'used') found.value.ended = true;
      const reason = rejectionReason('refresh_token', found);
      const description = 'refresh_token is missing or invalid';
      throw vkIdError(BELIEFS.vkIdRefreshToken, parameters, 'invalid_request', description, reason);
    }
    checkDevice(parameters, grant.deviceId);
    this.refreshTokens.use(parameters.get('refresh_token'));
    return grant;
  }

  private login(grant: VkIdGrant, parameters: Parameters): NetworkResponse {
    const token = idToken(this.world.clock, grant.person, this.application);
    const id_token = this.idTokens.issue(token, grant, LIFETIME.accessToken);
    return json({ ...this.tokens(grant, parameters), id_token });
  }

  private tokens(grant: VkIdGrant, parameters: Parameters): object {
    return {
      refresh_token: this.refreshTokens.issue(`vk2.a.${randomString(160)}`, grant, LIFETIME.refreshToken),
      access_token: this.accessTokens.issue(`vk2.a.${randomString(160)}`, grant, LIFETIME.accessToken),
      token_type: 'Bearer',
      expires_in: LIFETIME.accessToken,
      user_id: grant.person.socialNetworkId,
      state: parameters.get('state') ?? '',
      scope: grant.scopes.join(' '),
    };
  }

  private userInfo(request: NetworkRequest): NetworkResponse {
    const { person, scopes } = this.grant(request);
    return json({ user: vkIdUser(this.world, person, scopes) });
  }

  /** Shows who logged in, masked, to a page that has only the ID token. */
  private publicInfo(request: NetworkRequest): NetworkResponse {
    const parameters = queryAndBody(request);
    checkClient(request, parameters, this.application);
    const found = this.idTokens.find(parameters.get('id_token'));
    const grant = liveGrant(found);
    if (grant) return json({ user: maskedVkIdUser(this.world, grant.person, grant.scopes) });
    const description = 'id_token is missing or invalid';
    const reason = rejectionReason('id_token', found);
    throw vkIdError(BELIEFS.vkIdIdToken, parameters, 'invalid_request', description, reason);
  }

  /** Revocation and logout both end the consent. */
  private end(request: NetworkRequest): NetworkResponse {
    this.grant(request).ended = true;
    return json({ response: 1 });
  }

  private grant(request: NetworkRequest): Grant {
    const parameters = queryAndBody(request);
    checkClient(request, parameters, this.application);
    const token = request.form.get('access_token') ?? request.multipart.get('access_token');
    const found = this.accessTokens.find(token ?? bearerToken(request));
    const grant = liveGrant(found);
    if (grant) return grant;
    const reason = rejectionReason('access_token', found);
    const description = 'access_token is missing or invalid';
    throw vkIdError(BELIEFS.vkIdToken, parameters, 'invalid_token', description, reason);
  }
}

function post(name: string, path: string, handle: Endpoint['handle']): Endpoint {
  return { network: 'social-network', name, method: 'post', path, handle };
}

/** The protocol has no client secret. To a request that sends one, the network is said to respond with 404. */
function checkClient({ notes }: NetworkRequest, parameters: Parameters, application: typeof VK_ID): void {
  if (parameters.get('client_id') !== application.id) {
    const reason = 'client_id is missing, or no client of the sandbox';
    throw vkIdError(BELIEFS.vkIdClient, parameters, 'invalid_client', 'client_id is missing', reason);
  }
  if (parameters.has('client_secret')) {
    const reason = 'client_secret is sent, VK ID has none';
    notes.refuseOrNote(new ErrorResponse(plain('Not Found', 404), reason, BELIEFS.vkIdClientSecret));
  }
  if (
    parameters.has('service_token') &&
    !secretsEqual(parameters.get('service_token'), application.serviceToken)
  ) {
    throw vkIdError(BELIEFS.vkIdServiceToken, parameters, 'invalid_client', 'service_token is invalid');
  }
}

function checkDevice(parameters: Parameters, deviceId: string): void {
  if (secretsEqual(parameters.get('device_id'), deviceId)) return;
  const reason = 'device_id is missing, or not the one from the authorization response';
  throw vkIdError(BELIEFS.vkIdDevice, parameters, 'invalid_request', 'device_id is invalid', reason);
}

/** An ID token with a random signature: the network publishes no key to verify a real one with. */
function idToken(clock: Clock, person: SandboxPerson, application: Application): string {
  const iat = Math.floor(clock.now() / 1000);
  const claims = {
    iss: 'VK',
    sub: person.socialNetworkId,
    app: Number(application.id),
    exp: iat + LIFETIME.accessToken,
    iat,
    jti: iat,
  };
  return [encoded({ alg: 'RS256', typ: 'JWT' }), encoded(claims), randomString(342)].join('.');
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** Granted when a request names no scope. */
const DEFAULT_SCOPE = 'vkid.personal_info';

const SCOPES = (
  'vkid.personal_info email phone groups market friends video photos docs notes stats stories ' +
  'notifications'
).split(' ');

/** Optional parameters, with the values that they allow. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  provider: ['vkid', 'ok_ru', 'mail_ru'],
  lang_id: ['0', '1', '3', '4', '6', '15', '16', '65', '82', '97', '114'],
  scheme: ['light', 'dark', 'bright_light', 'space_gray'],
};

const PROMPTS = ['none', 'login', 'consent', 'select_account'];

/** A valid authorization request to VK ID. */
export interface VkIdRequest {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly challenge: string;
  /** As the network returns it: without dots. */
  readonly state: string | undefined;
}

/**
 * Validates an authorization request.
 *
 * @throws ErrorResponse with an error page. Only `prompt=none` is redirected back, because the sandbox has no sessions and
 *   would have to ask the user.
 * @see https://id.vk.ru/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description (read 2026-11)
 */
export function readVkIdRequest(request: NetworkRequest, application: Application): VkIdRequest {
  const { query, notes } = request;
  if (!query.get('client_id')) throw vkIdErrorPage(BELIEFS.vkIdClient, 'client_id is missing');
  if (query.get('client_id') !== application.id) {
    throw vkIdErrorPage(BELIEFS.vkIdClient, 'client_id is no client of the sandbox');
  }
  if (query.get('response_type') !== 'code') {
    throw vkIdErrorPage(BELIEFS.vkIdResponseType, 'response_type is not "code"');
  }
  const redirectUri = query.get('redirect_uri');
  const problem = redirectUriProblem(redirectUri);
  if (redirectUri === undefined || problem !== undefined) {
    throw vkIdErrorPage(BELIEFS.vkIdRedirectUri, problem ?? 'redirect_uri is missing');
  }
  const plainHttp = plainHttpProblem(redirectUri);
  if (plainHttp !== undefined) notes.refuseOrNote(vkIdErrorPage(BELIEFS.redirectUriHttps, plainHttp));
  const state = readState(request);
  const challenge = readChallenge(query);
  const scopes = readScopes(query.get('scope'));
  checkChoices(query);
  checkPrompt(query, redirectUri, state);
  return { redirectUri, state, challenge, scopes };
}

/** The network's error page. It shows the reason, although the real network does not say it. */
export function vkIdErrorPage(belief: Belief, reason: string): ErrorResponse {
  const content = html`<p>The request cannot be carried out.</p>
<p><code>invalid_request</code></p>`;
  const response = errorPage({ title: 'Authorization error', content, reason, belief, status: 400 });
  return new ErrorResponse(response, reason, belief);
}

function readState({ query, notes }: NetworkRequest): string | undefined {
  const state = query.get('state');
  if (!/^[A-Za-z0-9_-]{32,}$/.test(state ?? '')) {
    const reason = 'state has fewer than 32 characters, or others than letters, digits, "_" and "-"';
    notes.refuseOrNote(vkIdErrorPage(BELIEFS.vkIdState, reason));
  }
  return state?.replaceAll('.', '');
}

function readChallenge(query: Parameters): string {
  const challenge = query.get('code_challenge') ?? '';
  if (!query.has('code_challenge')) {
    throw vkIdErrorPage(BELIEFS.vkIdChallenge, 'code_challenge is missing, which this network needs');
  }
  if (query.has('code_verifier')) {
    throw vkIdErrorPage(BELIEFS.vkIdChallenge, 'code_verifier is sent along with code_challenge');
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw vkIdErrorPage(BELIEFS.vkIdChallenge, 'code_challenge is no SHA-256 in base64url');
  }
  if (query.get('code_challenge_method')?.toUpperCase() === 'S256') return challenge;
  throw vkIdErrorPage(BELIEFS.vkIdChallengeMethod, 'code_challenge_method is not "S256"');
}

function readScopes(scope: string | undefined): readonly string[] {
  const scopes = [...new Set((scope || DEFAULT_SCOPE).split(' ').filter((name) => name !== ''))];
  if (scopes.every((name) => SCOPES.includes(name))) return scopes;
  throw vkIdErrorPage(BELIEFS.vkIdScope, 'scope names one that the application does not have');
}

function checkChoices(query: Parameters): void {
  for (const [name, values] of Object.entries(CHOICES)) {
    const value = query.get(name);
    if (value !== undefined && !values.includes(value)) {
      throw vkIdErrorPage(BELIEFS.vkIdChoices, `${name} has a value that does not exist`);
    }
  }
}

function checkPrompt(query: Parameters, redirectUri: string, state: string | undefined): void {
  const prompts = (query.get('prompt') ?? '').split(' ').filter((name) => name !== '');
  if (!prompts.every((name) => PROMPTS.includes(name))) {
    throw vkIdErrorPage(BELIEFS.vkIdChoices, 'prompt has a value that does not exist');
  }
  if (!prompts.includes('none') || query.has('auto')) return;
  const error = { error: 'login_required', error_description: 'User is not logged in', state };
  const response = redirect(withParameters(redirectUri, error));
  throw new ErrorResponse(response, 'prompt is "none", and nobody is logged in', BELIEFS.vkIdPromptNone);
}
