import { Refusal } from '../answer.js';
import type { Application } from '../applications.js';
import { html } from '../pages/html.js';
import { page } from '../pages/page.js';
import type { Parameters } from '../parameters.js';
import { redirectProblem } from '../redirect-address.js';
import { microblogClient } from './oauth2-client.js';

/** Every scope of the network; the sandbox's applications may ask for all of them. */
const SCOPES = (
  'tweet.read tweet.write tweet.moderate.write users.read users.email follows.read follows.write ' +
  'offline.access space.read mute.read mute.write like.read like.write list.read list.write ' +
  'block.read block.write bookmark.read bookmark.write dm.read dm.write media.write'
).split(' ');

/** An authorization request that the microblog network accepts. */
export interface MicroblogRequest {
  readonly application: Application;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly challenge: string;
  /** Whether the challenge is the verifier itself, which the network allows. */
  readonly isPlain: boolean;
  readonly state: string | undefined;
}

/**
 * Reads an authorization request as strictly as the network does.
 *
 * @throws Refusal that keeps the browser at the network, whatever is wrong.
 * @see https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code (read 2026-11)
 */
export function readMicroblogRequest(query: Parameters): MicroblogRequest {
  const application = microblogClient(query.get('client_id'));
  if (!application) throw microblogPage('client_id is missing, or no OAuth 2.0 client of the sandbox');
  if (query.get('response_type') !== 'code') throw microblogPage('response_type is not "code"');
  const redirectUri = query.get('redirect_uri');
  const problem = redirectProblem(redirectUri);
  if (redirectUri === undefined || problem !== undefined) {
    throw microblogPage(problem ?? 'redirect_uri is missing');
  }
  const state = query.get('state');
  if (state !== undefined && state.length > 500) throw microblogPage('state has more than 500 characters');
  const scopes = readScopes(query.get('scope') ?? '');
  return { application, redirectUri, state, scopes, ...readChallenge(query) };
}

/** The page on which the network keeps the user. */
export function microblogPage(reason: string): Refusal {
  const content = html`<h1>Something went wrong</h1>
<p>You weren't able to give access to the App. Go back and try logging in again.</p>
<p>${reason}</p>`;
  return new Refusal(page('Something went wrong', content, { status: 400 }), reason);
}

function readScopes(scope: string): readonly string[] {
  const scopes = [...new Set(scope.split(' ').filter((name) => name !== ''))];
  if (scopes.length === 0) throw microblogPage('scope is missing');
  if (!scopes.every((name) => SCOPES.includes(name))) {
    throw microblogPage('scope names one that does not exist');
  }
  return scopes;
}

function readChallenge(query: Parameters): Pick<MicroblogRequest, 'challenge' | 'isPlain'> {
  const challenge = query.get('code_challenge');
  if (!challenge) throw microblogPage('code_challenge is missing, which this network needs');
  switch (query.get('code_challenge_method')) {
    case 'S256':
      if (/^[A-Za-z0-9_-]{43}$/.test(challenge)) return { challenge, isPlain: false };
      throw microblogPage('code_challenge is no SHA-256 in base64url');
    case 'plain':
      if (/^[A-Za-z0-9._~-]{43,128}$/.test(challenge)) return { challenge, isPlain: true };
      throw microblogPage('code_challenge is no code verifier, of 43 to 128 letters');
    default:
      throw microblogPage('code_challenge_method is neither "S256" nor "plain"');
  }
}
