import type { Request } from 'express';
import { jsonOf, warnOfThrown } from '../application-code.js';
import { hideSecrets, LoginFailure, type ReadErrorResponse, RefusedError } from '../errors/index.js';
import type { ProtocolFacts } from '../facts.js';
import { type ClientOptions, NetworkClient } from '../http/index.js';
import { type LinkSettings, linkedUser, requireLinkedUser } from './links.js';
import { type LoginOwner, type LoginStore, type PendingLogin, PendingLogins } from './pending-logins.js';
import type { AddressedRequest, RedirectURI } from './redirect-uri.js';
import {
  type AuthorizationResponse,
  readAuthorizationResponse,
  requireNavigation,
  requireOwnFetch,
} from './request.js';
import { keepHeaders, keepPrivate, responseOf } from './response.js';
import { type AnyVerify, callVerify, isSkipped, type SkipUserProfile } from './verify.js';

export interface FlowSettings extends LinkSettings, Omit<ClientOptions, keyof LoginNetwork> {
  readonly passReqToCallback: boolean;
  readonly passParamsToCallback: boolean;
  readonly skipUserProfile: SkipUserProfile;
  readonly redirectURI: RedirectURI;
  readonly store: LoginStore;
  /** In bytes of JSON. */
  readonly stateLimit: number;
  /** The client secret, or what stands in its place. */
  readonly keySecret: string | undefined;
}

export interface LoginNetwork {
  readonly facts: ProtocolFacts;
  readonly readErrorResponse: ReadErrorResponse;
  /** URLs that a login requests with its token. */
  readonly profileURLs: readonly string[];
  readonly authenticateOptions?: readonly string[];
  /** Secrets of the application besides the client secret. */
  readonly secrets?: readonly string[];
}

export interface ResponseParameters {
  readonly names: readonly string[];
  readonly required: readonly string[];
  /** Those that can hold the state or request token, by which the pending login is found. */
  readonly keys: readonly string[];
  /** Unpacks them, for a network that packs all of them into one. */
  readonly unpack?: ((response: AuthorizationResponse) => AuthorizationResponse) | undefined;
}

/** The steps of a login that differ between the protocols. */
export interface LoginProtocol {
  /** Makes the authorization URL. OAuth 1.0a gets a request token first. */
  begin(redirectURI: string, options: LoginAuthenticateOptions): LoginStart | Promise<LoginStart>;
  /**
   * Reads what can be exchanged for tokens, such as a code. Called once the pending login is found, because anyone can write the response's URL.
   *
   * @throws {@link LoginFailure} if the user declined, or the response is incomplete; {@link RefusedError} if it is an error response.
   */
  prepareExchange(
    response: AuthorizationResponse,
    pending: PendingLogin,
    redirectURI: string,
    options: LoginAuthenticateOptions,
  ): () => Promise<IssuedTokens>;
}

/** A login that begins: where to send the user, and what to keep until the response. */
export interface LoginStart extends Pick<PendingLogin, 'codeVerifier' | 'requestTokenSecret' | 'scope'> {
  /** The state or request token. */
  readonly key: string;
  readonly url: string;
}

export interface IssuedTokens {
  /** The access token; in OAuth 1.0a also its secret. */
  readonly credentials: readonly [token: string, ...tokenSecret: string[]];
  /** In OAuth 1.0a the token secret. */
  readonly refreshToken: string | undefined;
  readonly params: object;
  readonly loadProfile: () => Promise<unknown>;
  /** For a login without a profile, in which nothing else names the user. @throws {@link MalformedError} if the token response lacks an ID that this network sends. */
  readonly requireUser: () => void;
}

/** What `passport.authenticate(name, options)` accepts for all protocols. */
export interface LoginAuthenticateOptions {
  /** The application's own state; comes back as `info.state`. */
  state?: unknown;
  /** Replaces the option of the same name for this login. */
  callbackURL?: string | undefined;
}

/** `passport.authorize`, which links an account to the user who is signed in, adds `assignProperty`. */
type GivenOptions = LoginAuthenticateOptions & { readonly assignProperty?: unknown };

/** The action of Passport with which a request ends. */
type Outcome =
  | readonly ['redirect', url: string]
  | readonly ['success', user: Express.User, info: unknown]
  | readonly ['fail', info: unknown, status?: number]
  | readonly ['error', thrown: unknown];

type Action = (this: object, ...given: unknown[]) => unknown;

