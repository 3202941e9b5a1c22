import type { Application } from '../core/clients.js';
import type { Belief } from '../core/evidence.js';
import {
  ErrorResponse,
  json,
  type NetworkRequest,
  type NetworkResponse,
  type Parameters,
  queryAndBody,
  redirect,
} from '../core/http.js';
import type { Endpoint, Network } from '../core/network.js';
import {
  plainHttpProblem,
  randomHex,
  randomString,
  redirectUriProblem,
  secretsEqual,
  withParameters,
} from '../core/oauth.js';
import {
  type AuthorizationCode,
  type Credentials,
  type Grant,
  type LookupResult,
  rejectionReason,
  type World,
} from '../core/world.js';
import { authorizationEndpoints, type ConsentRequest } from '../pages/authorization.js';
import { versionProblem } from './api.js';
import { BELIEFS } from './beliefs.js';
import { classicError } from './error-responses.js';
import { CLASSIC_APPEARANCE, SOCIAL_NETWORK } from './options.js';

/** Seconds. The network's documentation calls the code's lifetime "short". */
const LIFETIME = { code: 60, accessToken: 43_200 };

const REDIRECT_DIFFERS =
  'redirect_uri is invalid, please pass same redirect_uri, you used in authorize method.';

/**
 * The social network's classic protocol: VK, OAuth 2.0 without PKCE, refresh tokens or HTTP Basic.
 *
 * @see https://dev.vk.com/api/access-token/authcode-flow-user (read 2026-11)
 */
export class SocialNetworkClassic implements Network {
  readonly endpoints: readonly Endpoint[];
  private readonly application: Required<Pick<Application, 'id' | 'secret'>> & Application;
  private readonly codes: Credentials<AuthorizationCode>;
  private readonly accessTokens: Credentials<Grant>;

  constructor(world: World) {
    this.application = world.registered(SOCIAL_NETWORK);
    this.codes = world.credentials();
    this.accessTokens = world.credentials();
    const token = {
      network: 'social-network',
      name: 'token',
      path: '/social-network/access_token',
      handle: (request: NetworkRequest) => this.token(request),
    } as const;
    this.endpoints = [
      ...authorizationEndpoints({
        network: 'social-network',
        paths: ['/social-network/authorize'],
        appearance: CLASSIC_APPEARANCE,
        people: world.people,
        read: (request) => this.consent(request),
        reject: (belief, reason) => classicError(belief, 400, 'invalid_request', reason, reason),
      }),
      { ...token, method: 'get' },
      { ...token, method: 'post' },
    ];
  }

  /** Looks up an access token of this protocol. */
  findToken(accessToken: string | undefined): LookupResult<Grant> {
    return this.accessTokens.find(accessToken);
  }

  private consent(request: NetworkRequest): ConsentRequest {
    const { redirectUri, state, scopes } = readClassicRequest(request, this.application);
    return {
      application: this.application,
      scopes,
      allow: (person) => {
        const grant: Grant = { application: this.application, person, scopes, ended: false };
        const code = this.codes.issue(randomHex(66), { grant, redirectUri }, LIFETIME.code);
        return redirect(withParameters(redirectUri, { code, state }));
      },
      deny: () => {
        const error_description = 'User denied your request';
        const error = { error: 'access_denied', error_reason: 'user_denied', error_description };
        return redirect(withParameters(redirectUri, { ...error, state }));
      },
    };
  }

  private token(request: NetworkRequest): NetworkResponse {
    const parameters = queryAndBody(request);
    checkClient(parameters, this.application);
    if (!['authorization_code', undefined].includes(parameters.get('grant_type'))) {
      const reason = 'grant_type is not authorization_code';
      const error = 'unsupported_grant_type';
      request.notes.refuseOrNote(
        classicError(BELIEFS.grantType, 401, error, 'grant_type is unsupported', reason),
      );
    }
    const found = this.codes.use(parameters.get('code'));
    if (found.state !== 'live') {
      const reason = rejectionReason('code', found);
      throw classicError(BELIEFS.code, 401, 'invalid_grant', 'Code is invalid or expired.', reason);
    }
    const { grant, redirectUri } = found.value;
    if (parameters.get('redirect_uri') !== redirectUri) {
      const reason = 'redirect_uri differs from the authorization request';
      throw classicError(BELIEFS.sameRedirectUri, 400, 'invalid_grant', REDIRECT_DIFFERS, reason);
    }
    return this.tokenResponse(grant);
  }

  /** The only response with the e-mail address. It has no `token_type`. */
  private tokenResponse(grant: Grant): NetworkResponse {
    const { person, scopes } = grant;
    const seconds = scopes.includes('offline') ? Number.POSITIVE_INFINITY : LIFETIME.accessToken;
    return json({
      access_token: this.accessTokens.issue(`vk1.a.${randomString(80)}`, grant, seconds),
      expires_in: Number.isFinite(seconds) ? seconds : 0,
      user_id: person.socialNetworkId,
      ...(scopes.includes('email') && person.email !== undefined && { email: person.email }),
    });
  }
}

