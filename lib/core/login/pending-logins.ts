import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { withDeadline } from '../application-code.js';
import { LoginFailure } from '../errors/index.js';
import type { LoginRequest } from './request.js';

/** What must be remembered between the redirect to the network and the authorization response. Plain JSON. */
export interface PendingLogin {
  /** Digest of strategy, client, network, configured redirect URI, and state or request token; reveals none of them. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Whether the browser returns over https. Its cookies are `Secure` then. */
  readonly isSecure: boolean;
  /** Whether another site sent the browser to the start. Such a login must not push out those that the user began here. */
  readonly isCrossSite: boolean;
  /** OAuth 2: the PKCE code verifier. Confidential. */
  readonly codeVerifier?: string;
  /** OAuth 1.0a: the secret of the request token. Confidential. */
  readonly requestTokenSecret?: string;
  /** The redirect URI that was sent, if it is not the configured one: the token request repeats it. */
  readonly redirectURI?: string;
  /** Whether `redirectURI` was resolved against the request that began the login. */
  readonly isResolved?: boolean;
  /** The requested scopes, if they are not the configured ones. */
  readonly scope?: readonly string[];
  /** The application's own `state`, handed back as `info.state`. */
  readonly state?: unknown;
  /** Digest of the user to whom the account will be linked. Only `passport.authorize`, on a page of this site, begins a link. */
  readonly linksTo?: string;
}

/**
 * Keeps pending logins. A browser can have several at once, each found by its own `id`, so that tabs do not interfere with each other.
 *
 * A store must give a login only to the browser that began it: keep it in a cookie, or a random value in a cookie with which it is found.
 *
 * Both methods may be asynchronous but must finish within 60 seconds; what they throw becomes a Passport error.
 */
export interface LoginStore {
  /** How long a user may take, in milliseconds. Default: ten minutes. */
  readonly lifetime?: number;
  /** Keeps a login. It must be stored by the time this returns or resolves: the browser is redirected right after. */
  save(req: LoginRequest, login: PendingLogin): void | Promise<void>;
  /**
   * Finds a login and removes it, so that it is used once.
   *
   * @returns `undefined` if there is none.
   */
  take(req: LoginRequest, id: string): PendingLogin | undefined | Promise<PendingLogin | undefined>;
}

/** A store that can make a login single-use across processes, see {@link CookieLoginsOptions.claim}. */
interface ClaimingStore extends LoginStore {
  readonly claim?: ((id: string, expiresAt: number) => boolean | PromiseLike<boolean>) | undefined;
}

export function isLoginStore(store: unknown): store is LoginStore {
  const { save, take } = (store ?? {}) as Partial<LoginStore>;
  return typeof save === 'function' && typeof take === 'function';
}

/** What a strategy knows about a login when it begins. */
export type NewLogin = Omit<PendingLogin, 'id' | 'expiresAt' | 'linksTo'>;

/** Who a login belongs to. No other strategy, client or network can finish them. */
export interface LoginOwner {
  readonly strategy: string;
  readonly clientID: string;
  /** The authorization endpoint: the same client at another network is another owner. */
  readonly authorizationURL: string;
  /** The configured redirect URI, if it is absolute: staging and production can have the same client. */
  readonly redirectURI: string | undefined;
}

/** Largest application state by default, in bytes of JSON. */
const STATE_LIMIT = 1_024;

/** How long a user may take by default, in milliseconds. */
export const DEFAULT_LIFETIME = 600_000;

/** Store -> its replay guard: strategies that share a store share what it has used. */
const replayGuards = new WeakMap<LoginStore, ReplayGuard>();

/** Whether the options of `authenticate` are those of `passport.authorize`, which links an account to the user who is signed in. */
export function isLink(options: object): boolean {
  return (options as { assignProperty?: unknown }).assignProperty !== undefined;
}

/** The pending logins of one strategy: the only place where they are saved, taken and used. */
export class PendingLogins {
  private readonly strategy: string;
  private readonly owner: string;
  // Private to the engine: an application's own may hold the password of a database.
  readonly #store: ClaimingStore;
  private readonly stateLimit: number;
  private readonly replayGuard: ReplayGuard;

