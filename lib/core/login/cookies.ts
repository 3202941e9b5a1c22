import { parse, serialize } from 'cookie';
import type { ReachableResponse } from './outcome.js';
import type { LoginRequest, PendingLogin } from './pending-login.js';

/** Characters of a login's ID in the name of its cookie. */
const NAME_LENGTH = 16;

/**
 * One cookie for each pending login. It is `HttpOnly` and `SameSite=Lax`, and for an https callback `Secure` with the prefix `__Host-`: a
 * sibling host can plant any other cookie.
 */
export class LoginCookies {
  private readonly name: string;
  private readonly maxAge: number;
  private readonly pattern: RegExp;

  /** @param name - Prefix of the cookies' names. @param lifetime - In milliseconds. */
  constructor(name: string, lifetime: number) {
    this.name = name;
    this.maxAge = Math.ceil(lifetime / 1_000);
    this.pattern = new RegExp(`^(__Host-)?${name.replaceAll('.', '\\.')}\\.[\\w-]{${NAME_LENGTH}}$`);
  }

  nameOf(id: string, isSecure: boolean): string {
    return `${isSecure ? '__Host-' : ''}${this.name}.${id.slice(0, NAME_LENGTH)}`;
  }

  /**
   * The cookies of other pending logins, the oldest first, as browsers send them (RFC 6265 section 5.4). Cookies that a sibling host can
   * plant are not among those with the prefix, so they cannot push them out.
   */
  private others(req: LoginRequest, cookie: string): [name: string, value: string][] {
    return [...cookiesOf(req)].filter(
      ([other]) => this.pattern.test(other) && hasPrefix(other) === hasPrefix(cookie) && other !== cookie,
    );
  }

  /**
   * Removes cookies so that the browser can get another one: the oldest beyond a number, then the largest beyond a size of all its cookies.
   * Links with a long state cannot push out the user's own logins, whose state is short.
   */
  makeRoom(
    req: LoginRequest,
    response: ReachableResponse,
    cookie: string,
    { limit, bytes = Number.POSITIVE_INFINITY }: { readonly limit: number; readonly bytes?: number },
  ): void {
    const others = this.others(req, cookie);
    const surplus = others.splice(0, Math.max(0, others.length - limit + 1)).map(([name]) => name);
    const kept = [...cookiesOf(req)].filter(([name]) => name !== cookie && !surplus.includes(name));
    let total = kept.reduce((sum, [name, value]) => sum + lengthInHeader(name, value), 0);
    others.sort(([a, x], [b, y]) => lengthInHeader(b, y) - lengthInHeader(a, x));
    for (const [name, value] of others) {
      if (total <= bytes) break;
      total -= lengthInHeader(name, value);
      surplus.push(name);
    }
    for (const name of surplus) this.remove(response, name);
  }

  set(response: ReachableResponse, cookie: string, value: string): void {
    response.addCookie(serialize(cookie, value, { maxAge: this.maxAge, ...attributes(cookie) }));
  }

  remove(response: ReachableResponse, cookie: string): void {
    response.addCookie(serialize(cookie, '', { maxAge: 0, ...attributes(cookie) }));
  }
}

/** The cookies of a request, as the browser sent them. */
export function cookiesOf({ headers }: LoginRequest): Map<string, string> {
  const line = headers?.cookie;
  const cookies = parse(typeof line === 'string' ? line : '', { decode: (value) => value });
  return new Map(Object.entries(cookies) as [string, string][]);
}

/** Whether the browser reaches the callback of a login over TLS. */
export function isSecure({ callbackURL }: PendingLogin): boolean {
  return new URL(callbackURL).protocol === 'https:';
}

/** With `=` and the `; ` that follows. */
export function lengthInHeader(cookie: string, value: string): number {
  return cookie.length + value.length + 3;
}

function attributes(cookie: string) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: hasPrefix(cookie) } as const;
}

function hasPrefix(cookie: string): boolean {
  return cookie.startsWith('__Host-');
}
