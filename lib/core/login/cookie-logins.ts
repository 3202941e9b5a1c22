import { isObject, parseJSON } from '../http/index.js';
import { cookiesOf, isSecure, LoginCookies, lengthInHeader } from './cookies.js';
import { encryptionWith, SHORTEST_SECRET } from './encryption.js';
import { type ReachableResponse, responseOf } from './outcome.js';
import {
  isPendingLogin,
  type LoginLimits,
  type LoginRequest,
  type LoginStore,
  type PendingLogin,
  readLimits,
} from './pending-login.js';
import { isSessionAlive, leaveSession } from './stored-session.js';

export interface CookieLoginsOptions extends LoginLimits {
  /**
   * One secret or several, each of at least 32 characters: the first encrypts, all decrypt. To rotate, add the new secret at the end
   * everywhere, then put it first, then drop the old one once its logins have expired. All processes of an application need the same secrets.
   */
  secrets: string | readonly string[];
  /** Prefix of the cookies' names. Default `login`. */
  name?: string;
}

/** Maximum size of one cookie, name and value, in bytes: browsers accept 4,096 with the attributes. */
const LARGEST_COOKIE = 3_900;
/** Maximum size of all cookies in one request, in bytes: common servers accept a header of 8,192. */
const LARGEST_HEADER = 7_400;

/**
 * Keeps each pending login in an encrypted cookie of its own, without a session or any state on the server: for serverless functions, several
 * machines, and applications that use tokens instead of sessions.
 *
 * The cookie is encrypted and authenticated (AES-256-GCM) and bound to its login (strategy, client, network, state or request token). It
 * expires, and it is `HttpOnly`, `SameSite=Lax`, and for an https callback `Secure` with the prefix `__Host-`. It is removed when the login
 * is used, and the process remembers that; see {@link LoginLimits.claim} for several processes.
 *
 * Works where the framework offers the response at `req.res`: Express 4 and 5, Koa. With Fastify, put the reply there:
 * `app.addHook('onRequest', (request, reply, done) => { request.res = reply; done(); })`.
 *
 * @throws TypeError for options that cannot be used; during a login, if no cookie can be set, or if the application's own state makes it
 *   larger than browsers accept.
 */
export function cookieLogins(options: CookieLoginsOptions): LoginStore {
  const encryption = encryptionWith(readSecrets(options?.secrets));
  const { name = 'login' } = options;
  const { lifetime, limit, claim } = readLimits('cookieLogins', options, ['secrets', 'name']);
  if (typeof name !== 'string' || !/^[\w.-]+$/.test(name)) {
    throw mistake('name must be a string of letters, digits, ".", "-" and "_"');
  }

  // A cookie's name has only the beginning of its login's ID. The complete ID is bound into the encryption.
  const logins = new LoginCookies(name, lifetime);

  return {
    lifetime,
    ...(claim && { claim }),

    async save(req, login) {
      const response = usableResponse(req);
      const { id } = login;
      const cookie = logins.nameOf(id, isSecure(login));
      const value = encryption.encrypt(write(login), id);
      const size = cookie.length + value.length;
      if (size > LARGEST_COOKIE) {
        throw mistake(
          `the login would need a cookie of ${size} bytes, and browsers accept ${LARGEST_COOKIE}. Give passport.authenticate a smaller state, for example an identifier`,
        );
      }
      logins.makeRoom(req, response, cookie, {
        limit,
        bytes: LARGEST_HEADER - lengthInHeader(cookie, value),
      });
      logins.set(response, cookie, value);
    },

    async take(req, id) {
      const response = usableResponse(req);
      const cookies = cookiesOf(req);
      for (const secure of [true, false]) {
        const cookie = logins.nameOf(id, secure);
        const text = encryption.decrypt(cookies.get(cookie) ?? '', id);
        const login = text === undefined ? undefined : read(id, text);
        // A sibling host can plant a cookie that lacks the prefix __Host-, so such a cookie is trusted only for a plain http callback.
        if (!login || isSecure(login) !== secure) continue;
        logins.remove(response, cookie);
        return login;
      }
      return undefined;
    },

    // The logins need no session, but the application may have one.
    async revalidate(req) {
      if (await isSessionAlive(req)) return true;
      await leaveSession(req);
      return false;
    },
  };
}

type StoredProperty = keyof Omit<PendingLogin, 'id'>;

/** Property of a login -> its name in the cookie. A browser sends up to twenty cookies, so every character counts. */
const SHORT_NAMES: Readonly<Record<StoredProperty, string>> = {
  strategy: 'n',
  clientID: 'i',
  callbackURL: 'u',
  isRelative: 'r',
  secret: 's',
  scope: 'c',
  state: 'a',
  signedIn: 'l',
  expiresAt: 'e',
};
const NAMES = Object.entries(SHORT_NAMES) as [StoredProperty, string][];

/** A login as JSON, without its ID: whoever takes the login knows it. */
function write(login: PendingLogin): string {
  return JSON.stringify(Object.fromEntries(NAMES.map(([name, short]) => [short, login[name]])));
}

/** @returns `undefined` if another version of this package wrote the cookie differently. */
function read(id: string, text: string): PendingLogin | undefined {
  const record = parseJSON(text);
  if (!isObject(record)) return undefined;
  const found = NAMES.filter(([, short]) => record[short] !== undefined);
  const login = { id, ...Object.fromEntries(found.map(([name, short]) => [name, record[short]])) };
  return isPendingLogin(login) ? login : undefined;
}

function readSecrets(secrets: unknown): [string, ...string[]] {
  // Array.from turns holes into undefined; `every` would skip them.
  const list: unknown[] = Array.isArray(secrets) ? Array.from(secrets as unknown[]) : [secrets];
  if (list.length > 0 && list.every((one) => typeof one === 'string' && one.length >= SHORTEST_SECRET)) {
    return list as [string, ...string[]];
  }
  throw mistake(
    `secrets must be a string of at least ${SHORTEST_SECRET} characters, or several. Make one with: node -p "require('crypto').randomBytes(32).toString('base64url')"`,
  );
}

function mistake(problem: string): TypeError {
  return new TypeError(`cookieLogins: ${problem}.`);
}

function usableResponse(req: LoginRequest): ReachableResponse {
  const response = responseOf(req);
  if (!response) {
    throw mistake(
      'a cookie must be set, and the framework offers no response at req.res. Express and Koa do; with Fastify put the reply there in an onRequest hook (request.res = reply). Elsewhere use sessionLogins()',
    );
  }
  if (response.isSent) throw mistake('a cookie must be set, and the response was sent already');
  return response;
}
