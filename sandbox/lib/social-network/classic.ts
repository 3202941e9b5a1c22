import type { Application } from '../core/clients.js';
import type { Belief } from '../core/evidence.js';
import type { NetworkRequest, NetworkResponse, Parameters } from '../core/http.js';
import { ErrorResponse, json, queryAndBody, redirect } from '../core/http.js';
import {
  plainHttpProblem,
  randomHex,
  randomString,
  redirectUriProblem,
  secretsEqual,
  withParameters,
} from '../core/oauth.js';
import { type AuthorizationCode, type Grant, rejectionReason, type World } from '../core/world.js';
import { authorizationEndpoints, type ConsentRequest } from '../pages/authorization.js';
import { versionProblem } from './api.js';
import { BELIEFS } from './beliefs.js';
import { classicCodeError, classicError } from './error-responses.js';
import { CLASSIC_APPEARANCE, SOCIAL_NETWORK } from './options.js';

/** Seconds. The network's documentation calls the code's lifetime "short". */
const LIFETIME = { code: 60, accessToken: 43_200 };

const REDIRECT_DIFFERS =
  'redirect_uri is invalid, please pass same redirect_uri, you used in authorize method.';
const WRONG_REDIRECT_URI = 'redirect_uri is incorrect, check application redirect uri in the settings page';

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

/** OAuth 2.0 without PKCE, refresh tokens or HTTP Basic. */
export function socialNetworkClassic(world: World) {
  const application = world.registered(SOCIAL_NETWORK);
  const codes = world.credentials<AuthorizationCode>();
  const accessTokens = world.credentials<Grant>();

  function consent(request: NetworkRequest): ConsentRequest {
    const { redirectUri, state, scopes } = readRequest(request, application);
    return {
      application,
      scopes,
      allow: (person) => {
        const grant: Grant = { application, person, scopes, ended: false };
        const code = codes.issue(randomHex(66), { grant, redirectUri }, LIFETIME.code);
        return redirect(withParameters(redirectUri, { code, state }));
      },
      deny: () => {
        const error_description = 'User denied your request';
        const error = { error: 'access_denied', error_reason: 'user_denied', error_description };
        return redirect(withParameters(redirectUri, { ...error, state }));
      },
    };
  }

  function token(request: NetworkRequest): NetworkResponse {
    const parameters = queryAndBody(request);
    checkClient(parameters, application);
    if (!['authorization_code', undefined].includes(parameters.get('grant_type'))) {
      const reason = 'grant_type is not authorization_code';
      const [error, description] = ['unsupported_grant_type', 'grant_type is unsupported'];
      request.notes.refuseOrNote(classicError(BELIEFS.grantType, 401, error, description, reason));
    }
    const found = codes.use(parameters.get('code'));
    if (found.state !== 'live') throw classicCodeError(rejectionReason('code', found));
    const { grant, redirectUri } = found.value;
    if (parameters.get('redirect_uri') !== redirectUri) {
      const reason = 'redirect_uri differs from the authorization request';
      throw classicError(BELIEFS.sameRedirectUri, 400, 'invalid_grant', REDIRECT_DIFFERS, reason);
    }
    return tokenResponse(grant);
  }

  /** The only response with the e-mail address. It has no `token_type`. */
  function tokenResponse(grant: Grant): NetworkResponse {
    const { person, scopes } = grant;
    const seconds = scopes.includes('offline') ? Number.POSITIVE_INFINITY : LIFETIME.accessToken;
    return json({
      access_token: accessTokens.issue(`vk1.a.${randomString(80)}`, grant, seconds),
      expires_in: Number.isFinite(seconds) ? seconds : 0,
      user_id: person.socialNetworkId,
      ...(scopes.includes('email') && person.email !== undefined && { email: person.email }),
    });
  }

  const endpoint = { name: 'token', path: '/social-network/access_token', handle: token };
  return {
    endpoints: [
      ...authorizationEndpoints({
        network: 'social-network',
        paths: ['/social-network/authorize'],
        appearance: CLASSIC_APPEARANCE,
        people: world.people,
        read: consent,
        reject: (belief, reason) => invalidRequest(belief, reason, reason),
      }),
      { ...endpoint, method: 'get' },
      { ...endpoint, method: 'post' },
    ] as const,
    findToken: (accessToken: string | undefined) => accessTokens.find(accessToken),
  };
}

/** Does not read HTTP Basic: to the network, a client that uses it has sent no `client_id`. */
function checkClient(parameters: Parameters, application: Required<Pick<Application, 'id' | 'secret'>>) {
  const id = parameters.get('client_id');
  const secret = parameters.get('client_secret');
  const refusal = (description: string, reason: string, belief: Belief = BELIEFS.clientSecret) =>
    classicError(belief, 401, 'invalid_client', description, reason);
  if (!id) throw refusal('client_id is undefined', 'client_id is not in the body');
  if (id !== application.id)
    throw refusal('client_id is incorrect', 'client_id is no client of the sandbox', BELIEFS.client);
  if (!secret) throw refusal('client_secret is undefined', 'client_secret is not in the body');
  if (secretsEqual(secret, application.secret)) return;
  throw refusal('client_secret is incorrect', 'client_secret is wrong');
}

/** @throws ErrorResponse with JSON. Only an unknown `display` is redirected back to the application. */
function readRequest({ query, notes }: NetworkRequest, application: Application) {
  const id = query.get('client_id');
  if (id !== application.id) {
    const [description, reason] = id
      ? ['client_id is incorrect', 'client_id is no client of the sandbox']
      : ['client_id is undefined', 'client_id is missing'];
    throw classicError(BELIEFS.client, 401, 'invalid_client', description, reason);
  }
  if (query.has('code_challenge') || query.has('code_challenge_method')) {
    const description = 'Code challenge method is unsupported';
    throw invalidRequest(BELIEFS.noPkce, description, 'code_challenge is sent, this protocol has no PKCE');
  }
  if (!['code', undefined].includes(query.get('response_type'))) {
    const [error, description] = ['unsupported_response_type', 'response_type is unsupported'];
    throw classicError(BELIEFS.responseType, 400, error, description, 'response_type is not "code"');
  }
  const version = versionProblem(query.get('v'));
  if (version !== undefined) {
    const reason = 'v is missing or below 5.81';
    notes.refuseOrNote(invalidRequest(BELIEFS.authorizationVersion, version, reason));
  }
  const redirectUri = query.get('redirect_uri') ?? '';
  const hold = notes.holdTo((belief, reason) => invalidRequest(belief, WRONG_REDIRECT_URI, reason));
  hold(BELIEFS.redirectUri, redirectUriProblem(redirectUri));
  hold(BELIEFS.redirectUriHttps, plainHttpProblem(redirectUri));
  const { scopes, hasUnknown } = readScopes(query.get('scope') ?? '');
  if (hasUnknown) {
    const reason = 'scope names a right that does not exist';
    notes.refuseOrNote(classicError(BELIEFS.scope, 400, 'invalid_scope', 'scope is incorrect', reason));
  }
  const state = query.get('state');
  if (!['page', 'popup', 'mobile', undefined].includes(query.get('display'))) {
    const error = { error: 'invalid_request', error_description: 'Invalid display parameter', state };
    const response = redirect(withParameters(redirectUri, error));
    throw new ErrorResponse(response, 'display is neither "page", "popup" nor "mobile"', BELIEFS.display);
  }
  return { redirectUri, scopes, state };
}

const invalidRequest = (belief: Belief, description: string, reason: string): ErrorResponse =>
  classicError(belief, 400, 'invalid_request', description, reason);

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
