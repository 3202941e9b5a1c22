import type { Request } from 'express';
import { warnOfThrown } from '../application-code.js';
import { LoginFailure, RefusedError } from '../errors/index.js';
import { mostEditsOf, nearest } from '../spelling.js';
import {
  type AuthorizationResponse,
  keepHeaders,
  keepPrivate,
  readAuthorizationResponse,
  requireNavigation,
  responseOf,
} from './browser.js';
import { isLink, isSessionUnread, type LinkSettings, linkedUser, requireLinkedUser } from './links.js';
import { type LoginOwner, type LoginStore, type PendingLogin, PendingLogins } from './pending-logins.js';
import type { RedirectURI } from './redirect-uri.js';
import { type AnyVerify, callVerify, isSkipped, type SkipUserProfile } from './verify.js';

/** What the flow of a login needs of a strategy's options, with the defaults filled in. */
export interface FlowSettings extends LinkSettings {
  readonly redirectURI: RedirectURI;
  readonly store: LoginStore;
  readonly stateLimit: number | undefined;
  readonly passReqToCallback: boolean;
  readonly passParamsToCallback: boolean;
  readonly skipUserProfile: SkipUserProfile;
}

/** What is a protocol's own in a login, for one request. */
export interface LoginProtocol<Grant, Options> {
  /** Names of the network's own options of `authenticate`. */
  readonly options: readonly string[];
  /** Prepares the redirect to the network. In OAuth 1.0a this requests a request token. */
  begin(redirectURI: string, options: Options): LoginStart | Promise<LoginStart>;
  /** The state or request token of an authorization response, by which its pending login is found. */
  keyOf(response: AuthorizationResponse): string | undefined;
  /**
   * What the response lets the application exchange. Called after the pending login was taken: anyone can make up the response's URL.
   *
   * @throws {@link LoginFailure} if the user declined, or the response is incomplete.
   * @throws {@link RefusedError} if it is an error response.
   */
  readGrant(response: AuthorizationResponse, pending: OpenLogin, options: Options): Grant;
  /** Exchanges the grant for tokens. */
  exchange(grant: Grant, response: AuthorizationResponse, pending: OpenLogin): Promise<IssuedTokens>;
}

/** The redirect to the network, and what to remember until the response. */
export interface LoginStart extends Pick<PendingLogin, 'codeVerifier' | 'requestTokenSecret' | 'scope'> {
  /** The state or request token. */
  readonly key: string;
  /** The authorization URL. */
  readonly url: string;
}

/** A pending login that was taken out of its store. */
export interface OpenLogin extends PendingLogin {
  /** The redirect URI that was sent. */
  readonly redirectURI: string;
}

/** What the network issued. */
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

/** How a request ends if nothing fails: with a redirect to the network, a user, or verify's rejection. */
type Outcome =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'success'; readonly user: Express.User; readonly info: object }
  | { readonly kind: 'rejected'; readonly info: unknown };

/** Passport's options of `authenticate`, and those of all strategies. */
const AUTHENTICATE_OPTIONS =
  'session assignProperty authInfo failWithError keepSessionInfo property callback successRedirect successReturnToOrRedirect successMessage successFlash failureRedirect failureMessage failureFlash scope state callbackURL'.split(
    ' ',
  );

/** What tells the authorization responses of a network. */
export interface ResponseParameters {
  /** Every parameter that the network may send. */
  readonly names: readonly string[];
  /** Those that must not be empty. */
  readonly required: readonly string[];
  /** For a network that packs all parameters into one: unpacks them. */
  readonly unpack?: ((response: AuthorizationResponse) => AuthorizationResponse) | undefined;
}

/** One login from the request that starts it to verify, whatever the protocol. */
export class LoginFlow {
  private readonly logins: PendingLogins;
  private readonly names: ReadonlySet<string>;
  /** Options of `authenticate` that are known, or of which the console was told. */
  private readonly seen = new Set<string>();

  constructor(
    private readonly settings: FlowSettings,
    private readonly verify: AnyVerify,
    owner: Omit<LoginOwner, 'strategy' | 'redirectURI'>,
    private readonly parameters: ResponseParameters,
  ) {
    const { name: strategy, redirectURI, store, stateLimit } = settings;
    this.logins = new PendingLogins(
      store,
      { strategy, redirectURI: redirectURI.configured, ...owner },
      stateLimit,
    );
    this.names = new Set(parameters.names);
  }

  /**
   * Starts a login, or finishes it if the request carries an authorization response. Ends by calling one of Passport's actions.
   *
   * @param strategy - The copy that Passport made for this request.
   */
  run<Grant, Options extends LoginAuthenticateOptions>(
    strategy: object,
    req: Request,
    given: Options,
    protocol: LoginProtocol<Grant, Options>,
  ): void {
    // No prototype, so that a property added to Object.prototype is not taken for an option.
    const options = Object.assign(Object.create(null), given) as Options;
    for (const name of Object.keys(options)) {
      if (!this.seen.has(name)) this.warnIfMisspelt(name, protocol.options);
    }
    callOneAction(strategy, req, () => {
      keepPrivate(req);
      const { required, unpack } = this.parameters;
      const response = readAuthorizationResponse(req, this.names, required);
      if (!response) return this.start(req, options, protocol);
      return this.finish(req, unpack?.(response) ?? response, options, protocol);
    });
  }

  /** A misspelt option has no effect: a login that should ask for the password does not. Applications may have options of their own. */
  private warnIfMisspelt(name: string, own: readonly string[]): void {
    this.seen.add(name);
    const known = [...AUTHENTICATE_OPTIONS, ...own];
    const meant = known.includes(name) ? undefined : nearest(name, known, mostEditsOf(name));
    if (meant === undefined) return;
    process.emitWarning(
      `${this.settings.name}: authenticate has no option ${name}, which has no effect. Did you mean ${meant}?`,
    );
  }