/** One login from the request that starts it to verify, whatever the protocol. */
export class LoginFlow {
  readonly logins: PendingLogins;
  private readonly names: ReadonlySet<string>;
  readonly client: NetworkClient;
  /** Secrets of the application that no error may show. */
  readonly secrets: readonly string[];

  constructor(
    private readonly settings: FlowSettings,
    private readonly verify: AnyVerify,
    private readonly network: LoginNetwork,
    owner: Pick<LoginOwner, 'clientID' | 'authorizationURL'>,
    private readonly parameters: ResponseParameters,
  ) {
    const { name: strategy, redirectURI, store } = settings;
    this.logins = new PendingLogins(store, { strategy, redirectURI: redirectURI.written, ...owner });
    this.names = new Set(parameters.names);
    const { keySecret = '', customHeaders } = settings;
    this.secrets = [keySecret, ...Object.values(customHeaders), ...(network.secrets ?? [])];
    this.client = new NetworkClient({ ...settings, ...network, secrets: this.secrets });
    hideSecrets(this, ['secrets']);
    hideSecrets(settings, ['clientSecret', 'keySecret', 'customHeaders', 'agent', 'store']);
  }

  /**
   * Starts a login, or finishes it if the request carries an authorization response. Ends by calling exactly one of the actions that Passport
   * attaches to the strategy.
   *
   * @param strategy - The copy that Passport made for this request, or the strategy itself if the application passes it to
   *   `passport.authenticate`. Its actions are read at once, because the next request overwrites them (jaredhanson/passport#789).
   */
  run(strategy: object, req: Request, given: GivenOptions, protocol: LoginProtocol): void {
    // A property that was added to Object.prototype is no option.
    const options = { __proto__: null, ...given };
    const { redirect, success, fail, error } = strategy as Record<Outcome[0], Action>;
    const report: Action = (thrown) => {
      keepHeaders(req, thrown);
      // Passport treats a falsy error as no error and lets the request through.
      return error.call(strategy, thrown || new TypeError('The application failed without an error.'));
    };
    const actions = { redirect, success, fail, error: report };
    const act = async () => {
      const [action, ...given] = await this.outcomeOf(req, options, protocol);
      try {
        await actions[action].apply(strategy, given);
      } catch (thrown) {
        // Application code that the action called has thrown. As an unhandled rejection it would end the process.
        await (responseOf(req)?.isSent
          ? warnOfThrown('The callback', thrown)
          : report.call(strategy, thrown));
      }
    };
    act().catch((thrown: unknown) => {
      const response = responseOf(req);
      // Nobody else answers, and the browser would wait.
      response?.end(500);
      const isWithoutNext =
        thrown instanceof TypeError && thrown.message.startsWith('next is not a function');
      if (!isWithoutNext) return warnOfThrown('An error handler', thrown);
      if (!response) req.destroy();
      const end = response ? 'ends with status 500' : 'ends without a response';
      process.emitWarning(
        `What passport.authenticate(...) returned was called without next (TypeError: next is not a function), so the request ${end}. Write passport.authenticate(...)(req, res, next), or give passport.authenticate a callback.`,
      );
    });
  }

  /** Starts a login for a script of the application. @throws {@link LoginFailure} `not_a_navigation`, 403, unless a page of it sent the request. */
  async startFor(
    req: AddressedRequest,
    given: LoginAuthenticateOptions,
    protocol: LoginProtocol,
  ): Promise<URL> {
    const options = { __proto__: null, ...given };
    const { settings, network } = this;
    development()?.warnOfMisspelt(settings, Object.keys(options), network.authenticateOptions ?? []);
    keepPrivate(req);
    requireOwnFetch(req);
    return new URL(await this.start(req, options, protocol, { isCrossSite: false }));
  }

  private async outcomeOf(req: Request, options: GivenOptions, protocol: LoginProtocol): Promise<Outcome> {
    // `authenticate` has returned before an action is called, even if this throws at once.
    await Promise.resolve();
    try {
      const { settings, network } = this;
      development()?.warnOfMisspelt(settings, Object.keys(options), network.authenticateOptions ?? []);
      keepPrivate(req);
      const { required, unpack } = this.parameters;
      const response = readAuthorizationResponse(req, this.names, required);
      if (!response) {
        const isCrossSite = requireNavigation(req);
        const isLink = options.assignProperty !== undefined && !isCrossSite;
        const linksTo = isLink ? linkedUser(settings, req) : undefined;
        return ['redirect', await this.start(req, options, protocol, { isCrossSite, linksTo })];
      }
      return await this.finish(req, unpack?.(response) ?? response, options, protocol);
    } catch (error) {
      const failure = unusable(error) ?? error;
      if (!(failure instanceof LoginFailure)) return ['error', error];
      development()?.warnOfLostLogin(this.settings.name, failure);
      const { message, code, networkMessage, status } = failure;
      return ['fail', { message, code, ...(networkMessage !== undefined && { networkMessage }) }, status];
    }
  }

