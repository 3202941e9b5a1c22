import { member } from './answer.js';
import { calledBack } from './app-callback.js';
import { isLoginStore } from './login-options.js';
import type { OAuth2Settings } from './oauth2-network.js';
import {
  checkedLogin,
  describeLogin,
  type LoginOwner,
  type LoginRequest,
  type LoginStore,
  loginID,
  type NewLogin,
  type PendingLogin,
  type StateLogins,
  StoredLogins,
  unknownLogin,
} from './pending-login.js';
import { newSecret } from './proof.js';
import { sessionLogins } from './session-logins.js';
import { TakenLogins } from './taken-logins.js';

/** A state store as passport-oauth2 knows it; it is told apart by how many arguments its methods declare. */
export interface StateStore {
  /** Keeps a login and gives its state. */
  store(...args: never[]): void;
  /** Judges the state of a callback, and gives back what was kept with it. */
  verify(...args: never[]): void;
}

/** Where a pending login is kept. A passport-oauth2 state store with room for application state works as well. */
export interface OAuth2StoreOption {
  /** @default sessionLogins() */
  store?: LoginStore | StateStore | true;
}

/** What passport-oauth2 tells its state stores about the strategy. */
export interface StateStoreMeta {
  readonly authorizationURL: string;
  readonly tokenURL: string;
  readonly clientID: string;
}

/** The logins of an OAuth 2 strategy in the store that its options name: by default the session. */
export function stateLoginsOf(settings: OAuth2Settings): StateLogins {
  const { name: strategy, clientID, authorizationURL, tokenURL, sessionKey } = settings;
  const owner = { strategy, clientID, authorizationURL };
  const store = settings.store ?? sessionLogins({ key: sessionKey });
  if (isLoginStore(store)) return new StoredLogins(store, owner);
  if (isStateStore(store))
    return new StateStoreLogins(store, owner, { authorizationURL, tokenURL, clientID });
  throw new TypeError(
    `${strategy}: option store must have the methods save and take, or store and verify. sessionLogins() makes one.`,
  );
}

function isStateStore(store: object): store is StateStore {
  return (
    typeof (store as Partial<StateStore>).store === 'function' &&
    typeof (store as Partial<StateStore>).verify === 'function'
  );
}

type Method = (...args: unknown[]) => unknown;

/**
 * Pending logins in a state store made for passport-oauth2. The store invents the state; the login travels as the
 * application state that such stores keep beside it. Single use, and several tabs, are the store's business.
 */
export class StateStoreLogins implements StateLogins {
  private readonly store: StateStore;
  private readonly owner: LoginOwner;
  private readonly meta: StateStoreMeta;
  private readonly taken = new TakenLogins();

  /** @throws TypeError when the store has no place for application state: the login could not be finished. */
  constructor(store: StateStore, owner: LoginOwner, meta: StateStoreMeta) {
    if (store.store.length < 4 || store.verify.length < 3) {
      throw new TypeError(
        `${owner.strategy}: option store cannot keep a login: its methods must be store(req, [verifier,] state, meta, callback) and verify(req, state, [meta,] callback). sessionLogins() is one that can.`,
      );
    }
    this.store = store;
    this.owner = owner;
    this.meta = meta;
  }

  async begin(req: LoginRequest, login: NewLogin): Promise<string> {
    // The store's state is not known yet, so the login is bound to a secret of its own that travels along.
    const key = newSecret();
    const record = { key, login: describeLogin(this.owner, key, login) };
    const meta = { ...this.meta, callbackURL: login.callbackURL };
    const state = await calledBack<unknown>('The state store', (done) => {
      const args = this.store.store.length >= 5 ? [login.secret, record, meta, done] : [record, meta, done];
      return (this.store.store as Method).call(this.store, req, ...args);
    });
    if (typeof state === 'string' && state !== '') return state;
    throw new TypeError('The state store gave no state.');
  }

  async take(req: LoginRequest, state: string | undefined): Promise<PendingLogin> {
    if (state === undefined) throw unknownLogin(req, this.owner);
    const found = await calledBack<unknown>('The state store', (done) => {
      const answer = (error: unknown, ok: unknown, record: unknown) => done(error, ok ? record : undefined);
      const args = this.store.verify.length >= 4 ? [this.meta, answer] : [answer];
      return (this.store.verify as Method).call(this.store, req, state, ...args);
    });
    const key = member(found, 'key');
    if (typeof key !== 'string') throw unknownLogin(req, this.owner);
    const id = loginID(this.owner, key);
    const login = checkedLogin(req, this.owner, id, member(found, 'login') as PendingLogin | undefined);
    this.taken.claim(login.id, login.expiresAt);
    return login;
  }

  beforeLogin(): void {}
}
