import type { Request } from 'express';
import { jsonOf, warnOfThrown } from '../application-code.js';
import { LoginFailure, RefusedError } from '../errors/index.js';
import { type LinkSettings, linkedUser, requireLinkedUser } from './links.js';
import { type LoginOwner, type LoginStore, type PendingLogin, PendingLogins } from './pending-logins.js';
import type { RedirectURI } from './redirect-uri.js';
import { type AuthorizationResponse, readAuthorizationResponse, requireNavigation } from './request.js';
import { keepHeaders, keepPrivate, responseOf } from './response.js';
import { type AnyVerify, callVerify, isSkipped, type VerifyOptions } from './verify.js';

/** The settings of a login, whatever the protocol. */
export interface FlowSettings extends LinkSettings, Readonly<Required<VerifyOptions>> {
  readonly redirectURI: RedirectURI;
  readonly store: LoginStore;
  readonly stateLimit: number | undefined;
}

/** The steps of a login that differ between the protocols, for one request. */
export interface LoginProtocol<Options> {
  /** Names of the network's own options of `authenticate`. */
  readonly options: readonly string[];
  /** Makes the authorization URL. OAuth 1.0a gets a request token first. */
  begin(redirectURI: string, options: Options): LoginStart | Promise<LoginStart>;
  /**
   * Reads what can be exchanged for tokens, such as a code. Called once the pending login is found, because anyone can write the response's URL.
   *
   * @param redirectURI - The one that was sent.
   * @returns Exchanges it.
   * @throws {@link LoginFailure} if the user declined, or the response is incomplete.
   * @throws {@link RefusedError} if it is an error response.
   */
  prepareExchange(
    response: AuthorizationResponse,
    pending: PendingLogin,
    redirectURI: string,
    options: Options,
  ): () => Promise<IssuedTokens>;
}

/** A login that begins: where to send the user, and what to keep until the response. */
export interface LoginStart extends Pick<PendingLogin, 'codeVerifier' | 'requestTokenSecret' | 'scope'> {
  /** The state or request token. */
  readonly key: string;
  /** The authorization URL. */
  readonly url: string;
}

/** The network's tokens, and how to get the profile. */
export interface IssuedTokens {
  /** The access token; in OAuth 1.0a also its secret. */
  readonly credentials: readonly [token: string, ...tokenSecret: string[]];
  /** In OAuth 1.0a the token secret. */
  readonly refreshToken: string | undefined;
  /** The token response. */
  readonly params: object;
  /** Requests the profile. */
  readonly loadProfile: () => Promise<unknown>;
}

/** What `passport.authenticate(name, options)` accepts for all protocols. */
export interface LoginAuthenticateOptions {
  /** The application's own state; comes back as `info.state`. */
  state?: unknown;
  /** Replaces the option of the same name for this login. */
  callbackURL?: string;
}

/** Largest application state by default, in bytes of JSON. */
const STATE_LIMIT = 1_024;

/** The parameters of a network's authorization response. */
export interface ResponseParameters {
  readonly names: readonly string[];
  /** Those that must not be empty. */
  readonly required: readonly string[];
  /** Those that can hold the state or request token, by which the pending login is found. */
  readonly keys: readonly string[];
  /** Unpacks them, for a network that packs all of them into one. */
  readonly unpack?: ((response: AuthorizationResponse) => AuthorizationResponse) | undefined;
}

/** The option of `passport.authorize`, which links an account to the user who is signed in. */
interface LinkOptions {
  readonly assignProperty?: unknown;
}

/** One login from the request that starts it to verify, whatever the protocol. */
export class LoginFlow {
  private readonly logins: PendingLogins;
  private readonly names: ReadonlySet<string>;

  constructor(
    private readonly settings: FlowSettings,
    private readonly verify: AnyVerify,
    owner: Omit<LoginOwner, 'strategy' | 'redirectURI'>,
    private readonly parameters: ResponseParameters,
  ) {
    const { name: strategy, redirectURI, store } = settings;
    this.logins = new PendingLogins(store, { strategy, redirectURI: redirectURI.written, ...owner });
    this.names = new Set(parameters.names);
  }

  /**
   * Starts a login, or finishes it if the request carries an authorization response. Ends by calling one of Passport's actions.
   *
   * @param strategy - The copy that Passport made for this request.
   */
  run<Options extends LoginAuthenticateOptions>(
    strategy: object,
    req: Request,
    given: Options,
    protocol: LoginProtocol<Options>,
  ): void {
    // No prototype, so that a property added to Object.prototype is not taken for an option.
    const options = Object.assign(Object.create(null), given) as Options;
    development()?.warnOfMisspelt(this.settings, Object.keys(options), protocol.options);
    callOneAction(strategy, req, () => {
      keepPrivate(req);
      const { required, unpack } = this.parameters;
      const response = readAuthorizationResponse(req, this.names, required);
      if (!response) return this.start(req, options, protocol);
      return this.finish(req, unpack?.(response) ?? response, options, protocol);
    });
  }

