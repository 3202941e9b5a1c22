import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import { parse } from 'cookie';
import { LoginFailure } from '../errors/index.js';
import { type CookieLoginsOptions, keyFrom, mistake, readOptions } from './cookie-options.js';
import type { LoginStore, PendingLogin } from './pending-logins.js';
import type { LoginRequest } from './request.js';
import { responseOf } from './response.js';

/** Two fixed cookie names for logins that another site began, so that a page that forces many starts at once fills two cookies at most. */
const CROSS_SITE = ['login.x.1', 'login.x.2'] as const;
/** Milliseconds by which a cookie outlives its login, so that a late callback is told that it took too long. */
const AFTERWARDS = 600_000;
/** Maximum size of one cookie, name and value, in bytes: browsers accept 4,096 with the attributes. */
const LARGEST_COOKIE = 3_900;
/** Maximum size of all cookies in one request, in bytes: common servers accept a header of 8,192. */
const LARGEST_HEADER = 7_400;
/** Characters of a login's ID in the name of its cookie. The encryption binds the complete one. */
const NAME_LENGTH = 16;

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Keeps each pending login in an encrypted cookie of its own: the default of every strategy. Nothing is on the server, so any number of machines
 * and processes can finish each other's logins.
 *
 * The cookie is encrypted and authenticated (AES-256-GCM) and bound to its login. It expires, and it is `HttpOnly`, `SameSite=Lax`, and for an
 * https callback `Secure` with the prefix `__Host-`. It is removed when the login is used; {@link CookieLoginsOptions.claim} is for several
 * processes. Where a framework offers no response to set it on, {@link exposeResponse} does.
 *
 * @throws TypeError for options that cannot be used; during a login, if no cookie can be set, or if the application's own state makes it
 *   larger than browsers accept.
 */
export function cookieLogins(options: CookieLoginsOptions = {}): LoginStore {
  return new CookieLogins(readOptions(options));
}

/** The store of {@link cookieLogins}. Where it has no secrets, each strategy brings its client secret. */
export class CookieLogins implements LoginStore {
  readonly lifetime: number;
  readonly claim: LoginStore['claim'];
  private readonly pattern: RegExp;
  /** Digest of a client secret and its owner -> its store, so that a strategy made anew knows which logins were used. Out of sight of inspections. */
  readonly #derived = new Map<string, CookieLogins>();

  constructor(private readonly settings: ReturnType<typeof readOptions>) {
    this.lifetime = settings.lifetime;
    this.claim = settings.claim;
    this.pattern = new RegExp(
      `^(__Host-)?(${settings.name.replaceAll('.', '\\.')}\\.[\\w-]{${NAME_LENGTH}}|login\\.x\\.[12])$`,
    );
  }

  get needsSecret(): boolean {
    return this.settings.keys.length === 0;
  }

  withClientSecret(secret: string, strategy: string, clientID: string): CookieLogins {
    const owner = hash('sha256', JSON.stringify([strategy, clientID, secret]), 'base64url');
    const keys = [keyFrom(secret, strategy, clientID)];
    const store = this.#derived.get(owner) ?? new CookieLogins({ ...this.settings, keys });
    this.#derived.set(owner, store);
    return store;
  }

  /** @throws {@link LoginFailure} `no_room`, 431. */
  save(req: LoginRequest, login: PendingLogin): void {
    const { id, isSecure, isCrossSite } = login;
    const prefix = isSecure ? '__Host-' : '';
    const [first, second] = CROSS_SITE;
    let cookie = prefix + (isCrossSite ? first : this.placeOf(id));
    const value = this.encrypt(write(login), contextOf(cookie, id));
    const size = lengthInHeader(cookie, value);
    if (size > LARGEST_COOKIE) {
      throw mistake(
        `the login would need a cookie of ${size} bytes, and browsers accept ${LARGEST_COOKIE}. Give passport.authenticate a smaller state, for example an identifier`,
      );
    }
    const cookies = cookiesOf(req);
    const surplus = this.surplus(req, cookies, cookie, size);
    if (isCrossSite && cookies[cookie] !== undefined && !surplus.has(cookie)) cookie = prefix + second;
    // A cookie that is removed and set again counts as a new one, which browsers send last.
    for (const name of surplus) setCookie(req, name, '', 0);
    setCookie(req, cookie, value, Math.ceil((this.lifetime + AFTERWARDS) / 1_000));
  }

  take(req: LoginRequest, id: string): PendingLogin | undefined {
    const cookies = cookiesOf(req);
    for (const isSecure of [true, false]) {
      for (const place of [this.placeOf(id), ...CROSS_SITE]) {
        const cookie = `${isSecure ? '__Host-' : ''}${place}`;
        const value = cookies[cookie];
        if (!value) continue;
        const login = read(this.decrypt(value, contextOf(cookie, id)), id, cookie);
        if (!login) continue;
        setCookie(req, cookie, '', 0);
        return login;
      }
    }
    return undefined;
  }

  private placeOf(id: string): string {
    return `${this.settings.name}.${id.slice(0, NAME_LENGTH)}`;
  }

