import { calledBack, inTime } from './app-callback.js';
import type { SkipUserProfile } from './login-options.js';

/**
 * Asks the option `skipUserProfile` in each of its forms, and loads the profile unless it says yes.
 *
 * @param credentials - What a question with arguments is asked with: the access token, or token and secret.
 * @returns `undefined` when the profile was skipped.
 */
export function loadUnlessSkipped(
  skip: SkipUserProfile,
  credentials: readonly string[],
  load: () => Promise<unknown>,
): Promise<unknown> {
  if (skip === false) return load();
  return isSkipped(skip, credentials).then((skipped) => (skipped ? undefined : load()));
}

async function isSkipped(skip: SkipUserProfile, credentials: readonly string[]): Promise<boolean> {
  if (typeof skip === 'boolean') return skip;
  const question = skip as (...args: unknown[]) => unknown;
  if (question.length <= 1) return Boolean(await inTime('skipUserProfile', question));
  return Boolean(await calledBack('skipUserProfile', (done) => question(...credentials, done)));
}
