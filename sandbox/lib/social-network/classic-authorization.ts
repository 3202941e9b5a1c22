import type { Application } from '../clients.js';
import type { Belief } from '../evidence.js';
import { plainHttpProblem, redirectUriProblem, withParameters } from '../redirect-uri.js';
import type { NetworkRequest } from '../request.js';
import { ErrorResponse, redirect } from '../response.js';
import { versionProblem } from './api.js';
import { BELIEFS } from './beliefs.js';
import { classicError } from './error-responses.js';

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
