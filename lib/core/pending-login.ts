import { inTime } from './app-callback.js';
import { LoginFailure } from './errors.js';
import { digestOf, equalSecrets, newSecret } from './proof.js';
import { TakenLogins } from './taken-logins.js';

/** What must be remembered between the redirect to the network and the callback. Plain JSON. */
export interface PendingLogin {
  /** Digest of strategy name, client, network and state (or request token): says nothing about any of them. */
  readonly id: string;
  /** Name of the strategy that started the login. */
  readonly strategy: string;
  /** The client that started it: a callback of another client is none of this login's. */
  readonly clientID: string;
  /** The address sent as `redirect_uri` or `oauth_callback`; the exchange repeats it. */
  readonly callbackURL: string;
  /** PKCE code verifier, or OAuth 1.0a request-token secret. Confidential. */
  readonly secret?: string;
  /** The scopes that were asked for. */
  readonly scope?: readonly string[];
  /** The application's own `state`, handed back as `info.state`. */
  readonly state?: unknown;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Stores outlive deployments: what an older version wrote there is no login. */
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

/** A request, as far as login stores know it: whatever the framework hands to Passport. */
export interface LoginRequest {
  /** Whatever a session middleware put there; absent without one. */
  session?: unknown;
  /** The response; Express shows it here, koa-passport beside it. */
  readonly res?: unknown;
  /** By lower-case name; a store without sessions reads its cookies here. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>> | undefined;
}

/**
 * Keeps pending logins. Several at once, each found by its own `id`, so that tabs do not disturb one another.
 *
 * Both methods may be asynchronous; what they throw becomes a Passport error.
 */
export interface LoginStore {
  /** How long a person may take, in milliseconds. Default: ten minutes. */
  readonly lifetime?: number;
  /** Keeps a login; it must be safe before this ends, because the browser leaves next. */
  save(req: LoginRequest, login: PendingLogin): void | Promise<void>;
  /** Finds a login and forgets it, so that it can be taken once. `undefined` when there is none. */
  take(req: LoginRequest, id: string): PendingLogin | undefined | Promise<PendingLogin | undefined>;
  /** Called just before a person is logged in: Passport empties the session then, and other tabs' logins with it. */
  beforeLogin?(req: LoginRequest): void;
}

export const DEFAULT_LIFETIME = 600_000;
/** How far the clocks of two machines may differ, in milliseconds. */
const CLOCK_TOLERANCE = 60_000;

/** What a strategy tells about a login when it starts one. */
export type NewLogin = Omit<PendingLogin, 'id' | 'strategy' | 'clientID' | 'expiresAt'>;

/** Whose logins they are: a login of one strategy or client is none of another's. */
export interface LoginOwner {
  readonly strategy: string;
  readonly clientID: string;
  /** Where the person is sent: the same application at another address of the network is another owner. */
  readonly authorizationURL: string;
}

/** The logins that one strategy has started: the only place where a pending login is begun or taken. */
export interface PendingLogins {
  /**
   * Takes the login that a callback belongs to; it is spent from here on, whatever comes next.
   *
   * @param key - The state or request token of the callback, if it has one.
   * @throws {@link LoginFailure} `unknown_login`, `used_login` or `expired_login`, each 403.
   */
  take(req: LoginRequest, key: string | undefined): Promise<PendingLogin>;
  beforeLogin(req: LoginRequest): void;
}

/** OAuth 2: logins found by their state. */
export interface StateLogins extends PendingLogins {
  /** Keeps a login under a new state. @returns The state, for the address of the redirect. */
  begin(req: LoginRequest, login: NewLogin): Promise<string>;
}

/** OAuth 1.0a: logins found by their request token. */
export interface RequestTokenLogins extends PendingLogins {
  /** Keeps a login under the request token that the network gave. */
  keep(req: LoginRequest, token: string, login: NewLogin): Promise<void>;
}

/** Pending logins in a {@link LoginStore}. */
export class StoredLogins implements StateLogins, RequestTokenLogins {
  private readonly store: LoginStore;
  private readonly owner: LoginOwner;
  private readonly taken = new TakenLogins();

  constructor(store: LoginStore, owner: LoginOwner) {
    this.store = store;
    this.owner = owner;
  }

  async begin(req: LoginRequest, login: NewLogin): Promise<string> {
    const state = newSecret();
    await this.keep(req, state, login);
    return state;
  }

  keep(req: LoginRequest, key: string, login: NewLogin): Promise<void> {
    const record = describeLogin(this.owner, key, login, this.store.lifetime);
    return inTime('The login store', () => this.store.save(req, record));
  }

  async take(req: LoginRequest, key: string | undefined): Promise<PendingLogin> {
    if (key === undefined) throw unknownLogin(req, this.owner);
    const id = loginID(this.owner, key);
    this.taken.refuse(id);
    const found = await inTime('The login store', () => this.store.take(req, id));
    const login = checkedLogin(req, this.owner, id, found, this.store.lifetime);
    this.taken.claim(id, login.expiresAt);
    return login;
  }

  beforeLogin(req: LoginRequest): void {
    this.store.beforeLogin?.(req);
  }
}

/** The record of a new login. */
export function describeLogin(
  owner: LoginOwner,
  key: string,
  login: NewLogin,
  lifetime = DEFAULT_LIFETIME,
): PendingLogin {
  const { strategy, clientID } = owner;
  return { id: loginID(owner, key), strategy, clientID, expiresAt: Date.now() + lifetime, ...login };
}

/**
 * Passes on what a store gave only if it is the login asked for, of this strategy and client, and still fresh.
 *
 * @throws {@link LoginFailure} `unknown_login` or `expired_login`, 403.
 */
export function checkedLogin(
  req: LoginRequest,
  owner: LoginOwner,
  id: string,
  login: PendingLogin | undefined,
  lifetime = DEFAULT_LIFETIME,
): PendingLogin {
  if (typeof login?.id !== 'string' || !equalSecrets(login.id, id)) throw unknownLogin(req, owner);
  const left = login.expiresAt - Date.now();
  // More than a whole lifetime: the clock was turned back, and the login would last longer than it may.
  if (!(left > 0 && left <= lifetime + CLOCK_TOLERANCE)) throw expiredLogin();
  return login;
}

/** What a login is stored and found under. */
export function loginID({ strategy, clientID, authorizationURL }: LoginOwner, key: string): string {
  return digestOf(strategy, clientID, authorizationURL, key);
}

export function unknownLogin(req: LoginRequest, { strategy }: LoginOwner): LoginFailure {
  const reason = req.headers?.cookie
    ? 'It was started in another browser or by another strategy, was finished already, or its session or cookie is gone.'
    : 'The browser sent no cookie: the login started on another host name (localhost and 127.0.0.1 are two), or the cookie is SameSite=Strict or Secure over http.';
  return new LoginFailure(
    'unknown_login',
    403,
    `This callback belongs to no pending login of ${strategy}. ${reason} Start the login again.`,
  );
}

function expiredLogin(): LoginFailure {
  return new LoginFailure(
    'expired_login',
    403,
    'This login took longer than it may and has expired. Start the login again.',
  );
}
