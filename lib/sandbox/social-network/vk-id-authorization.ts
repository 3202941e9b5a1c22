import { Refusal, redirect } from '../answer.js';
import { VK_ID } from '../applications.js';
import { html } from '../pages/html.js';
import { page } from '../pages/page.js';
import type { Parameters } from '../parameters.js';
import { redirectProblem, withParameters } from '../redirect-address.js';

/** Given when a request names no scope. */
const DEFAULT_SCOPE = 'vkid.personal_info';

const SCOPES = (
  'vkid.personal_info email phone groups market friends video photos docs notes stats stories ' +
  'notifications'
).split(' ');

/** Optional parameters that take one of a few values. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  provider: ['vkid', 'ok_ru', 'mail_ru'],
  lang_id: ['0', '1', '3', '4', '6', '15', '16', '65', '82', '97', '114'],
  scheme: ['light', 'dark', 'bright_light', 'space_gray'],
};

const PROMPTS = ['none', 'login', 'consent', 'select_account'];

/** An authorization request that VK ID accepts. */
export interface VkIdRequest {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly challenge: string;
  readonly state: string;
}

/**
 * Reads an authorization request as strictly as VK ID does.
 *
 * @throws Refusal that keeps the browser at the network; but `prompt=none` sends it back, because nobody is ever
 *   logged in at the sandbox before they are asked.
 * @see https://id.vk.ru/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description (read 2026-11)
 */
export function readVkIdRequest(query: Parameters): VkIdRequest {
  if (!query.get('client_id')) throw vkIdPage('client_id is missing');
  if (query.get('client_id') !== VK_ID.id) throw vkIdPage('client_id is no client of the sandbox');
  if (query.get('response_type') !== 'code') throw vkIdPage('response_type is not "code"');
  const redirectUri = query.get('redirect_uri');
  const problem = redirectProblem(redirectUri);
  if (redirectUri === undefined || problem !== undefined) {
    throw vkIdPage(problem ?? 'redirect_uri is missing');
  }
  const state = readState(query.get('state') ?? '');
  const request = {
    redirectUri,
    state,
    challenge: readChallenge(query),
    scopes: readScopes(query.get('scope')),
  };
  checkChoices(query);
  checkPrompt(query, request);
  return request;
}

/** The page on which the network keeps the user. */
export function vkIdPage(reason: string): Refusal {
  const content = html`<h1>Authorization error</h1>
<p>The request cannot be carried out.</p>
<p><code>invalid_request</code>: ${reason}</p>`;
  return new Refusal(page('Authorization error', content, { status: 400 }), reason);
}

function readState(state: string): string {
  if (/^[A-Za-z0-9_-]{32,}$/.test(state)) return state;
  throw vkIdPage('state has fewer than 32 characters, or others than letters, digits, "_" and "-"');
}

function readChallenge(query: Parameters): string {
  const challenge = query.get('code_challenge') ?? '';
  if (!query.has('code_challenge')) throw vkIdPage('code_challenge is missing, which this network needs');
  if (query.has('code_verifier')) throw vkIdPage('code_verifier is sent along with code_challenge');
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) throw vkIdPage('code_challenge is no SHA-256 in base64url');
  if (query.get('code_challenge_method')?.toUpperCase() === 'S256') return challenge;
  throw vkIdPage('code_challenge_method is not "S256"');
}

function readScopes(scope: string | undefined): readonly string[] {
  const scopes = [...new Set((scope || DEFAULT_SCOPE).split(' ').filter((name) => name !== ''))];
  if (scopes.every((name) => SCOPES.includes(name))) return scopes;
  throw vkIdPage('scope names one that the application does not have');
}

function checkChoices(query: Parameters): void {
  for (const [name, values] of Object.entries(CHOICES)) {
    const value = query.get(name);
    if (value !== undefined && !values.includes(value)) {
      throw vkIdPage(`${name} has a value that does not exist`);
    }
  }
}

function checkPrompt(query: Parameters, { redirectUri, state }: VkIdRequest): void {
  const prompts = (query.get('prompt') ?? '').split(' ').filter((name) => name !== '');
  if (!prompts.every((name) => PROMPTS.includes(name))) {
    throw vkIdPage('prompt has a value that does not exist');
  }
  if (!prompts.includes('none') || query.has('auto')) return;
  const error = { error: 'login_required', error_description: 'User is not logged in', state };
  throw new Refusal(
    redirect(withParameters(redirectUri, error)),
    'prompt is "none", and nobody is logged in',
  );
}