  constructor(store: LoginStore, owner: LoginOwner, stateLimit = STATE_LIMIT) {
    const { strategy, clientID, authorizationURL, redirectURI } = owner;
    this.strategy = strategy;
    this.owner = JSON.stringify([strategy, clientID, authorizationURL, redirectURI]);
    this.#store = store;
    this.stateLimit = stateLimit;
    this.replayGuard = replayGuards.get(store) ?? new ReplayGuard();
    replayGuards.set(store, this.replayGuard);
  }

  /**
   * Saves a login.
   *
   * @param key - The state or request token that the network will send back.
   * @param isLinking - Whether the login was begun by `passport.authorize`.
   */
  async save(req: LoginRequest, key: string, login: NewLogin, isLinking: boolean): Promise<void> {
    const linksTo = isLinking && !login.isCrossSite ? signedInUser(req) : undefined;
    const record: PendingLogin = {
      ...login,
      id: this.idOf(key),
      expiresAt: Date.now() + (this.#store.lifetime ?? DEFAULT_LIFETIME),
      ...(linksTo !== undefined && { linksTo }),
    };
    await withDeadline('The login store', this.#store.save(req, record));
  }

  /**
   * Takes the login that an authorization response belongs to out of its store. It is gone, whatever happens next.
   *
   * @param key - The state or request token of the response, if it has one.
   * @param isLinking - Whether Passport links an account to the user who is signed in (`passport.authorize`). Somebody else, or a page of
   *   another site, could have begun any other login, and would choose the account.
   * @throws {@link LoginFailure} `unknown_login`, `used_login` or `expired_login`, each 403.
   */
  async take(req: LoginRequest, key: string | undefined, isLinking: boolean): Promise<PendingLogin> {
    if (key === undefined) throw this.unknownLogin(req);
    const id = this.idOf(key);
    this.replayGuard.check(id);
    const login = await withDeadline('The login store', this.#store.take(req, id));
    if (typeof login?.id !== 'string' || !areEqual(login.id, id)) throw this.unknownLogin(req);
    const user = isLinking ? signedInUser(req) : undefined;
    if (isLinking && (login.linksTo === undefined || login.linksTo !== user)) {
      throw new LoginFailure(
        'unknown_login',
        login.linksTo !== undefined && user === undefined
          ? "Nobody is signed in any more, so the account cannot be linked. If the user was when the login began, the session's cookie has SameSite=Strict, and no browser sends it along from the network: set sameSite: 'lax'."
          : 'This login was not begun by passport.authorize, on a page of this site, by the user who is signed in, so its account cannot be linked. Sign in, then link the account again.',
      );
    }
    if (login.expiresAt > Date.now()) return login;
    throw new LoginFailure(
      'expired_login',
      'This login took longer than allowed and has expired. Start the login again.',
    );
  }

  /**
   * Makes sure that a login is used once. Call this when its response has turned out to have a code, before the code is sent to the
   * network: two requests may have come with the same cookie. Logins that get no further, which anyone can make without an account, are not
   * remembered.
   *
   * @throws {@link LoginFailure} `used_login`, 403; TypeError for a claim that returns anything but a boolean.
   */
  async markUsed({ id, expiresAt }: PendingLogin): Promise<void> {
    this.replayGuard.use(id, expiresAt);
    const { claim } = this.#store;
    if (!claim) return;
    const isUnused: unknown = await withDeadline('claim', claim(id, expiresAt));
    if (isUnused === false) throw usedLogin();
    if (isUnused === true) return;
    throw new TypeError(
      `claim must return true or false, and returned ${isUnused === null ? 'null' : typeof isUnused}: compare the database's result, as in docs/pending-logins.md.`,
    );
  }

  /**
   * The application's state as it will come back. Anyone can send a browser to a link that starts a login, and applications keep parts of that
   * link in their state.
   *
   * @throws TypeError for a state that is too large, and for what JSON would bring back as something else.
   */
  checkState(state: unknown): unknown {
    if (state === undefined) return undefined;
    const text = jsonOf(state);
    if (text === undefined) {
      throw new TypeError(
        `${this.strategy}: the state given to authenticate must be JSON: strings, finite numbers, true, false, null, and plain objects and arrays of them. Convert anything else, for example a date with toISOString().`,
      );
    }
    const size = Buffer.byteLength(text);
    if (size <= this.stateLimit) return JSON.parse(text);
    throw new TypeError(
      `${this.strategy}: the state given to authenticate has ${size} bytes as JSON, and at most ${this.stateLimit} are kept. Give a shorter one, for example an ID, or raise the option stateLimit.`,
    );
  }

  private idOf(key: string): string {
    return hash('sha256', `${this.owner}${key}`, 'base64url');
  }

  private unknownLogin({ headers }: LoginRequest): LoginFailure {
    const reason = headers?.cookie
      ? 'It was started in another browser or by another strategy, was finished already, or its cookie is gone.'
      : 'The browser sent no cookie: the login started on another host name (localhost and 127.0.0.1 are two), or the cookie is Secure over http.';
    return new LoginFailure(
      'unknown_login',
      `This callback belongs to no pending login of ${this.strategy}. ${reason} Start the login again.`,
    );
  }
}

/** @returns `undefined` for a value that JSON cannot carry as it is. */
function jsonOf(value: unknown): string | undefined {
  try {
    // Cycles and BigInt throw.
    const text = JSON.stringify(value);
    return isJSON(value) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** A property that is `undefined` may be left out; in an array it would become `null`. */
function isJSON(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object') return ['string', 'boolean'].includes(typeof value);
  if (value === null) return true;
  if ('toJSON' in value) return false;
  if (Array.isArray(value)) return Array.from(value as unknown[]).every(isJSON);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return false;
  return Object.values(value).every((property) => property === undefined || isJSON(property));
}

/** How many digests are kept in memory, some ten megabytes; the oldest are forgotten first. */
const MOST_REMEMBERED = 100_000;

/**
 * Remembers, until they expire, the logins of a store that this process has used: two requests with the same state can be in flight at once.
 * Each of them has cost a request to the network.
 */
export class ReplayGuard {
  /** ID of a login -> when it expires, in milliseconds since the epoch. */
  private readonly used = new Map<string, number>();

  /** @throws {@link LoginFailure} `used_login`, 403, if the login was used before. */
  check(id: string): void {
    if ((this.used.get(id) ?? 0) > Date.now()) throw usedLogin();
  }

  /** Remembers a login as used. @throws {@link LoginFailure} `used_login`, 403, if it was used before. */
  use(id: string, expiresAt: number): void {
    this.check(id);
    const oldest = this.used.size >= MOST_REMEMBERED ? this.used.keys().next().value : undefined;
    if (oldest !== undefined) this.used.delete(oldest);
    this.used.set(id, expiresAt);
  }
}

/**
 * Who is signed in: what Passport serialized into the session, or else the user of the request. Passport's `userProperty` may have another
 * name, and koa-passport hides `req.user` from `authorize`, so the frameworks are asked as well.
 *
 * @returns `undefined` if nobody is, or if nothing tells who.
 */
function signedInUser(req: LoginRequest): string | undefined {
  const { isAuthenticated, ctx } = req as PassportRequest;
  const user = userOf(req);
  const isSignedIn = Boolean(user) || isAuthenticated?.call(req) || ctx?.isAuthenticated?.();
  if (!isSignedIn) return undefined;
  const identity = serializedUser(req.session) ?? identityOf(user);
  return identity === undefined ? undefined : hash('sha256', identity, 'base64url').slice(0, 22);
}

/** Whether Passport has signed somebody in, and nothing has read it from the session: `passport.session()` is missing. */
export function isSessionUnread(req: LoginRequest): boolean {
  return userOf(req) === undefined && serializedUser(req.session) !== undefined;
}

function userOf(req: LoginRequest): unknown {
  const { ctx, _userProperty = 'user' } = req as PassportRequest;
  return (req as Readonly<Record<string, unknown>>)[_userProperty] ?? ctx?.state?.user;
}

/** What Passport, and koa-passport, add to a request. */
interface PassportRequest {
  readonly isAuthenticated?: () => boolean;
  /** The option `userProperty`. */
  readonly _userProperty?: string;
  readonly ctx?: { readonly isAuthenticated?: () => boolean; readonly state?: { readonly user?: unknown } };
}

/** Passport keeps `{ user }` under `passport`. @fastify/passport keeps the user itself there, in some sessions behind methods. */
function serializedUser(session: unknown): string | undefined {
  const { passport, get } = (session ?? {}) as { passport?: unknown; get?: unknown };
  const kept: unknown = passport ?? (typeof get === 'function' ? get.call(session, 'passport') : undefined);
  // A session in which nobody is signed in can have an empty object there.
  return textOf(typeof kept === 'object' && kept !== null && 'user' in kept ? kept.user : kept);
}

/**
 * What tells users apart in an application that signs them in by itself: an ID, because other properties can change, with all that scopes it; or
 * else all properties of a plain object.
 *
 * @returns `undefined` if nothing does for sure, as with an empty ID, or a tenant with private members.
 */
function identityOf(user: unknown): string | undefined {
  if (typeof user !== 'object' || user === null) return textOf(user);
  const key = keyIn(user);
  if (key === undefined) return isPlain(user) ? textOf(user) : undefined;
  const scopes = scopesOf(user).map((value) => distinctionOf(value));
  const parts = [distinctionOf(key), ...scopes];
  return parts.includes(undefined) ? undefined : JSON.stringify(parts);
}

function keyIn(value: object): unknown {
  const { id, _id, sub } = value as Readonly<Record<string, unknown>>;
  return id ?? _id ?? sub;
}

/** Properties that say where an ID belongs: two users may have the same one in two of these. */
const SCOPE =
  /tenant|organi[sz]ation|^org|realm|role|provider|issuer|^iss$|workspace|account|customer|company|shard|domain|team|group|client|^(type|kind)$/i;

/** The values that scope a user's ID. A record's class may have them as getters. */
function scopesOf(user: object): unknown[] {
  const names = new Set<string>();
  for (
    let owner: object | null = user;
    owner && owner !== Object.prototype;
    owner = Object.getPrototypeOf(owner)
  )
    for (const name of Object.getOwnPropertyNames(owner)) if (SCOPE.test(name)) names.add(name);
  const values = [...names].sort().map((name) => (user as Readonly<Record<string, unknown>>)[name]);
  return values.filter((value) => value !== undefined && value !== null && typeof value !== 'function');
}

/** What tells a value apart: its JSON form, or of a record its ID. @returns `undefined` if it may have private members. */
function distinctionOf(value: unknown): string | undefined {
  const { toJSON } = (value ?? {}) as { toJSON?: unknown };
  const plain: unknown = typeof toJSON === 'function' ? toJSON.call(value) : value;
  if (typeof plain === 'boolean') return String(plain);
  if (typeof plain !== 'object' || plain === null) return textOf(plain);
  return textOf(keyIn(plain) ?? (isPlain(plain) ? plain : undefined));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isData = prototype === null || prototype === Object.prototype || Array.isArray(value);
  return (isData && !('toJSON' in value)) || ArrayBuffer.isView(value);
}

/** A value as JSON; `undefined` if no text or number in it tells it apart from others, as with an object that has private members only. */
function textOf(value: unknown): string | undefined {
  let isDistinct = false;
  const text = JSON.stringify(value, (_name, part: unknown) => {
    isDistinct ||=
      (typeof part === 'string' && part !== '') || typeof part === 'bigint' || Number.isFinite(part);
    return typeof part === 'bigint' ? String(part) : part;
  }) as string | undefined;
  return isDistinct ? text : undefined;
}

function usedLogin(): LoginFailure {
  return new LoginFailure(
    'used_login',
    'This callback was used already: the page was reloaded or the link opened twice. Start the login again.',
  );
}

/**
 * A new unguessable string of 256 bits: 43 letters, digits, `-` and `_`, for states and code verifiers.
 *
 * Networks ask for at least 32 of these characters, allow no others, and at most 500.
 * @see RFC 6749 section 10.10, RFC 7636 section 7.1
 */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares two strings in a time that does not depend on where they differ. */
export function areEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