  /** Keeps what the callback will need, and sends the user to the network. */
  private async start<Grant, Options extends LoginAuthenticateOptions>(
    req: Request,
    options: Options,
    protocol: LoginProtocol<Grant, Options>,
  ): Promise<Outcome> {
    const isCrossSite = requireNavigation(req);
    if (process.env.NODE_ENV !== 'production' && isSessionUnread(req)) this.warnOfSession();
    const { callbackURL } = options;
    const linksTo = isLink(options) && !isCrossSite ? linkedUser(this.settings, req) : undefined;
    const state = this.logins.checkState(options.state);
    const { uri, isSecure, isConfigured, isResolved } = this.settings.redirectURI.resolve(req, callbackURL);
    const { key, url, ...kept } = await protocol.begin(uri, options);
    const login = {
      isSecure,
      isCrossSite,
      ...kept,
      ...(!isConfigured && { redirectURI: uri }),
      ...(isResolved && { isResolved }),
      ...(state !== undefined && { state }),
      ...(linksTo !== undefined && { linksTo }),
    };
    await this.logins.save(req, key, login);
    return { kind: 'redirect', url };
  }

  /** A login succeeded before, and nothing reads it from the session. */
  private warnOfSession(): void {
    if (this.seen.has('passport.session()')) return;
    this.seen.add('passport.session()');
    process.emitWarning(
      `${this.settings.name}: the session has a user, and the request has none, so users seem to be signed out after a login. Use passport.session() after the session's middleware and before this route.`,
    );
  }

  /** Takes the pending login, exchanges what the response grants, and asks verify. */
  private async finish<Grant, Options extends LoginAuthenticateOptions>(
    req: Request,
    response: AuthorizationResponse,
    options: Options,
    protocol: LoginProtocol<Grant, Options>,
  ): Promise<Outcome> {
    const { settings, logins } = this;
    // Taken before anything in the response is trusted. The pending login is used up, whatever happens next.
    const taken = await logins.take(req, protocol.keyOf(response));
    if (isLink(options)) requireLinkedUser(settings, req, taken);
    const pending = { ...taken, redirectURI: settings.redirectURI.of(req, taken, options.callbackURL) };
    const grant = protocol.readGrant(response, pending, options);
    await logins.markUsed(pending);
    const { credentials, refreshToken, params, loadProfile } = await protocol.exchange(
      grant,
      response,
      pending,
    );
    const profile = (await isSkipped(settings.skipUserProfile, credentials))
      ? undefined
      : await loadProfile();
    const [token] = credentials;
    const { state } = pending;
    // Where Passport puts it after the login: verify finds it there already.
    if (settings.passReqToCallback) req.authInfo = state === undefined ? {} : { state };
    const given = { req, token, refreshToken, params, profile };
    const { user, info } = await callVerify(this.verify, settings, given);
    if (!user) return { kind: 'rejected', info };
    // An application may pass on the network's parameters, which have a state of their own.
    const { state: _theirs, ...shown } = typeof info === 'string' ? { message: info } : Object(info ?? {});
    return { kind: 'success', user, info: { ...shown, ...(state !== undefined && { state }) } };
  }
}

/** The actions that Passport attaches to a strategy for each request. */
interface Actions {
  readonly name?: string;
  redirect: (this: object, url: string) => unknown;
  success: (this: object, user: Express.User, info: object) => unknown;
  fail: (this: object, challenge?: unknown, status?: number) => unknown;
  error: (this: object, error: unknown) => unknown;
}

/**
 * Does the work of one request and calls exactly one of Passport's actions.
 *
 * The actions are read before the work begins: an application may pass the strategy itself to `passport.authenticate`, and the next
 * request overwrites them.
 *
 * @see https://github.com/jaredhanson/passport/issues/789
 */
function callOneAction(strategy: object, req: object, work: () => Promise<Outcome>): void {
  const { name = '', redirect, success, fail, error } = strategy as Actions;
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
        warnOfLostLogin(name, thrown);
        const { message, code, networkMessage, status } = thrown;
        const info = { message, code, ...(networkMessage !== undefined && { networkMessage }) };
        return await fail.call(strategy, info, status);
      }
      if (outcome.kind === 'redirect') return await redirect.call(strategy, outcome.url);
      if (outcome.kind === 'rejected') return await fail.call(strategy, outcome.info);
      return await success.call(strategy, outcome.user, outcome.info);
    } catch (thrown) {
      // Application code that the action called has thrown. As an unhandled rejection it would end the process.
      return responseOf(req)?.isSent ? warnOfThrown('The callback', thrown) : report(thrown);
    }
  };
  run().catch((thrown: unknown) => warnOfThrown('An error handler', thrown));
}

/** A login with an account that cannot be used is the user's concern, at every step. */
function unusable(error: unknown): LoginFailure | undefined {
  if (!(error instanceof RefusedError) || error.means !== 'account unusable') return undefined;
  const message =
    'The account is suspended, banned or deactivated at the network; nobody can log in with it.';
  return new LoginFailure('account_unusable', message, error.networkMessage);
}

/** Lost logins of which the console has been told. */
const reported = new Set<string>();

/**
 * Passport shows a lost login as a bare "Forbidden". During development the console says what `failureMessage` would; in production anyone
 * could fill the log.
 */
function warnOfLostLogin(strategy: string, { code, message }: LoginFailure): void {
  const warning = `${strategy}: ${message}`;
  const isLost = ['unknown_login', 'not_a_navigation', 'no_room', 'malformed_request'].includes(code);
  if (!isLost || process.env.NODE_ENV === 'production' || reported.has(warning)) return;
  reported.add(warning);
  process.emitWarning(warning);
}