  /**
   * The cookies of pending logins that make room for another one: the largest, while all cookies of the host are too large for a request, then
   * the oldest beyond the limit, which browsers send first (RFC 6265 section 5.4). A login from another site makes only its like go, and a cookie
   * without the prefix, which a sibling host can plant, only others without it.
   *
   * @throws {@link LoginFailure} `no_room`, 431, where servers would refuse every further request of the browser.
   */
  private surplus(req: LoginRequest, cookies: Cookies, cookie: string, size: number): Set<string> {
    // The header's own length, because parsing drops what is malformed or comes twice.
    let total = size + String(req.headers?.cookie ?? '').length;
    const isForeign = isCrossSite(cookie);
    const own = (Object.entries(cookies) as [string, string][]).filter(
      ([name]) =>
        this.pattern.test(name) && hasPrefix(name) === hasPrefix(cookie) && (!isForeign || isCrossSite(name)),
    );
    const surplus = new Set<string>();
    const bySize = own.toSorted(([, one], [, other]) => other.length - one.length);
    for (const [name, value] of bySize) {
      if (total <= LARGEST_HEADER) break;
      surplus.add(name);
      total -= lengthInHeader(name, value);
    }
    if (total > LARGEST_HEADER) {
      throw new LoginFailure(
        'no_room',
        'The cookies of this site leave no room for a login. Delete the cookies of this site in the browser, then start the login again.',
      );
    }
    const alike = own.filter(([name]) => !surplus.has(name) && isCrossSite(name) === isForeign);
    const limit = isForeign ? CROSS_SITE.length : this.settings.limit;
    for (const [name] of alike.slice(0, Math.max(0, alike.length - limit + 1))) surplus.add(name);
    return surplus;
  }

  /** @param context - What the text is bound to: it cannot be decrypted with another one. @see NIST SP 800-38D */
  private encrypt(text: string, context: string): string {
    const [key] = this.settings.keys;
    if (!key) throw mistake('this store has no key: give secrets, or give the store to a strategy as it is');
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(context));
    const ciphertext = [cipher.update(text), cipher.final()];
    return Buffer.concat([iv, cipher.getAuthTag(), ...ciphertext]).toString('base64url');
  }

  /** @returns `undefined` if it was altered, or encrypted for another context or with none of the keys. */
  private decrypt(encrypted: string, context: string): unknown {
    const bytes = Buffer.from(encrypted, 'base64url');
    // Decoding ignores the unused bits of the last character, so that several texts would be the same login.
    if (bytes.length <= IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== encrypted) return undefined;
    const iv = bytes.subarray(0, IV_BYTES);
    const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
    const ciphertext = bytes.subarray(IV_BYTES + TAG_BYTES);
    for (const key of this.settings.keys) {
      const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
      try {
        return JSON.parse(decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8'));
      } catch {
        // Altered, or encrypted with another key.
      }
    }
    return undefined;
  }
}

type Cookies = Readonly<Record<string, string | undefined>>;

function cookiesOf({ headers }: LoginRequest): Cookies {
  const line = headers?.cookie;
  return parse(typeof line === 'string' ? line : '', { decode: (value) => value });
}

/** The length of a cookie in a header, with `=` and the `; ` that follows. */
function lengthInHeader(cookie: string, value: string): number {
  return cookie.length + value.length + 3;
}

/** Sets a cookie. Name and value have only letters, digits, `-`, `_` and `.`, which need no encoding. @see RFC 6265 section 4.1.1 */
function setCookie(req: LoginRequest, cookie: string, value: string, maxAge: number): void {
  const response = responseOf(req);
  if (!response) {
    // A request of Fastify has Node's own at `raw`.
    const line = 'raw' in req ? "app.addHook('onRequest', exposeResponse)" : 'app.use(exposeResponse)';
    throw mistake(
      `a cookie must be set, and the framework offers no response at req.res. Add ${line} before Passport, with exposeResponse from passport-social-networks`,
    );
  }
  if (response.isSent) throw mistake('a cookie must be set, and the response was sent already');
  const secure = hasPrefix(cookie) ? '; Secure' : '';
  response.addCookie(`${cookie}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly${secure}; SameSite=Lax`);
}

/** Whether the cookie is of a login that another site began. */
const isCrossSite = (cookie: string) => /\.x\.[12]$/.test(cookie);

const hasPrefix = (cookie: string) => cookie.startsWith('__Host-');

/** The associated data of a cookie. It leaves out which place a login of another site has, because that is chosen last. */
function contextOf(cookie: string, id: string): string {
  return (isCrossSite(cookie) ? cookie.slice(0, -1) : cookie) + id;
}

/**
 * The properties in the cookie, an array without their names: every character counts, because a browser sends up to ten of them. The state is last,
 * because it can be `null`.
 */
const STORED = [
  'expiresAt',
  'codeVerifier',
  'redirectURI',
  'isResolved',
  'linksTo',
  'requestTokenSecret',
  'scope',
  'state',
] as const satisfies readonly (keyof PendingLogin)[];

/** A login as JSON, without what the name of its cookie and the callback say. */
function write(login: PendingLogin): string {
  const values: unknown[] = [];
  for (const name of STORED) values.push(login[name]);
  while (values.at(-1) === undefined) values.pop();
  return JSON.stringify(values);
}

/** @returns `undefined` if another version of this package wrote the cookie differently. */
function read(values: unknown, id: string, cookie: string): PendingLogin | undefined {
  if (!Array.isArray(values) || typeof values[0] !== 'number') return undefined;
  const known = { id, isSecure: hasPrefix(cookie), isCrossSite: isCrossSite(cookie) };
  const login: Record<string, unknown> = known;
  for (const [index, value] of (values as unknown[]).entries()) {
    const name = STORED[index];
    if (name !== undefined && (value !== null || name === 'state')) login[name] = value;
  }
  return login as unknown as PendingLogin;
}