  /** Keeps what the callback will need. @returns The authorization URL, to which the user goes. */
  private async start(
    req: AddressedRequest,
    options: LoginAuthenticateOptions,
    protocol: LoginProtocol,
    origin: Pick<PendingLogin, 'isCrossSite' | 'linksTo'>,
  ): Promise<string> {
    const { settings } = this;
    const warnings = development();
    const state = options.state === undefined ? undefined : this.checkState(options.state);
    const { uri, isResolved } = settings.redirectURI.resolve(req, options.callbackURL);
    warnings?.warnOfStart(settings, req, options.callbackURL);
    const { key, url, ...kept } = await protocol.begin(uri, options);
    await this.logins.save(req, key, {
      isSecure: /^https:/i.test(uri),
      redirectURI: uri === settings.redirectURI.configured ? undefined : uri,
      isResolved: isResolved || undefined,
      state,
      ...origin,
      ...kept,
    });
    return url;
  }

  /** The application's state as it will come back. Anyone can make a link to a start, and so fill it. @throws TypeError if it is too large or not JSON. */
  private checkState(state: unknown): unknown {
    const { name, stateLimit } = this.settings;
    const text = jsonOf(state);
    if (text === undefined) {
      throw new TypeError(
        `${name}: the state given to authenticate must be JSON: strings, finite numbers, true, false, null, and plain objects and arrays of them. Convert anything else, for example a date with toISOString().`,
      );
    }
    const size = Buffer.byteLength(text);
    if (size <= stateLimit) return JSON.parse(text);
    throw new TypeError(
      `${name}: the state given to authenticate has ${size} bytes as JSON, and at most ${stateLimit} are kept. Give a shorter one, for example an ID, or raise the option stateLimit.`,
    );
  }

  /** Takes the pending login, exchanges what the response grants, and asks verify. */
  private async finish(
    req: Request,
    response: AuthorizationResponse,
    options: GivenOptions,
    protocol: LoginProtocol,
  ): Promise<Outcome> {
    const { settings, logins } = this;
    // The pending login is taken, and so used up, before anything else in the response is read.
    const key = this.parameters.keys.map((name) => response[name]).find(Boolean);
    const pending = await logins.take(req, key, Object.keys(response));
    if (options.assignProperty !== undefined) requireLinkedUser(settings, req, pending);
    const redirectURI = settings.redirectURI.of(req, pending, options.callbackURL);
    const exchange = protocol.prepareExchange(response, pending, redirectURI, options);
    await logins.markUsed(pending);
    const { credentials, refreshToken, params, loadProfile, requireUser } = await exchange();
    const skips = await isSkipped(settings.skipUserProfile, credentials);
    const profile = skips ? requireUser() : await loadProfile();
    const [token] = credentials;
    const own = pending.state === undefined ? {} : { state: pending.state };
    // Passport puts it there after the login; verify needs it before.
    if (settings.passReqToCallback) req.authInfo = own;
    const given = { req, token, refreshToken, params, profile };
    const { user, info } = await callVerify(this.verify, settings, given);
    if (!user) return ['fail', info];
    // `info` can be the network's token response, whose state must not replace the application's.
    if (pending.state === undefined && !('state' in Object(info ?? {}))) return ['success', user, info || {}];
    const { state: _theirs, ...shown } = typeof info === 'string' ? { message: info } : Object(info ?? {});
    return ['success', user, { ...shown, ...own }];
  }
}

/** Warnings for developers, which production never loads. */
function development(): typeof import('../development.js') | undefined {
  if (process.env.NODE_ENV === 'production') return undefined;
  return require('../development.js') as typeof import('../development.js');
}

/** A suspended account is a failure, not an error, whichever request the network refused. */
function unusable(error: unknown): LoginFailure | undefined {
  if (!(error instanceof RefusedError) || error.means !== 'account unusable') return undefined;
  const message =
    'The account is suspended, banned or deactivated at the network; nobody can log in with it.';
  return new LoginFailure('account_unusable', message, error.networkMessage);
}
