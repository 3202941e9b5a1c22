import type { Application } from '../clients.js';
import type { Belief } from '../evidence.js';
import { errorPage } from '../pages/error-page.js';
import { html } from '../pages/page.js';
import { plainHttpProblem, redirectUriProblem, withParameters } from '../redirect-uri.js';
import type { NetworkRequest, Parameters } from '../request.js';
import { ErrorResponse, redirect } from '../response.js';
import { BELIEFS } from './beliefs.js';

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
