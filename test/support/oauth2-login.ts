import { type AttemptEnding, attempt, fakeRequest } from './attempt.js';
import type { NamedStrategy } from './login-app.js';

/** A login through a network that a test plays. */
export interface PlayedLogin {
  /** The address that the person was sent to. */
  readonly authorization: URL;
  readonly ending: AttemptEnding;
}

/**
 * Starts a login without a server, and finishes it with a callback that brings its state.
 *
 * @param callback - What the callback brings beside it.
 * @param options - For `passport.authenticate`.
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
