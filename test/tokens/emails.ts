import type { ProfileEmail, VerifyDone } from '../../lib/index.js';

/** Verify for tests of e-mail addresses: they are the whole user. */
export function verifyEmails(
  _token: string,
  _refreshToken: string | undefined,
  { emails }: { readonly emails?: ProfileEmail[] },
  done: VerifyDone,
): void {
  done(null, { emails });
}
