import { json, Refusal, redirect } from '../answer.js';
import { SOCIAL_NETWORK } from '../applications.js';
import type { Parameters } from '../parameters.js';
import { redirectProblem, withParameters } from '../redirect-address.js';
import { versionProblem } from './api.js';
import { classicScopes } from './classic-scopes.js';

/** An authorization request that the classic protocol accepts. */
export interface ClassicRequest {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | undefined;
}

/**
 * Reads an authorization request as strictly as the network does.
 *
 * @throws Refusal in JSON, which the network shows on its own page; but an unknown `display` goes back to the app.
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
    throw classicRefusal(400, 'unsupported_response_type', description, 'response_type is not "code"');
  }
  const version = versionProblem(query.get('v'));
  if (version !== undefined) throw invalidRequest(version, 'v is missing or below 5.81');
  const redirectUri = readRedirectUri(query.get('redirect_uri'));
  const scopes = classicScopes(query.get('scope') ?? '');
  if (!scopes) {
    throw classicRefusal(
      400,
      'invalid_scope',
      'scope is incorrect',
      'scope names a right that does not exist',
    );
  }
  const state = query.get('state');
  checkDisplay(query.get('display'), redirectUri, state);
  return { redirectUri, scopes, state };
}

/** How the protocol refuses at both of its endpoints. */
export function classicRefusal(
  status: number,
  error: string,
  error_description: string,
  reason: string,
): Refusal {
  return new Refusal(json({ error, error_description }, status), reason);
}

function invalidRequest(description: string, reason: string): Refusal {
  return classicRefusal(400, 'invalid_request', description, reason);
}

function checkClientId(id: string | undefined): void {
  if (!id) throw classicRefusal(401, 'invalid_client', 'client_id is undefined', 'client_id is missing');
  if (id === SOCIAL_NETWORK.id) return;
  throw classicRefusal(
    401,
    'invalid_client',
    'client_id is incorrect',
    'client_id is no client of the sandbox',
  );
}

function readRedirectUri(address: string | undefined): string {
  const problem = redirectProblem(address);
  if (address !== undefined && problem === undefined) return address;
  const description = 'redirect_uri is incorrect, check application redirect uri in the settings page';
  throw invalidRequest(description, problem ?? 'redirect_uri is missing');
}

function checkDisplay(display: string | undefined, redirectUri: string, state: string | undefined): void {
  if (['page', 'popup', 'mobile', undefined].includes(display)) return;
  const error = { error: 'invalid_request', error_description: 'Invalid display parameter', state };
  const answer = redirect(withParameters(redirectUri, error));
  throw new Refusal(answer, 'display is neither "page", "popup" nor "mobile"');
}
