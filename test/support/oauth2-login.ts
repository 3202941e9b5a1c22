import { type AttemptEnding, attempt, fakeRequest } from './attempt.js';
import type { NamedStrategy } from './login-app.js';

/** A login with a network that a test simulates. */
export interface PlayedLogin {
  /** The authorization URL. */
  readonly authorization: URL;
  readonly ending: AttemptEnding;
}

/**
 * Starts a login without a server and finishes it with an authorization response that has its state.
 *
 * @param callback - The other parameters of the authorization response.
 * @param options - Options for `passport.authenticate`.
 */
export async function playLogin(
  strategy: NamedStrategy,
  callback: Readonly<Record<string, string>> = { code: 'the-code' },
  options: object = {},
): Promise<PlayedLogin> {
  const session = {};
  const { redirect, error } = await attempt(strategy, fakeRequest('/login', session), options);
  if (redirect === undefined) throw error;
  const authorization = new URL(redirect);
  const state = authorization.searchParams.get('state');
  const query = new URLSearchParams({ ...callback, ...(state !== null && { state }) }).toString();
  const ending = await attempt(strategy, fakeRequest(`/callback?${query}`, session), options);
  return { authorization, ending };
}
