import { redirectUriProblem, withParameters } from '../redirect-uri.js';
import type { Parameters } from '../request.js';
import { ErrorResponse, redirect } from '../response.js';
import { versionProblem } from './api.js';
import { classicError } from './error-responses.js';
import { SOCIAL_NETWORK } from './options.js';

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

/** A valid authorization request of the classic protocol. */
export interface ClassicRequest {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | undefined;
}

/**
 * Validates an authorization request as strictly as the network does.
 *
 * @throws ErrorResponse with JSON, which the network shows as a page. Only an unknown `display` is redirected back to the
 *   application.
 * @see https://dev.vk.com/api/access-token/authcode-flow-user (read 2026-11)
 */
export function readClassicRequest(query: Parameters): ClassicRequest {
  checkClientId(query.get('client_id'));
  if (query.has('code_challenge') || query.has('code_challenge_method')) {
    const description = 'Code challenge method is unsupported';
    throw invalidRequest(description, 'code_challenge is sent, this protocol has no PKCE');
  }
  if (!['code', undefined].includes(query.get('response_type'))) {
    const description = 'response_type is unsupported';
    throw classicError(400, 'unsupported_response_type', description, 'response_type is not "code"');
  }
  const version = versionProblem(query.get('v'));
  if (version !== undefined) throw invalidRequest(version, 'v is missing or below 5.81');
  const redirectUri = readRedirectUri(query.get('redirect_uri'));
  const scopes = readScopes(query.get('scope') ?? '');
  if (!scopes) {
    throw classicError(400, 'invalid_scope', 'scope is incorrect', 'scope names a right that does not exist');
  }
  const state = query.get('state');
  checkDisplay(query.get('display'), redirectUri, state);
  return { redirectUri, scopes, state };
}

function invalidRequest(description: string, reason: string): ErrorResponse {
  return classicError(400, 'invalid_request', description, reason);
}

function checkClientId(id: string | undefined): void {
  if (!id) throw classicError(401, 'invalid_client', 'client_id is undefined', 'client_id is missing');
  if (id === SOCIAL_NETWORK.id) return;
  throw classicError(
    401,
    'invalid_client',
    'client_id is incorrect',
    'client_id is no client of the sandbox',
  );
}

function readRedirectUri(redirectUri: string | undefined): string {
  const problem = redirectUriProblem(redirectUri);
  if (redirectUri !== undefined && problem === undefined) return redirectUri;
  const description = 'redirect_uri is incorrect, check application redirect uri in the settings page';
  throw invalidRequest(description, problem ?? 'redirect_uri is missing');
}

function checkDisplay(display: string | undefined, redirectUri: string, state: string | undefined): void {
  if (['page', 'popup', 'mobile', undefined].includes(display)) return;
  const error = { error: 'invalid_request', error_description: 'Invalid display parameter', state };
  const response = redirect(withParameters(redirectUri, error));
  throw new ErrorResponse(response, 'display is neither "page", "popup" nor "mobile"');
}

/** Reads a bit mask, or names joined by commas or spaces. @returns Names; `undefined` when one of them does not exist. */
function readScopes(scope: string): readonly string[] | undefined {
  if (/^\d{1,10}$/.test(scope)) return namesIn(Number(scope));
  const names = [...new Set(scope.split(/[ ,]+/).filter((name) => name !== ''))];
  return names.every((name) => Object.hasOwn(BITS, name)) ? names : undefined;
}

function namesIn(mask: number): readonly string[] | undefined {
  const names = Object.keys(BITS).filter((name) => (BigInt(mask) & BigInt(BITS[name] ?? 0)) !== 0n);
  const sum = names.reduce((total, name) => total + (BITS[name] ?? 0), 0);
  return sum === mask ? names : undefined;
}
