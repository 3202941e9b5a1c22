import type { Request } from 'express';
import type { Profile } from '../core/profile.js';
import { showOnly } from '../core/protected-client.js';
import type { Tokens } from '../core/tokens.js';
import type {
  AnyVerify,
  Verify,
  VerifyWithParams,
  VerifyWithRequest,
  VerifyWithRequestAndParams,
} from '../core/verify.js';
import { type MicroblogOAuth1Params, MicroblogOAuth1Strategy } from './oauth1.js';
import type { MicroblogOAuth1Options } from './oauth1-options.js';
import { type MicroblogOAuth2Params, MicroblogOAuth2Strategy } from './oauth2.js';
import type { MicroblogOAuth2Options } from './oauth2-options.js';
import type { MicroblogAuthenticateOptions } from './options.js';
import type { MicroblogProfile } from './record.js';

/** passport-strategy as far as it is used here. */
type PassportStrategy = new () => { name?: string };

const PassportStrategy = require('passport-strategy') as PassportStrategy;

/** Which protocol a {@link MicroblogStrategy} speaks. */
export type MicroblogVersion = '1.0' | '2.0';

/** Options of a {@link MicroblogStrategy} of one version. */
export type MicroblogOptions<V extends MicroblogVersion = MicroblogVersion> = V extends '1.0'
  ? MicroblogOAuth1Options & { version: '1.0' }
  : MicroblogOAuth2Options;

/** What verify gets for the refresh token: in OAuth 1.0a the token's secret. */
export type MicroblogRefresh<V extends MicroblogVersion = MicroblogVersion> = V extends '1.0'
  ? string
  : string | undefined;
/** The token answer, as verify gets it. */
export type MicroblogParams<V extends MicroblogVersion = MicroblogVersion> = V extends '1.0'
  ? MicroblogOAuth1Params
  : MicroblogOAuth2Params;
/** @inline */
type Person = Profile<MicroblogProfile>;
type Worker = MicroblogOAuth1Strategy | MicroblogOAuth2Strategy;

/** The methods that subclasses replace, of both base packages. */
const HOOKS = [
  'userProfile',
  'authorizationParams',
  'tokenParams',
  'requestTokenParams',
  'userAuthorizationParams',
  'parseErrorResponse',
] as const;
type Hook = (typeof HOOKS)[number];
type Shown = { toJSON(): object };
type Method = (this: object, ...args: unknown[]) => unknown;

const ACTIONS = ['success', 'fail', 'redirect', 'pass', 'error'] as const;

/**
 * Logs people in through the microblog network (X), in either of its protocols.
 *
 * Without `version`, or with `'2.0'`, it is OAuth 2.0 with PKCE, because new applications of the network get that; with
 * `'1.0'` it is OAuth 1.0a, and verify gets `oauth_token` and `oauth_token_secret` in place of access and refresh token. The
 * profile has the same form in both.
 *
 * One strategy of the version's own class ({@link MicroblogOAuth2Strategy} or {@link MicroblogOAuth1Strategy}) does the work.
 *
 * @throws TypeError from the constructor for every option that cannot be used.
 */
export class MicroblogStrategy<V extends MicroblogVersion = '2.0'> extends PassportStrategy {
  /** The name under which Passport knows it, and `profile.provider`. */
  override name: string;
  /** On the strategy the worker itself; in a hook the copy that serves the request. */
  private readonly worker: Worker;

  constructor(
    options: { version?: V } & MicroblogOptions<V> & { passReqToCallback?: false },
    verify: Verify<Person, MicroblogRefresh<V>>,
  );
  constructor(
    options: { version?: V } & MicroblogOptions<V> & { passReqToCallback: true },
    verify: VerifyWithRequest<Person, MicroblogRefresh<V>>,
  );
  constructor(
    options: { version?: V } & MicroblogOptions<V> & { passReqToCallback?: false },
    verify: VerifyWithParams<Person, MicroblogRefresh<V>, MicroblogParams<V>>,
  );
  constructor(
    options: { version?: V } & MicroblogOptions<V> & { passReqToCallback: true },
    verify: VerifyWithRequestAndParams<Person, MicroblogRefresh<V>, MicroblogParams<V>>,
  );
  constructor(
    options: MicroblogOptions<V>,
    verify: AnyVerify<Person, MicroblogRefresh<V>, MicroblogParams<V>>,
  ) {
    super();
    const { version = '2.0' } = (options ?? {}) as { version?: unknown };
    if (version !== '1.0' && version !== '2.0') {
      throw new TypeError(
        "MicroblogStrategy: option version must be '2.0' (the default, OAuth 2.0) or '1.0' (OAuth 1.0a).",
      );
    }
    this.worker =
      version === '1.0'
        ? new MicroblogOAuth1Strategy(options as never, verify as never)
        : new MicroblogOAuth2Strategy(options as never, verify as never);
    this.name = this.worker.name;
    Object.defineProperty(this, 'worker', { enumerable: false });
    showOnly(this, new.target.name, () => ({ version, ...(this.worker as unknown as Shown).toJSON() }));
  }

