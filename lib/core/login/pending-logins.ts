import { hash, timingSafeEqual } from 'node:crypto';
import { withDeadline } from '../application-code.js';
import { LoginFailure } from '../errors/index.js';
import type { LoginRequest } from './request.js';

/** A login between the redirect to the network and the authorization response. Plain JSON. */
export interface PendingLogin {
  /** Digest of strategy, client, network, configured redirect URI, and state or request token; reveals none of them. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Whether the browser returns over https. Its cookies are `Secure` then. */
  readonly isSecure: boolean;
  /** Whether another site sent the browser to the start. It must not push out logins that the user began here. */
  readonly isCrossSite: boolean;
  /** OAuth 2: the PKCE code verifier. Confidential. */
  readonly codeVerifier?: string | undefined;
  /** OAuth 1.0a: the secret of the request token. Confidential. */
  readonly requestTokenSecret?: string | undefined;
  /** The redirect URI that was sent, if it is not the configured one: the token request repeats it. */
  readonly redirectURI?: string | undefined;
  /** Whether `redirectURI` was resolved against the request that began the login. */
  readonly isResolved?: boolean | undefined;
  /** The requested scopes, if they are not the configured ones. */
  readonly scope?: readonly string[] | undefined;
  /** The application's own `state`, handed back as `info.state`. */
  readonly state?: unknown;
  /** Digest of the user to whom the account will be linked. Only `passport.authorize`, on a page of this site, begins a link. */
  readonly linksTo?: string | undefined;
}

/**
 * Keeps pending logins. A browser can have several at once, each found by its own `id`, so that tabs do not interfere with each other.
 *
 * A store must give a login only to the browser that began it, by a cookie that holds it, or a random value with which it is found. Both methods
 * may be asynchronous, and must finish within 60 seconds. What they throw becomes a Passport error.
 */
export interface LoginStore {
  /** Milliseconds that a user may take. @default 600_000 */
  readonly lifetime?: number;
  /** Keeps a login. The browser is redirected as soon as this returns or resolves. */
  save(req: LoginRequest, login: PendingLogin): void | Promise<void>;
  /** Finds a login and removes it, so that it is used once; `undefined` if there is none. */
  take(req: LoginRequest, id: string): PendingLogin | undefined | Promise<PendingLogin | undefined>;
  /**
   * Marks a login as used where all processes see it, until `expiresAt` (milliseconds since the epoch). Returns whether it was unused.
   *
   * Without it, each process remembers only the logins that it used itself. Two processes that get the same authorization response at once, or a
   * copied cookie at another process, are left to the network, which accepts a code once.
   */
  readonly claim?: ((id: string, expiresAt: number) => boolean | PromiseLike<boolean>) | undefined;
}

/** A login finishes with no other strategy, client, network or redirect URI. */
export interface LoginOwner {
  readonly strategy: string;
  readonly clientID: string;
  readonly authorizationURL: string;
  /** As it is written in the options: staging and production, or two routes, can have the same client. */
  readonly redirectURI: string;
}

/** Milliseconds that a user may take. */
export const DEFAULT_LIFETIME = 600_000;

/** Store -> its replay guard, which strategies with the same store share. */
const replayGuards = new WeakMap<LoginStore, ReplayGuard>();

export class PendingLogins {
  private readonly strategy: string;
  private readonly owner: string;
  // Out of sight of inspections: an application's own store can hold the password of a database.
  readonly #store: LoginStore;
  private readonly replayGuard: ReplayGuard;

  constructor(store: LoginStore, { strategy, clientID, authorizationURL, redirectURI }: LoginOwner) {
    this.strategy = strategy;
    this.owner = JSON.stringify([strategy, clientID, authorizationURL, redirectURI]);
    this.#store = store;
    this.replayGuard = replayGuards.get(store) ?? new ReplayGuard();
    replayGuards.set(store, this.replayGuard);
  }