/** Does not read HTTP Basic: to the network, a client that uses it has sent no `client_id`. */
function checkClient(
  parameters: Parameters,
  application: Required<Pick<Application, 'id' | 'secret'>>,
): void {
  const id = parameters.get('client_id');
  const secret = parameters.get('client_secret');
  if (!id) throw invalidClient('client_id is undefined', 'client_id is not in the body');
  if (id !== application.id) {
    throw invalidClient('client_id is incorrect', 'client_id is no client of the sandbox', BELIEFS.client);
  }
  if (!secret) throw invalidClient('client_secret is undefined', 'client_secret is not in the body');
  if (!secretsEqual(secret, application.secret)) {
    throw invalidClient('client_secret is incorrect', 'client_secret is wrong');
  }
}

function invalidClient(
  description: string,
  reason: string,
  belief: Belief = BELIEFS.clientSecret,
): ErrorResponse {
  return classicError(belief, 401, 'invalid_client', description, reason);
}

/** Scopes of the classic protocol, each with its bit in a mask. */
const BITS: Readonly<Record<string, number>> = {
  notify: 1,
  friends: 2,
  photos: 4,
  audio: 8,
  video: 16,
  pages: 32,
  link: 256,
  status: 1024,
  notes: 2048,
  messages: 4096,
  wall: 8192,
  ads: 32768,
  offline: 65536,
  docs: 131072,
  groups: 262144,
  notifications: 524288,
  stats: 1048576,
  email: 4194304,
  market: 134217728,
};

const WRONG_REDIRECT_URI = 'redirect_uri is incorrect, check application redirect uri in the settings page';

/** A valid authorization request of the classic protocol. */
export interface ClassicRequest {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | undefined;
}

/**
 * Validates an authorization request.
 *
 * @throws ErrorResponse with JSON, which the network shows as a page. Only an unknown `display` is redirected back to the
 *   application.
 * @see https://dev.vk.com/api/access-token/authcode-flow-user (read 2026-11)
 */
export function readClassicRequest(
  { query, notes }: NetworkRequest,
  application: Application,
): ClassicRequest {
  checkClientId(query.get('client_id'), application);
  if (query.has('code_challenge') || query.has('code_challenge_method')) {
    const description = 'Code challenge method is unsupported';
    throw invalidRequest(BELIEFS.noPkce, description, 'code_challenge is sent, this protocol has no PKCE');
  }
  if (!['code', undefined].includes(query.get('response_type'))) {
    const description = 'response_type is unsupported';
    const reason = 'response_type is not "code"';
    throw classicError(BELIEFS.responseType, 400, 'unsupported_response_type', description, reason);
  }
  const version = versionProblem(query.get('v'));
  if (version !== undefined) {
    const reason = 'v is missing or below 5.81';
    notes.refuseOrNote(invalidRequest(BELIEFS.authorizationVersion, version, reason));
  }
  const redirectUri = readRedirectUri(query.get('redirect_uri'));
  const plainHttp = plainHttpProblem(redirectUri);
  if (plainHttp !== undefined) {
    notes.refuseOrNote(invalidRequest(BELIEFS.redirectUriHttps, WRONG_REDIRECT_URI, plainHttp));
  }
  const { scopes, hasUnknown } = readScopes(query.get('scope') ?? '');
  if (hasUnknown) {
    const reason = 'scope names a right that does not exist';
    notes.refuseOrNote(classicError(BELIEFS.scope, 400, 'invalid_scope', 'scope is incorrect', reason));
  }
  const state = query.get('state');
  checkDisplay(query.get('display'), redirectUri, state);
  return { redirectUri, scopes, state };
}

function invalidRequest(belief: Belief, description: string, reason: string): ErrorResponse {
  return classicError(belief, 400, 'invalid_request', description, reason);
}

function checkClientId(id: string | undefined, application: Application): void {
  if (id === application.id) return;
  const [description, reason] = id
    ? ['client_id is incorrect', 'client_id is no client of the sandbox']
    : ['client_id is undefined', 'client_id is missing'];
  throw classicError(BELIEFS.client, 401, 'invalid_client', description, reason);
}

function readRedirectUri(redirectUri: string | undefined): string {
  const problem = redirectUriProblem(redirectUri);
  if (redirectUri !== undefined && problem === undefined) return redirectUri;
  throw invalidRequest(BELIEFS.redirectUri, WRONG_REDIRECT_URI, problem ?? 'redirect_uri is missing');
}

function checkDisplay(display: string | undefined, redirectUri: string, state: string | undefined): void {
  if (['page', 'popup', 'mobile', undefined].includes(display)) return;
  const error = { error: 'invalid_request', error_description: 'Invalid display parameter', state };
  const response = redirect(withParameters(redirectUri, error));
  throw new ErrorResponse(response, 'display is neither "page", "popup" nor "mobile"', BELIEFS.display);
}

/** Reads a bit mask, or names joined by commas or spaces. Leaves out rights that do not exist. */
function readScopes(scope: string): { readonly scopes: readonly string[]; readonly hasUnknown: boolean } {
  if (/^\d{1,10}$/.test(scope)) {
    const mask = BigInt(scope);
    const scopes = Object.keys(BITS).filter((name) => (mask & BigInt(BITS[name] ?? 0)) !== 0n);
    const sum = scopes.reduce((total, name) => total + BigInt(BITS[name] ?? 0), 0n);
    return { scopes, hasUnknown: sum !== mask };
  }
  const names = [...new Set(scope.split(/[ ,]+/).filter((name) => name !== ''))];
  const scopes = names.filter((name) => Object.hasOwn(BITS, name));
  return { scopes, hasUnknown: scopes.length < names.length };
}