  /** The base package's OAuth 2.0 client; `undefined` with `version: '1.0'`. */
  get _oauth2(): object | undefined {
    return '_oauth2' in this.worker ? (this.worker as unknown as { _oauth2: object })._oauth2 : undefined;
  }

  /** The base package's OAuth 1.0a client; `undefined` with `version: '2.0'`. */
  get _oauth(): object | undefined {
    return '_oauth' in this.worker ? (this.worker as unknown as { _oauth: object })._oauth : undefined;
  }

  /** Starts a login, or finishes it when the request is a network's callback. Ends in one of Passport's actions. */
  authenticate(req: Request, options: MicroblogAuthenticateOptions = {}): void {
    const worker = this.lendTo(Object.create(this.worker) as Worker);
    const members = worker as unknown as Record<string, unknown>;
    const facade = this as unknown as Record<string, unknown>;
    for (const action of ACTIONS) members[action] = facade[action];
    worker.authenticate(req, options);
  }

  /**
   * OAuth 2.0: trades a refresh token for new tokens, see {@link MicroblogOAuth2Strategy.refresh}.
   *
   * @throws TypeError with `version: '1.0'`, whose tokens do not expire.
   */
  async refresh(refreshToken: string): Promise<Tokens> {
    if (this.worker instanceof MicroblogOAuth2Strategy) {
      return this.lendTo(Object.create(this.worker) as MicroblogOAuth2Strategy).refresh(refreshToken);
    }
    throw new TypeError(`${this.name}: OAuth 1.0a has no refresh tokens; its tokens do not expire.`);
  }

  /**
   * Ends a token.
   *
   * @param tokenSecret - Only with `version: '1.0'`, where the request is signed with it.
   * @throws TypeError with `version: '1.0'` and without `tokenSecret`.
   * @throws {@link ProviderError} when the network does not confirm it.
   */
  async revoke(token: string, tokenSecret?: string): Promise<void> {
    if (this.worker instanceof MicroblogOAuth2Strategy) return this.worker.revoke(token);
    if (tokenSecret) return this.worker.revoke(token, tokenSecret);
    throw new TypeError(`${this.name}: revoke(token, tokenSecret) needs both in OAuth 1.0a.`);
  }

  /** Loads a profile: `(accessToken, done)`, with `version: '1.0'` `(token, tokenSecret, params, done)`. */
  userProfile(...args: unknown[]): unknown {
    return this.askWorker('userProfile', args);
  }

  /** OAuth 2.0: parameters to add to the authorization request. */
  authorizationParams(...args: unknown[]): unknown {
    return this.askWorker('authorizationParams', args);
  }

  /** OAuth 2.0: parameters to add to the token request. */
  tokenParams(...args: unknown[]): unknown {
    return this.askWorker('tokenParams', args);
  }

  /** OAuth 1.0a: parameters to add to the request for a request token. */
  requestTokenParams(...args: unknown[]): unknown {
    return this.askWorker('requestTokenParams', args);
  }

  /** OAuth 1.0a: parameters to add to the address that the person is sent to. */
  userAuthorizationParams(...args: unknown[]): unknown {
    return this.askWorker('userAuthorizationParams', args);
  }

  /** Makes an error of a token endpoint's answer: `(body, status)`; `null` leaves it to the strategy. */
  parseErrorResponse(...args: unknown[]): unknown {
    return this.askWorker('parseErrorResponse', args);
  }

  /** Gives a copy of the worker what a subclass, or an application, has put in the place of the methods here. */
  private lendTo<W extends Worker>(worker: W): W {
    const members = worker as unknown as Record<string, unknown>;
    for (const hook of HOOKS) {
      if (this[hook] !== MicroblogStrategy.prototype[hook] && hook in worker)
        members[hook] = lend(this, hook);
    }
    return worker;
  }

  private askWorker(hook: Hook, args: unknown[]): unknown {
    const methods = this.worker.constructor.prototype as Partial<Record<Hook, Method>>;
    return methods[hook]?.apply(this.worker, args);
  }
}

/** A subclass's method for the worker to call; its `super` reaches the worker that serves the request. */
function lend(facade: object, hook: Hook): Method {
  return function lent(...args) {
    const view = Object.create(facade, { worker: { value: this } }) as MicroblogStrategy;
    return view[hook](...args);
  };
}
