import { isObject, tryJSON } from './answer.js';
import { calledBack } from './app-callback.js';
import type { OAuth1Settings } from './credentials-request.js';
import { isLoginStore } from './login-options.js';
import {
  checkedLogin,
  describeLogin,
  type LoginOwner,
  type LoginRequest,
  type LoginStore,
  loginID,
  type NewLogin,
  type PendingLogin,
  type RequestTokenLogins,
  StoredLogins,
  unknownLogin,
} from './pending-login.js';
import { sessionLogins } from './session-logins.js';
import { TakenLogins } from './taken-logins.js';

/** A request-token store as passport-oauth1 knows it; it is told apart by how many arguments its methods declare. */
export interface RequestTokenStore {
  /** Gives the secret of a request token. */
  get(...args: never[]): void;
  /** Keeps the secret of a request token. */
  set(...args: never[]): void;
  /** Forgets a request token. */
  destroy(...args: never[]): void;
}

/** Where a pending login is kept. A passport-oauth1 request-token store works as well. */
export interface OAuth1StoreOption {
  /** @default sessionLogins() */
  store?: LoginStore | RequestTokenStore | true;
}

/** What passport-oauth1 tells its stores about the strategy. */
export interface RequestTokenStoreMeta {
  readonly requestTokenURL: string;
  readonly accessTokenURL: string;
  readonly userAuthorizationURL: string;
  readonly consumerKey: string;
}

/** The logins of an OAuth 1.0a strategy in the store that its options name: by default the session. */
export function requestTokenLoginsOf(settings: OAuth1Settings): RequestTokenLogins {
  const { name: strategy, consumerKey, requestTokenURL, accessTokenURL, userAuthorizationURL } = settings;
  const owner = { strategy, clientID: consumerKey, authorizationURL: userAuthorizationURL };
  const store = settings.store ?? sessionLogins({ key: settings.sessionKey });
  if (isLoginStore(store)) return new StoredLogins(store, owner);
  if (isRequestTokenStore(store)) {
    const meta = { requestTokenURL, accessTokenURL, userAuthorizationURL, consumerKey };
    return new RequestTokenStoreLogins(store, owner, meta);
  }
  throw new TypeError(
    `${strategy}: option store must have the methods save and take, or get, set and destroy. sessionLogins() makes one.`,
  );
}

function isRequestTokenStore(store: object): store is RequestTokenStore {
  const { get, set, destroy } = store as Partial<RequestTokenStore>;
  return [get, set, destroy].every((method) => typeof method === 'function');
}

type Method = (...args: unknown[]) => unknown;

/**
 * Pending logins in a request-token store made for passport-oauth1. The whole login stands where such stores keep the
 * token's secret, so that a store that ignores the token (the base package's own does) cannot mix two of them up.
 */
export class RequestTokenStoreLogins implements RequestTokenLogins {
  private readonly store: RequestTokenStore;
  private readonly owner: LoginOwner;
  private readonly meta: RequestTokenStoreMeta;
  private readonly taken = new TakenLogins();

  constructor(store: RequestTokenStore, owner: LoginOwner, meta: RequestTokenStoreMeta) {
    this.store = store;
    this.owner = owner;
    this.meta = meta;
  }

  async keep(req: LoginRequest, token: string, login: NewLogin): Promise<void> {
    const record = JSON.stringify(describeLogin(this.owner, token, login));
    const meta = { ...this.meta, callbackURL: login.callbackURL };
    await calledBack('The request-token store', (done) => {
      const length = this.store.set.length;
      const args = length >= 6 ? [undefined, meta, done] : length === 5 ? [meta, done] : [done];
      return (this.store.set as Method).call(this.store, req, token, record, ...args);
    });
  }

  async take(req: LoginRequest, token: string | undefined): Promise<PendingLogin> {
    if (token === undefined) throw unknownLogin(req, this.owner);
    const record = await calledBack<unknown>('The request-token store', (done) => {
      // passport-oauth1's own store calls a session without a token an error.
      const answer = (error: unknown, found: unknown) =>
        done(isLostSession(error) ? undefined : error, found);
      const args = this.store.get.length >= 4 ? [this.meta, answer] : [answer];
      return (this.store.get as Method).call(this.store, req, token, ...args);
    });
    const login = typeof record === 'string' ? tryJSON(record) : undefined;
    // Checked before it is destroyed: a forged token must not end the login that a one-slot store holds.
    const ours = checkedLogin(
      req,
      this.owner,
      loginID(this.owner, token),
      isObject(login) ? (login as unknown as PendingLogin) : undefined,
    );
    this.taken.claim(ours.id, ours.expiresAt);
    await calledBack('The request-token store', (done) => {
      const args = this.store.destroy.length >= 4 ? [this.meta, done] : [done];
      return (this.store.destroy as Method).call(this.store, req, token, ...args);
    });
    return ours;
  }

  beforeLogin(): void {}
}

function isLostSession(error: unknown): boolean {
  return error instanceof Error && error.message === 'Failed to find request token in session';
}
