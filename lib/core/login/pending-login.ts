import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { LoginFailure } from '../errors/index.js';
import { withDeadline } from './outcome.js';

/** What must be remembered between the redirect to the network and the authorization response. Plain JSON. */
export interface PendingLogin {
  /** Digest of strategy, client, network and state (or request token); reveals none of them. */
  readonly id: string;
  /** Name of the strategy that began the login. */
  readonly strategy: string;
  /** The client that began the login. Rejects an authorization response meant for another client. */
  readonly clientID: string;
  /** The redirect URI that was sent; the token request repeats it. */
  readonly callbackURL: string;
  /** Whether the callback URL was resolved against the request that began the login: its host and protocol are what the browser asked for. */
  readonly isRelative?: boolean;
  /** PKCE code verifier, or OAuth 1.0a request-token secret. Confidential. */
  readonly secret?: string;
  /** The requested scopes. */
  readonly scope?: readonly string[];
  /** The application's own `state`, handed back as `info.state`. */
  readonly state?: unknown;
  /** Digest of the user who was signed in when the login began, if any. */
  readonly signedIn?: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Whether a value is a pending login. Stores outlive deployments, and an older version may have written something else. */
export function isPendingLogin(value: unknown): value is PendingLogin {
  const login = value as Partial<PendingLogin> | null | undefined;
  return (
    typeof login?.id === 'string' &&
    typeof login.strategy === 'string' &&
    typeof login.clientID === 'string' &&
    typeof login.callbackURL === 'string' &&
    typeof login.expiresAt === 'number'
  );
}

/** What a login store knows about a request: whatever the framework hands to Passport. */
export interface LoginRequest {
  /** Set by a session middleware; absent without one. */
  session?: unknown;
  /** The user who is signed in, if any. */
  readonly user?: unknown;
  /** The response, where the framework offers it. */
  readonly res?: unknown;
  /** Keyed by lower-case name. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>> | undefined;
}

/**
 * Keeps pending logins. A browser can have several at once, each found by its own `id`, so that tabs do not interfere with each other.
 *
 * `save` and `take` may be asynchronous but must finish within 60 seconds; what they throw becomes a Passport error.
 */
export interface LoginStore {
  /** How long a user may take, in milliseconds. Default: ten minutes. */
  readonly lifetime?: number;
  /**
   * Keeps a login. It must be stored by the time this returns or resolves: the browser is redirected right after.
   *
   * @param signal - Aborted when the login is given up after 60 seconds.
   */
  save(req: LoginRequest, login: PendingLogin, signal?: AbortSignal): void | Promise<void>;
  /**
   * Finds a login and removes it, so that it is used once.
   *
   * @returns `undefined` if there is none.
   */
  take(
    req: LoginRequest,
    id: string,
    signal?: AbortSignal,
  ): PendingLogin | undefined | Promise<PendingLogin | undefined>;
  /**
   * Called after the requests to the network and verify, before the outcome. A session that has ended meanwhile, by a sign-out in another
   * tab, must not be written back.
   *
   * @returns Whether the request's session still exists; if not, the request has a new one.
   */
  revalidate?(req: LoginRequest): boolean | Promise<boolean>;
  /** Called just before a user is logged in: Passport then replaces the session, and with it the logins of other tabs. */
  beforeLogin?(req: LoginRequest): void;
  /** Makes a login single-use across processes, see {@link LoginLimits.claim}. Called just before its code is sent to the network. */
  claim?(id: string, expiresAt: number): boolean | PromiseLike<boolean>;
}

export function isLoginStore(store: unknown): store is LoginStore {
  const { save, take } = (store ?? {}) as Partial<LoginStore>;
  return typeof save === 'function' && typeof take === 'function';
}

/** What a strategy knows about a login when it begins. */
export type NewLogin = Omit<PendingLogin, 'id' | 'strategy' | 'clientID' | 'signedIn' | 'expiresAt'>;

/** Who a login belongs to. No other strategy, client or network can finish them. */
export interface LoginOwner {
  readonly strategy: string;
  readonly clientID: string;
  /** The authorization endpoint: the same client at another network is another owner. */
  readonly authorizationURL: string;
}

/** Largest application state by default, in bytes of JSON. */
const STATE_LIMIT = 1_024;

/** How long a user may take by default, in milliseconds. */
const DEFAULT_LIFETIME = 600_000;
/** How far the clocks of two machines may differ, in milliseconds. */
const CLOCK_TOLERANCE = 60_000;

/** Store -> its replay guard: strategies that share a store share what it has used. */
const replayGuards = new WeakMap<LoginStore, ReplayGuard>();

/** Whether the options of `authenticate` are those of `passport.authorize`, which links an account to the user who is signed in. */
export function isLink(options: object): boolean {
  return (options as { assignProperty?: unknown }).assignProperty !== undefined;
}

/** The pending logins of one strategy: the only place where they are saved, taken and used. */
export class PendingLogins {
  private readonly store: LoginStore;
  private readonly owner: LoginOwner;
  private readonly stateLimit: number;
  private readonly replayGuard: ReplayGuard;

