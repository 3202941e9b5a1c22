import type { ProfileEmail, VerifyDone } from '../../lib/index.js';

/** A verify whose user has only the e-mail addresses. */
export function verifyEmails(
  _token: string,
  _refreshToken: string | undefined,
  { emails }: { readonly emails?: ProfileEmail[] },
  done: VerifyDone,
): void {
  done(null, { emails });
}