  /** @param key - The state or request token that the network will send back. */
  async save(req: LoginRequest, key: string, login: Omit<PendingLogin, 'id' | 'expiresAt'>): Promise<void> {
    const id = this.idOf(key);
    const expiresAt = Date.now() + (this.#store.lifetime ?? DEFAULT_LIFETIME);
    await withDeadline('The login store', this.#store.save(req, bare({ id, expiresAt, ...login })));
  }

  /** Takes the login of an authorization response, which has parameters of these names, out of the store. @throws {@link LoginFailure} `unknown_login`, `used_login` or `expired_login`, each 403. */
  async take(
    req: LoginRequest,
    key: string | undefined,
    names: readonly string[] = [],
  ): Promise<PendingLogin> {
    if (key === undefined) throw this.unknownLogin(req, names);
    const id = this.idOf(key);
    this.replayGuard.check(id);
    const login = await withDeadline('The login store', this.#store.take(req, id));
    if (typeof login?.id !== 'string' || !areEqual(login.id, id)) throw this.unknownLogin(req, names);
    if (login.expiresAt > Date.now()) return bare(login);
    const message = 'This login took longer than allowed and has expired. Start the login again.';
    throw new LoginFailure('expired_login', message);
  }

  /**
   * Makes sure that a login is used once, just before its code is sent: logins without a code, which anyone can make, are not remembered.
   *
   * @throws {@link LoginFailure} `used_login`, 403; TypeError for a claim that returns anything but a boolean.
   */
  async markUsed({ id, expiresAt }: Pick<PendingLogin, 'id' | 'expiresAt'>): Promise<void> {
    this.replayGuard.use(id, expiresAt);
    const { claim } = this.#store;
    if (!claim) return;
    const isUnused: unknown = await withDeadline('claim', claim(id, expiresAt));
    if (isUnused === false) throw usedLogin();
    if (isUnused === true) return;
    throw new TypeError(
      `claim must return true or false, and returned ${isUnused === null ? 'null' : typeof isUnused}: compare the database's result, for example rowCount === 1.`,
    );
  }

  /** Makes sure that a code without a pending login is used once: for ten minutes, in which every network's code expires. */
  async useCode(code: string): Promise<void> {
    // No state has a blank.
    await this.markUsed({ id: this.idOf(`code ${code}`), expiresAt: Date.now() + DEFAULT_LIFETIME });
  }

  private idOf(key: string): string {
    return hash('sha256', `${this.owner}${key}`, 'base64url');
  }

  private unknownLogin(req: LoginRequest, names: readonly string[]): LoginFailure {
    const [lone = ''] = names;
    // A link of the application to the start can have a parameter of such a name.
    if (names.length === 1 && !/^(code|error|oauth_\w+|denied)$/.test(lone)) {
      const message = `This request has ${lone} and no code, so it belongs to no pending login of ${this.strategy}. To start a login, call that parameter something else: ${lone} is the network's.`;
      return new LoginFailure('unknown_login', message);
    }
    const reason = req.headers?.cookie
      ? 'It was started in another browser or by another strategy, was finished already, or its cookie is gone'
      : 'The browser sent no cookie';
    return new LoginFailure(
      'unknown_login',
      `This callback belongs to no pending login of ${this.strategy}. ${reason}: the login started on another host name (localhost and 127.0.0.1 are two), or its cookie is Secure over http, has expired, or was removed by the host or a middleware. Start the login again.`,
    );
  }
}

/** A login without a prototype, which code elsewhere in the process can pollute. */
const bare = (login: PendingLogin): PendingLogin => Object.assign(Object.create(null), login);

/** In some ten megabytes. */
const MOST_REMEMBERED = 100_000;

/** Remembers, until they expire, the logins of a store that this process has used. */
export class ReplayGuard {
  /** ID of a login -> when it expires, in milliseconds since the epoch. */
  private readonly used = new Map<string, number>();

  /** @throws {@link LoginFailure} `used_login`, 403. */
  check(id: string): void {
    if ((this.used.get(id) ?? 0) > Date.now()) throw usedLogin();
  }

  /** Remembers a login as used. @throws {@link LoginFailure} `used_login`, 403. */
  use(id: string, expiresAt: number): void {
    this.check(id);
    // A Map has the oldest first.
    for (const [oldest, end] of this.used) {
      if (end > Date.now() && this.used.size < MOST_REMEMBERED) break;
      this.used.delete(oldest);
    }
    this.used.set(id, expiresAt);
  }
}

function usedLogin(): LoginFailure {
  return new LoginFailure(
    'used_login',
    'This callback or code was used already: the page was reloaded, or the link opened or the code sent twice. Start the login again.',
  );
}

/** Compares two strings in a time that does not depend on where they differ. */
export function areEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