  /** Keeps what the callback will need, and sends the user to the network. */
  private async start<Options extends LoginAuthenticateOptions>(
    req: Request,
    options: Options & LinkOptions,
    protocol: LoginProtocol<Options>,
  ): Promise<Outcome> {
    const { redirectURI } = this.settings;
    const warnings = development();
    const isCrossSite = requireNavigation(req);
    const isLink = options.assignProperty !== undefined && !isCrossSite;
    const linksTo = isLink ? linkedUser(this.settings, req) : undefined;
    const state = options.state === undefined ? undefined : this.checkState(options.state);
    const { uri, isResolved } = redirectURI.resolve(req, options.callbackURL);
    warnings?.warnOfStart(this.settings, req, options.callbackURL);
    const { key, url, ...kept } = await protocol.begin(uri, options);
    const login = {
      isSecure: new URL(uri).protocol === 'https:',
      isCrossSite,
      ...kept,
      ...(uri !== redirectURI.configured && { redirectURI: uri }),
      ...(isResolved && { isResolved }),
      ...(state !== undefined && { state }),
      ...(linksTo !== undefined && { linksTo }),
    };
    await this.logins.save(req, key, login);
    return ['redirect', url];
  }

  /**
   * The application's state as it will come back. Its size has a limit, because applications keep parts of the URL of the start in it, and
   * anyone can make a link to that.
   *
   * @throws TypeError for a state that is too large, and for what JSON would bring back as something else.
   */
  private checkState(state: unknown): unknown {
    const { name, stateLimit = STATE_LIMIT } = this.settings;
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
  private async finish<Options extends LoginAuthenticateOptions>(
    req: Request,
    response: AuthorizationResponse,
    options: Options & LinkOptions,
    protocol: LoginProtocol<Options>,
  ): Promise<Outcome> {
    const { settings, logins } = this;
    // The pending login is taken, and so used up, before anything else in the response is read.
    const key = this.parameters.keys.map((name) => response[name]).find(Boolean);
    const pending = await logins.take(req, key);
    if (options.assignProperty !== undefined) requireLinkedUser(settings, req, pending);
    const redirectURI = settings.redirectURI.of(req, pending, options.callbackURL);
    const exchange = protocol.prepareExchange(response, pending, redirectURI, options);
    await logins.markUsed(pending);
    const { credentials, refreshToken, params, loadProfile } = await exchange();
    const profile = (await isSkipped(settings.skipUserProfile, credentials))
      ? undefined
      : await loadProfile();
    const [token] = credentials;
    const { state } = pending;
    // Passport puts it there after the login; verify needs it before.
    if (settings.passReqToCallback) req.authInfo = state === undefined ? {} : { state };
    const given = { req, token, refreshToken, params, profile };
    const { user, info } = await callVerify(this.verify, settings, given);
    if (!user) return ['fail', info];
    // `info` can be the network's token response, whose state must not replace the application's.
    const { state: _theirs, ...shown } = typeof info === 'string' ? { message: info } : Object(info ?? {});
    return ['success', user, { ...shown, ...(state !== undefined && { state }) }];
  }
}

/** Warnings for developers, which production never loads. */
function development(): typeof import('../development.js') | undefined {
  if (process.env.NODE_ENV === 'production') return undefined;
  return require('../development.js') as typeof import('../development.js');
}

type Action = (this: object, ...given: unknown[]) => unknown;

/** The action with which a request ends if nothing fails. */
type Outcome =
  | readonly ['redirect', url: string]
  | readonly ['success', user: Express.User, info: object]
  | readonly ['fail', info: unknown];

/**
 * Does the work of one request and calls exactly one of the actions that Passport attaches to the strategy.
 *
 * The actions are read before the work begins: an application may pass the strategy itself to `passport.authenticate`, and the next
 * request overwrites them.
 *
 * @see https://github.com/jaredhanson/passport/issues/789
 */
function callOneAction(strategy: object, req: object, work: () => Promise<Outcome>): void {
  const { redirect, success, fail, error } = strategy as Record<Outcome[0] | 'error', Action>;
  const actions = { redirect, success, fail };
  const { name = '' } = strategy as { name?: string };
  const report = (thrown: unknown) => {
    keepHeaders(req, thrown);
    // Passport treats a falsy error as no error and lets the request through.
    return error.call(strategy, thrown || new TypeError('The application failed without an error.'));
  };
  const run = async () => {
    // `authenticate` has returned before an action is called, even if the work throws at once.
    await Promise.resolve();
    try {
      let outcome: Outcome;
      try {
        outcome = await work();
      } catch (error) {
        const thrown = unusable(error) ?? error;
        if (!(thrown instanceof LoginFailure)) return await report(thrown);
        development()?.warnOfLostLogin(name, thrown);
        const { message, code, networkMessage, status } = thrown;
        const info = { message, code, ...(networkMessage !== undefined && { networkMessage }) };
        return await fail.call(strategy, info, status);
      }
      const [action, ...given] = outcome;
      return await actions[action].apply(strategy, given);
    } catch (thrown) {
      // Application code that the action called has thrown. As an unhandled rejection it would end the process.
      return responseOf(req)?.isSent ? warnOfThrown('The callback', thrown) : report(thrown);
    }
  };
  run().catch((thrown: unknown) => warnOfThrown('An error handler', thrown));
}

/** A suspended account is a failure, not an error, whichever request the network refused. */
function unusable(error: unknown): LoginFailure | undefined {
  if (!(error instanceof RefusedError) || error.means !== 'account unusable') return undefined;
  const message =
    'The account is suspended, banned or deactivated at the network; nobody can log in with it.';
  return new LoginFailure('account_unusable', message, error.networkMessage);
}
