import { LoginFailure } from './errors.js';

/** Digests kept in memory, at most some ten megabytes; the oldest go first. */
const MOST_REMEMBERED = 100_000;

/** The failure of a callback whose login was taken before. */
export function usedLogin(): LoginFailure {
  return new LoginFailure(
    'used_login',
    403,
    'This callback was used already: the page was reloaded or the link opened twice. Start the login again.',
  );
}

/**
 * Remembers which logins this process has taken, until they would have expired: two callbacks with one state can be under
 * way at once, each with a copy of the session that still has the login.
 */
export class TakenLogins {
  /** Digest of a login -> when it would have expired, in milliseconds since the epoch. */
  private readonly until = new Map<string, number>();

  /** @throws {@link LoginFailure} `used_login`, 403, when the login was taken before. */
  refuse(id: string): void {
    if ((this.until.get(id) ?? 0) <= Date.now()) return;
    throw usedLogin();
  }

  /**
   * Marks a login as taken. Nothing may be awaited between finding it and this.
   *
   * @throws {@link LoginFailure} `used_login`, 403, when the login was taken before.
   */
  claim(id: string, expiresAt: number): void {
    this.refuse(id);
    const oldest = this.until.size >= MOST_REMEMBERED ? this.until.keys().next().value : undefined;
    if (oldest !== undefined) this.until.delete(oldest);
    this.until.set(id, expiresAt);
  }
}