  constructor(store: LoginStore, owner: LoginOwner, stateLimit = STATE_LIMIT) {
    this.store = store;
    this.owner = owner;
    this.stateLimit = stateLimit;
    this.replayGuard = replayGuards.get(store) ?? new ReplayGuard();
    replayGuards.set(store, this.replayGuard);
  }

  /** Saves an OAuth 2 login under a new state. @returns The state. */
  async begin(req: LoginRequest, login: NewLogin): Promise<string> {
    const state = randomSecret();
    await this.save(req, state, login);
    return state;
  }

  /** @param key - The state or request token that the network will send back. */
  async save(req: LoginRequest, key: string, login: NewLogin): Promise<void> {
    const { strategy, clientID } = this.owner;
    this.checkState(login.state);
    const expiresAt = Date.now() + (this.store.lifetime ?? DEFAULT_LIFETIME);
    const signedIn = signedInUser(req);
    const record = {
      id: this.idOf(key),
      strategy,
      clientID,
      expiresAt,
      ...(signedIn && { signedIn }),
      ...login,
    };
    await withDeadline('The login store', (signal) => this.store.save(req, record, signal));
  }

  /**
   * Takes the login that an authorization response belongs to out of its store. It is gone, whatever happens next.
   *
   * @param key - The state or request token of the response, if it has one.
   * @param isLinking - Whether Passport links an account to the user who is signed in (`passport.authorize`). Somebody else could have begun a
   *   login that began with nobody signed in, and would be linked.
   * @throws {@link LoginFailure} `unknown_login`, `used_login` or `expired_login`, each 403.
   */
  async take(req: LoginRequest, key: string | undefined, isLinking = false): Promise<PendingLogin> {
    if (key === undefined) throw this.unknownLogin(req);
    const id = this.idOf(key);
    this.replayGuard.check(id);
    const login = await withDeadline('The login store', (signal) => this.store.take(req, id, signal));
    if (typeof login?.id !== 'string' || !areEqual(login.id, id)) throw this.unknownLogin(req);
    if (isLinking && (login.signedIn === undefined || login.signedIn !== signedInUser(req)))
      throw notSignedIn(login.signedIn !== undefined);
    const left = login.expiresAt - Date.now();
    // More than a whole lifetime can be left only if the clock was set back.
    if (!(left > 0 && left <= (this.store.lifetime ?? DEFAULT_LIFETIME) + CLOCK_TOLERANCE)) {
      throw new LoginFailure(
        'expired_login',
        403,
        'This login took longer than allowed and has expired. Start the login again.',
      );
    }
    return login;
  }

  /**
   * Makes sure that a login is used once. Call this when its response has turned out to have a code, before the code is sent to the
   * network: two requests may have taken the same login from their own copies of the session. Logins that get no further, which anyone can
   * make without an account, are not remembered.
   *
   * @throws {@link LoginFailure} `used_login`, 403.
   */
  async use({ id, expiresAt }: PendingLogin): Promise<void> {
    this.replayGuard.use(id, expiresAt);
    const { store } = this;
    if (store.claim && !(await withDeadline('claim', () => store.claim?.(id, expiresAt)))) throw usedLogin();
  }

  /**
   * Does the rest of a login, from the token request to verify.
   *
   * @throws {@link LoginFailure} `unknown_login`, 403, if an account would be linked to a user who has signed out meanwhile.
   */
  async complete<T>(req: LoginRequest, isLinking: boolean, work: () => Promise<T>): Promise<T> {
    const [result] = await Promise.allSettled([work()]);
    const { store } = this;
    const hasSession =
      !store.revalidate || (await withDeadline('The login store', async () => store.revalidate?.(req)));
    if (!hasSession && isLinking) throw endedSession();
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  }

  beforeLogin(req: LoginRequest): void {
    this.store.beforeLogin?.(req);
  }

  /** Anyone can send a browser to a link that starts a login, and applications keep parts of that link in their state. */
  private checkState(state: unknown): void {
    const size = Buffer.byteLength(JSON.stringify(state) ?? '');
    if (size <= this.stateLimit) return;
    throw new TypeError(
      `${this.owner.strategy}: the state given to authenticate has ${size} bytes as JSON, and at most ${this.stateLimit} are kept. Give a shorter one, for example an ID, or raise the option stateLimit.`,
    );
  }

  private idOf(key: string): string {
    const { strategy, clientID, authorizationURL } = this.owner;
    return hash('sha256', JSON.stringify([strategy, clientID, authorizationURL, key]), 'base64url');
  }

