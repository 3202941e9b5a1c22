import type { Application } from '../clients.js';
import type { Belief } from '../evidence.js';
import { errorPage } from '../pages/error-page.js';
import { html } from '../pages/page.js';
import { isVerifier } from '../pkce.js';
import { plainHttpProblem, redirectUriProblem } from '../redirect-uri.js';
import type { NetworkRequest } from '../request.js';
import { ErrorResponse } from '../response.js';
import { BELIEFS } from './beliefs.js';

/** Every scope of the network; the sandbox's applications may request all of them. */
const SCOPES = (
  'tweet.read tweet.write tweet.moderate.write users.read users.email follows.read follows.write ' +
  'offline.access space.read mute.read mute.write like.read like.write list.read list.write ' +
  'block.read block.write bookmark.read bookmark.write dm.read dm.write media.write ' +
  'broadcast.read broadcast.write timeline.read'
).split(' ');

/** A valid authorization request to the microblog network. */
export interface MicroblogRequest {
  readonly application: Application;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly challenge: string;
  /** Whether the method is `plain`, where the challenge is the verifier itself. The network allows it. */
  readonly isPlain: boolean;
  readonly state: string | undefined;
}

/**
 * Validates an authorization request.
 *
 * @throws ErrorResponse with an error page. This network never redirects an invalid request back.
 * @see https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code (read 2026-11)
 */
export function readMicroblogRequest(
  request: NetworkRequest,
  clients: readonly Application[],
): MicroblogRequest {
  const { query, notes } = request;
  const application = clients.find(({ id }) => id === query.get('client_id'));
  if (!application) {
    throw microblogErrorPage(BELIEFS.client, 'client_id is missing, or no OAuth 2.0 client of the sandbox');
  }
  if (query.get('response_type') !== 'code') {
    throw microblogErrorPage(BELIEFS.responseType, 'response_type is not "code"');
  }
  const redirectUri = query.get('redirect_uri');
  const problem = redirectUriProblem(redirectUri);
  if (redirectUri === undefined || problem !== undefined) {
    throw microblogErrorPage(BELIEFS.redirectUri, problem ?? 'redirect_uri is missing');
  }
  const plainHttp = plainHttpProblem(redirectUri);
  if (plainHttp !== undefined) {
    notes.refuseOrNote(microblogErrorPage(BELIEFS.redirectUriHttps, plainHttp));
  }
  const state = query.get('state');
  if (state !== undefined && state.length > 500) {
    throw microblogErrorPage(BELIEFS.state, 'state has more than 500 characters');
  }
  const scopes = readScopes(query.get('scope') ?? '');
  return { application, redirectUri, state, scopes, ...readChallenge(request) };
}

/** The network's error page. It shows the reason, although the real network does not say it. */
export function microblogErrorPage(belief: Belief, reason: string): ErrorResponse {
  const content = html`<p>You weren't able to give access to the App. Go back and try logging in again.</p>`;
  const response = errorPage({ title: 'Something went wrong', content, reason, belief, status: 400 });
  return new ErrorResponse(response, reason, belief);
}

function readScopes(scope: string): readonly string[] {
  const scopes = [...new Set(scope.split(' ').filter((name) => name !== ''))];
  if (scopes.length === 0) throw microblogErrorPage(BELIEFS.scope, 'scope is missing');
  if (!scopes.every((name) => SCOPES.includes(name))) {
    throw microblogErrorPage(BELIEFS.scope, 'scope names one that does not exist');
  }
  return scopes;
}

function readChallenge({ query, notes }: NetworkRequest): Pick<MicroblogRequest, 'challenge' | 'isPlain'> {
  const challenge = query.get('code_challenge');
  const method = query.get('code_challenge_method');
  if (!challenge) {
    throw microblogErrorPage(BELIEFS.challenge, 'code_challenge is missing, which this network needs');
  }
  if (method === 'plain') {
    if (!isVerifier(challenge)) {
      const reason = 'code_challenge is no code verifier, of 43 to 128 letters';
      notes.refuseOrNote(microblogErrorPage(BELIEFS.verifierForm, reason));
    }
    return { challenge, isPlain: true };
  }
  if (method !== 'S256' && method !== 's256') {
    const reason = 'code_challenge_method is neither "S256" nor "plain"';
    throw microblogErrorPage(BELIEFS.challengeMethod, reason);
  }
  if (method === 's256') {
    const reason = 'code_challenge_method is "s256", not "S256"';
    notes.refuseOrNote(microblogErrorPage(BELIEFS.challengeMethodCase, reason));
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    notes.refuseOrNote(
      microblogErrorPage(BELIEFS.challengeForm, 'code_challenge is no SHA-256 in base64url'),
    );
  }
  return { challenge, isPlain: false };
}
