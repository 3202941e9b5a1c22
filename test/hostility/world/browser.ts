import type { Ending } from './application.js';

/** A browser's session and cookies. */
export class AppBrowser {
  session: Record<string, unknown> = {};
  private readonly cookies = new Map<string, string>();

  /** The `Cookie` header, optionally with a planted cookie. */
  cookieHeader(planted = ''): string {
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`);
    return [...cookies, 'session=1', planted].filter(Boolean).join('; ');
  }

  /** The session ID in express-session's cookie. */
  sessionID(): string | undefined {
    const value = this.cookies.get('connect.sid');
    return value === undefined ? undefined : decodeURIComponent(value).slice(2).split('.', 1)[0];
  }

  /** The number of pending logins in the session and in cookies. */
  pendingLogins(): number {
    const inSession = (this.session.pendingLogins ?? {}) as object;
    return Object.keys(inSession).length + this.cookies.size;
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

  forgetAll(): void {
    this.session = {};
    this.cookies.clear();
  }
}
