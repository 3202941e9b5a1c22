import { parse, serialize } from 'cookie';
import { readRecord, writeRecord } from './cookie-record.js';
import { type LoginLimits, readLimits } from './login-limits.js';
import type { LoginRequest, LoginStore, PendingLogin } from './pending-login.js';
import { type ReachableResponse, responseOf } from './response.js';
import { SHORTEST_SECRET, sealOf } from './seal.js';
import { usedLogin } from './taken-logins.js';

export interface CookieLoginsOptions extends LoginLimits {
  /**
   * One secret or several, each of at least 32 characters: the first seals, all open. To change it, put the new one in
   * front and drop the old one when its logins have expired. All processes of an application need the same.
   */
  secrets: string | readonly string[];
  /** Beginning of the cookies' names. Default `login`. */
  name?: string;
  /**
   * Marks a login as taken where all processes see it, until `expiresAt` (milliseconds since the epoch).
   *
   * Without it each process remembers the logins that it took itself: a cookie and a callback that somebody copied before
   * the browser used them could be used once more at another process, where only the network's own check of the code
   * is left. With Redis: `async (id, expiresAt) => (await redis.set(id, '1', { NX: true, PXAT: expiresAt })) === 'OK'`.
   *
   * @returns Whether it was not taken before.
   */
  claim?: (id: string, expiresAt: number) => boolean | PromiseLike<boolean>;
}

/** Most bytes of one cookie, name and value: browsers take 4,096 with the attributes. */
const LARGEST_COOKIE = 3_900;
/** Most bytes of all pending logins in one request: common servers take a header of 8,192. */
const LARGEST_HEADER = 7_400;
/** As much of a login's identifier as tells one browser's logins apart; the whole of it is bound into the seal. */
const NAME_LENGTH = 16;

/**
 * Keeps each pending login in a cookie of its own, sealed, so that neither a session nor any state on the server is
 * needed: for serverless functions, several machines, and applications that log in with tokens.
 *
 * The cookie is encrypted and authenticated (AES-256-GCM), bound to its login (strategy, client, network, state or request
 * token), expires, and is `HttpOnly`, `SameSite=Lax`, for an https callback `Secure` with the prefix `__Host-`. It is removed when the
 * login is taken, and the process remembers that it was; see {@link CookieLoginsOptions.claim} for several processes.
 *
 * Works where the framework shows the response at `req.res`: Express 4 and 5, Koa. With Fastify, put the reply there:
 * `app.addHook('onRequest', (request, reply, done) => { request.res = reply; done(); })`.
 *
 * @throws TypeError for options that cannot be used; during a login, when no cookie can be set, or when the application's own
 *   state makes it larger than browsers take.
 */
export function cookieLogins(options: CookieLoginsOptions): LoginStore {
  const seal = sealOf(readSecrets(options?.secrets));
  const { name = 'login', claim } = options;
  const { lifetime, limit } = readLimits('cookieLogins', options);
  if (typeof name !== 'string' || !/^[\w.-]+$/.test(name)) {
    throw mistake('name must be a text of letters, digits, ".", "-" and "_"');
  }
  if (claim !== undefined && typeof claim !== 'function') throw mistake('claim must be a function');

  const cookieName = (id: string, isSecure: boolean) =>
    `${isSecure ? '__Host-' : ''}${name}.${id.slice(0, NAME_LENGTH)}`;
  const pattern = new RegExp(`^(__Host-)?${name.replaceAll('.', '\\.')}\\.[\\w-]{${NAME_LENGTH}}$`);

  return {
    lifetime,

    async save(req, login) {
      const response = usableResponse(req);
      const { id } = login;
      const cookie = cookieName(id, isSecure(login));
      const value = await seal.close(writeRecord(login), id);
      const size = cookie.length + value.length;
      if (size > LARGEST_COOKIE) {
        throw mistake(
          `the login would need a cookie of ${size} bytes, and browsers take ${LARGEST_COOKIE}. Give passport.authenticate a smaller state, for example an identifier`,
        );
      }
      // Browsers send the oldest cookie first (RFC 6265 section 5.4). Those without the prefix may be a neighbouring host's: they
      // must not push out those with it.
      const kept = [...cookiesOf(req)].filter(
        ([other]) => pattern.test(other) && hasPrefix(other) === hasPrefix(cookie) && other !== cookie,
      );
      let total = kept.reduce((sum, [other, sealed]) => sum + lengthInHeader(other, sealed), 0);
      while (kept.length >= limit || total + lengthInHeader(cookie, value) > LARGEST_HEADER) {
        const [oldest, sealed] = kept.shift() as [string, string];
        total -= lengthInHeader(oldest, sealed);
        forget(response, oldest);
      }
      response.addCookie(
        serialize(cookie, value, { ...attributes(cookie), maxAge: Math.ceil(lifetime / 1_000) }),
      );
    },

    async take(req, id) {
      const response = usableResponse(req);
      const cookies = cookiesOf(req);
      for (const secure of [true, false]) {
        const cookie = cookieName(id, secure);
        const sealed = cookies.get(cookie);
        const text = sealed && (await seal.open(sealed, id));
        const login = text ? readRecord(id, text) : undefined;
        // A name without __Host- can be planted by a neighbouring host, so it is believed for a plain callback only.
        if (!login || isSecure(login) !== secure) continue;
        forget(response, cookie);
        // One that has expired is refused by whoever asked for it, and needs no place among the taken ones.
        const isFresh = login.expiresAt > Date.now();
        if (claim && isFresh && !(await claim(id, login.expiresAt))) throw usedLogin();
        return login;
      }
      return undefined;
    },
  };
}

function readSecrets(secrets: unknown): [string, ...string[]] {
  // Copied, and holes with it: they would pass the check that follows.
  const list: unknown[] = Array.isArray(secrets) ? Array.from(secrets as unknown[]) : [secrets];
  if (list.length > 0 && list.every((one) => typeof one === 'string' && one.length >= SHORTEST_SECRET)) {
    return list as [string, ...string[]];
  }
  throw mistake(
    `secrets must be a text of at least ${SHORTEST_SECRET} characters, or several. Make one with: node -p "require('crypto').randomBytes(32).toString('base64url')"`,
  );
}

function mistake(problem: string): TypeError {
  return new TypeError(`cookieLogins: ${problem}.`);
}

function usableResponse(req: LoginRequest): ReachableResponse {
  const response = responseOf(req);
  if (!response) {
    throw mistake(
      'a cookie must be set, and the framework shows no response at req.res. Express and Koa do; with Fastify put the reply there in an onRequest hook (request.res = reply). Elsewhere use sessionLogins()',
    );
  }
  if (response.isSent) throw mistake('a cookie must be set, and the response was sent already');
  return response;
}

function isSecure({ callbackURL }: PendingLogin): boolean {
  return new URL(callbackURL).protocol === 'https:';
}

function cookiesOf({ headers }: LoginRequest): Map<string, string> {
  const line = headers?.cookie;
  const cookies = parse(typeof line === 'string' ? line : '', { decode: (value) => value });
  return new Map(Object.entries(cookies) as [string, string][]);
}

/** With `=` and the `; ` that follows. */
function lengthInHeader(cookie: string, value: string): number {
  return cookie.length + value.length + 3;
}

function attributes(cookie: string) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: hasPrefix(cookie) } as const;
}

function hasPrefix(cookie: string): boolean {
  return cookie.startsWith('__Host-');
}

function forget(response: ReachableResponse, cookie: string): void {
  response.addCookie(serialize(cookie, '', { ...attributes(cookie), maxAge: 0 }));
}