  private unknownLogin(req: LoginRequest): LoginFailure {
    const reason = req.headers?.cookie
      ? 'It was started in another browser or by another strategy, was finished already, or its session or cookie is gone.'
      : 'The browser sent no cookie: the login started on another host name (localhost and 127.0.0.1 are two), or the cookie is SameSite=Strict or Secure over http.';
    return new LoginFailure(
      'unknown_login',
      403,
      `This callback belongs to no pending login of ${this.owner.strategy}. ${reason} Start the login again.`,
    );
  }
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

function notSignedIn(isAnotherUser: boolean): LoginFailure {
  return new LoginFailure(
    'unknown_login',
    403,
    `This login began with ${isAnotherUser ? 'another user' : 'nobody'} signed in, so its account cannot be linked. Sign in, then link the account again.`,
  );
}

/**
 * Who is signed in: what Passport serialized into the session, or else the user of the request. Passport's `userProperty` may have another
 * name, and koa-passport hides `req.user` from `authorize`, so the frameworks are asked as well.
 *
 * @returns `undefined` if nobody is, or if nothing tells who.
 */
function signedInUser(req: LoginRequest): string | undefined {
  const { isAuthenticated, ctx } = req as PassportRequest;
  const user = requestUser(req);
  const isSignedIn = Boolean(user) || isAuthenticated?.call(req) || ctx?.isAuthenticated?.();
  if (!isSignedIn) return undefined;
  const identity = serializedUser(req.session) ?? identityOf(user);
  return identity === undefined ? undefined : hash('sha256', identity, 'base64url');
}

/** What Passport, and koa-passport, add to a request. */
interface PassportRequest {
  readonly isAuthenticated?: () => boolean;
  /** The option `userProperty`. */
  readonly _userProperty?: string;
  readonly ctx?: { readonly isAuthenticated?: () => boolean; readonly state?: { readonly user?: unknown } };
}

function requestUser(req: LoginRequest): unknown {
  const { _userProperty = 'user', ctx } = req as PassportRequest;
  return (req as Readonly<Record<string, unknown>>)[_userProperty] ?? ctx?.state?.user;
}

/** Passport keeps `{ user }` under `passport`. @fastify/passport keeps the user itself there, in some sessions behind methods. */
function serializedUser(session: unknown): string | undefined {
  const { passport, get } = (session ?? {}) as { passport?: unknown; get?: unknown };
  const kept: unknown = passport ?? (typeof get === 'function' ? get.call(session, 'passport') : undefined);
  const user = typeof kept === 'object' && kept !== null && 'user' in kept ? kept.user : kept;
  const text = JSON.stringify(user ?? undefined) as string | undefined;
  // A session in which nobody is signed in can have an empty object there.
  return text === '{}' ? undefined : text;
}

/**
 * What tells users apart in an application that signs them in by itself: an ID, because other properties can change, with its issuer; or else
 * all of them.
 *
 * @returns `undefined` if nothing does, as with an empty ID or with private members.
 */
function identityOf(user: unknown): string | undefined {
  const { id, _id, sub, provider, iss, tenant } = (typeof user === 'object' ? (user ?? {}) : {}) as Readonly<
    Record<string, unknown>
  >;
  const key = id ?? _id ?? sub;
  if (key === '') return undefined;
  const identity = key === undefined ? (user ?? undefined) : [provider, iss, tenant, key];
  const text = JSON.stringify(identity, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  ) as string | undefined;
  return text === '{}' ? undefined : text;
}

export function endedSession(): LoginFailure {
  return new LoginFailure(
    'unknown_login',
    403,
    'The session of this browser has ended meanwhile, for example because the user signed out. Start the login again.',
  );
}

function usedLogin(): LoginFailure {
  return new LoginFailure(
    'used_login',
    403,
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

const LONGEST_LIFETIME = 86_400_000;

/** Options of both login stores. */
export interface LoginLimits {
  /** How long a user may take, in milliseconds. Default ten minutes, at most a day. */
  lifetime?: number;
  /** How many logins one browser can have pending at once; the oldest is dropped first. Default 20. */
  limit?: number;
  /**
   * Marks a login as used where all processes see it, until `expiresAt` (milliseconds since the epoch).
   *
   * Without it each process remembers only the logins that it used itself: two processes that get the same authorization response at once,
   * or a copied cookie with its authorization response at another process, are left to the network, which accepts a code once. With Redis:
   * `async (id, expiresAt) => (await redis.set(id, '1', { NX: true, PXAT: expiresAt })) === 'OK'`.
   *
   * @returns Whether the login was unused.
   */
  claim?: (id: string, expiresAt: number) => boolean | PromiseLike<boolean>;
}

/**
 * @param own - Names of the store's other options.
 * @throws TypeError that names the store and the option.
 */
export function readLimits(store: string, options: LoginLimits, own: readonly string[]) {
  const { lifetime = DEFAULT_LIFETIME, limit = 20, claim } = options;
  const known = ['lifetime', 'limit', 'claim', ...own];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`${store}: there is no option ${unknown}. Its options are ${known.join(', ')}.`);
  }
  if (!Number.isInteger(limit) || limit < 1) {
    throw new TypeError(`${store}: limit must be a whole number of at least 1.`);
  }
  if (typeof lifetime !== 'number' || !(lifetime > 0 && lifetime <= LONGEST_LIFETIME)) {
    throw new TypeError(`${store}: lifetime must be a positive number of milliseconds, at most a day.`);
  }
  if (claim !== undefined && typeof claim !== 'function') {
    throw new TypeError(`${store}: claim must be a function.`);
  }
  return { lifetime, limit, ...(claim && { claim }) };
}
