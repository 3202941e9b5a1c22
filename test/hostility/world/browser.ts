import type { Ending } from './application.js';

/** The name of express-session's cookie. */
const SESSION_COOKIE = 'connect.sid';

/** A browser's cookies. */
export class AppBrowser {
  private readonly cookies = new Map<string, string>();

  /** The `Cookie` header, optionally with a planted cookie. */
  cookieHeader(planted = ''): string {
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`);
    return [...cookies, planted].filter(Boolean).join('; ');
  }

  /** The session ID in express-session's cookie. */
  sessionID(): string | undefined {
    const value = this.cookies.get(SESSION_COOKIE);
    return value === undefined ? undefined : decodeURIComponent(value).slice(2).split('.', 1)[0];
  }

  /** The number of pending logins. */
  pendingLogins(): number {
    return [...this.cookies.keys()].filter((name) => name !== SESSION_COOKIE).length;
  }

  keep({ headers }: Ending): void {
    this.keepCookies([headers['Set-Cookie'] ?? headers['set-cookie'] ?? []].flat() as string[]);
  }

  keepCookies(lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split('; ');
      const name = pair.slice(0, pair.indexOf('='));
      if (attributes.some((attribute) => attribute.toLowerCase() === 'max-age=0')) this.cookies.delete(name);
      else this.cookies.set(name, pair.slice(name.length + 1));
    }
  }

  /** A browser with the same cookies. */
  copy(): AppBrowser {
    const copy = new AppBrowser();
    for (const [name, value] of this.cookies) copy.cookies.set(name, value);
    return copy;
  }

  /** A copy of this browser that has the session of another one, but not that browser's login cookies. */
  withSessionOf(other: AppBrowser): AppBrowser {
    const copy = this.copy();
    copy.cookies.delete(SESSION_COOKIE);
    const session = other.cookies.get(SESSION_COOKIE);
    if (session !== undefined) copy.cookies.set(SESSION_COOKIE, session);
    return copy;
  }

  forgetAll(): void {
    this.cookies.clear();
  }
}
