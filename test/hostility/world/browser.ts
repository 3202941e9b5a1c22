import type { Ending } from './application.js';

/** What a browser keeps of an application between requests. */
export class AppBrowser {
  session: Record<string, unknown> = {};
  private readonly cookies = new Map<string, string>();

  /** A `Cookie` header, with one more cookie that somebody planted. */
  cookieHeader(planted = ''): string {
    const own = [...this.cookies].map(([name, value]) => `${name}=${value}`);
    return [...own, 'session=1', planted].filter(Boolean).join('; ');
  }

  /** The identifier of the session that a cookie of express-session names. */
  sessionID(): string | undefined {
    const value = this.cookies.get('connect.sid');
    return value === undefined ? undefined : decodeURIComponent(value).slice(2).split('.', 1)[0];
  }

  /** How many logins are pending here, in the session and in cookies. */
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
