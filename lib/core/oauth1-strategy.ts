import type { Request } from 'express';
import { absoluteCallbackURL, parameterTexts, withQuery } from './addresses.js';
import { calledBack } from './app-callback.js';
import { type Callback, readCallback } from './callback.js';
import { type OAuth1Params, type OAuth1Settings, requestCredentials } from './credentials-request.js';
import { LoginFailure, MalformedError } from './errors.js';
import { NetworkClient, type RefusalReader } from './network-client.js';
import { secureOAuth1Client } from './oauth1-client.js';
import { conclude, copyForRequest, type Outcome } from './outcome.js';
import type { RequestTokenLogins } from './pending-login.js';
import type { Profile } from './profile.js';
import { hideMembers, showOnly } from './protected-client.js';
import { requestTokenLoginsOf } from './request-token-store.js';
import { keepPrivate } from './response.js';
import { authorizationHeader } from './signature.js';
import type { ErrorParser } from './transport.js';
import { loadUnlessSkipped } from './user-profile.js';
import { type AnyVerify, verifyLogin } from './verify.js';

/** passport-oauth1 as far as it is used here; it has no types of its own. */
interface BaseStrategy {
  /** The name under which Passport knows it, and `profile.provider`. */
  name: string;
  /** The base package's HTTP client, with our signer and transport behind it. */
  readonly _oauth: object;
  authenticate(req: Request, options?: object): void;
  userProfile(
    token: string,
    tokenSecret: string,
    params: object,
    done: (error?: unknown, profile?: unknown) => void,
  ): void;
  requestTokenParams(options: object): object;
  userAuthorizationParams(options: object): object;
  parseErrorResponse(body: string, status: number): Error | null;
}
type BaseStrategyConstructor = new (options: object, verify: (...args: never[]) => unknown) => BaseStrategy;

const OAuthStrategy = require('passport-oauth1') as BaseStrategyConstructor;

/** What `passport.authenticate(name, options)` may bring for all networks. */
export interface OAuth1AuthenticateOptions {
  /** The application's own state; comes back as `info.state`. */
  state?: unknown;
  /** In place of the option of that name, for this login. */
  callbackURL?: string;
}

const CALLBACK_PARAMETERS = ['oauth_token', 'oauth_verifier', 'denied'];

/**
 * The one class between passport-oauth1 and the networks. It replaces the base class's `authenticate`, its HTTP client and
 * its stores; what applications override (`userProfile`, `requestTokenParams`, `userAuthorizationParams`) stays.
 *
 * Nothing of a request is kept on the strategy: each runs on a copy of it.
 *
 * @see RFC 5849 section 2
 */
export abstract class OAuth1LoginStrategy<P, Params extends OAuth1Params> extends OAuthStrategy {
  protected readonly settings: OAuth1Settings;
  protected readonly client: NetworkClient;
  protected readonly logins: RequestTokenLogins;
  private readonly verify: AnyVerify<Profile<P>, string, Params>;
  /** Only on a request's copy, from the exchange on: everything of this login that no error may repeat. */
  protected currentSecrets: readonly string[] = [];

  constructor(
    settings: OAuth1Settings,
    readRefusal: RefusalReader,
    verify: AnyVerify<Profile<P>, string, Params>,
  ) {
    if (typeof verify !== 'function') {
      throw new TypeError(`${settings.name}: the second argument must be a verify function.`);
    }
    const { requestTokenURL, accessTokenURL, userAuthorizationURL, consumerKey, consumerSecret } = settings;
    const { customHeaders, sessionKey, callbackURL } = settings;
    const addresses = { requestTokenURL, accessTokenURL, userAuthorizationURL };
    super({ ...addresses, consumerKey, consumerSecret, customHeaders, sessionKey }, verify);
    this.name = settings.name;
    this.settings = settings;
    this.client = new NetworkClient(settings.name, settings.transport, readRefusal, [
      consumerSecret,
      ...Object.values(customHeaders),
    ]);
    this.verify = verify;
    this.logins = requestTokenLoginsOf(settings);
    secureOAuth1Client(this._oauth, settings.transport, { consumerKey, consumerSecret });
    hideMembers(settings, ['consumerSecret', 'customHeaders', 'transport']);
    hideMembers(this, ['settings', 'client', 'logins', 'verify']);
    showOnly(this, new.target.name, () => ({
      name: this.name,
      consumerKey,
      userAuthorizationURL,
      callbackURL,
    }));
  }

  /** Starts a login, or finishes it when the request is a network's callback. Ends in one of Passport's actions. */
  override authenticate(req: Request, options: OAuth1AuthenticateOptions = {}): void {
    const attempt = copyForRequest(this);
    // Without a prototype: what somebody put on Object.prototype is no option.
    const own = Object.assign(Object.create(null), options) as typeof options;
    conclude(this, () => {
      keepPrivate(req);
      const callback = readCallback(req, CALLBACK_PARAMETERS, CALLBACK_PARAMETERS);
      return callback ? attempt.finish(req, callback) : attempt.start(req, own);
    });
  }

  private async start(req: Request, options: OAuth1AuthenticateOptions): Promise<Outcome> {
    const { settings } = this;
    const parseErrorResponse = this.errorParser();
    const callbackURL = absoluteCallbackURL(req, options.callbackURL ?? settings.callbackURL, settings.proxy);
    settings.warnOfCallback(callbackURL, req);
    const answer = await requestCredentials(this.client, settings, {
      step: 'request token',
      url: settings.requestTokenURL,
      form: parameterTexts(this.requestTokenParams(options)),
      protocol: { oauth_callback: callbackURL },
      parseErrorResponse,
    });
    if (answer.oauth_callback_confirmed !== 'true') {
      throw new MalformedError({
        provider: this.name,
        step: 'request token',
        code: 'callback_unconfirmed',
        message: 'the network did not confirm the callback address, as OAuth 1.0a demands.',
        remedy: 'Check requestTokenURL.',
      });
    }
    await this.logins.keep(req, answer.oauth_token, {
      callbackURL,
      secret: answer.oauth_token_secret,
      ...(options.state !== undefined && { state: options.state }),
    });
    const url = withQuery(settings.userAuthorizationURL, {
      ...parameterTexts(this.userAuthorizationParams(options)),
      oauth_token: answer.oauth_token,
    });
    return { kind: 'redirect', url };
  }

  private async finish(req: Request, callback: Callback): Promise<Outcome> {
    const { settings } = this;
    const { oauth_token, oauth_verifier, denied } = callback;
    // Before anything of the callback is believed, and spent whatever comes next.
    const pending = await this.logins.take(req, oauth_token ?? denied);
    if (denied !== undefined) {
      throw new LoginFailure('access_denied', 401, 'The person declined the login at the network.');
    }
    if (oauth_token === undefined || oauth_verifier === undefined) {
      throw new LoginFailure(
        'malformed_callback',
        400,
        'The callback brought no oauth_verifier. Start the login again.',
      );
    }
    const parseErrorResponse = this.errorParser();
    const params = await requestCredentials(this.client, settings, {
      step: 'token',
      url: settings.accessTokenURL,
      protocol: { oauth_verifier },
      requestToken: { token: oauth_token, tokenSecret: pending.secret ?? '' },
      parseErrorResponse,
    });
    const { oauth_token: token, oauth_token_secret: tokenSecret } = params;
    const currentSecrets = [oauth_token, oauth_verifier, pending.secret ?? ''];
    Object.defineProperty(this, 'currentSecrets', { value: currentSecrets, enumerable: false });
    // The detour by a callback is for what an application puts there.
    const profile = await loadUnlessSkipped(settings.skipUserProfile, [token, tokenSecret], () =>
      this.userProfile === OAuth1LoginStrategy.prototype.userProfile
        ? this.loadProfile(token, tokenSecret, params as Params)
        : calledBack('userProfile', (done) => this.userProfile(token, tokenSecret, params as Params, done)),
    );
    return verifyLogin(this.verify, settings, {
      req,
      token,
      refreshToken: tokenSecret,
      params,
      profile,
      pending,
      logins: this.logins,
    });
  }

  /**
   * Loads the person's profile with an access token and its secret.
   *
   * @param params - The access-token answer; the network may name the person there already.
   * @param done - Called with a {@link ProviderError} or with the profile.
   */
  override userProfile(
    token: string,
    tokenSecret: string,
    params: Params,
    done: (error?: unknown, profile?: Profile<P>) => void,
  ): void {
    this.loadProfile(token, tokenSecret, params).then(
      (profile) => done(null, profile),
      (error: unknown) => done(error),
    );
  }

  /** Parameters to add to the request for a request token. */
  override requestTokenParams(_options: OAuth1AuthenticateOptions): object {
    return {};
  }

  /** Parameters to add to the address that the person is sent to. */
  override userAuthorizationParams(_options: OAuth1AuthenticateOptions): object {
    return {};
  }

  /** Override it to make errors of your own from the token endpoints' answers; `null` leaves them to the strategy. */
  override parseErrorResponse(_body: string, _status: number): Error | null {
    return null;
  }

  /** Asks the network who the token's owner is. */
  protected abstract loadProfile(token: string, tokenSecret: string, params: Params): Promise<Profile<P>>;

  private errorParser(): ErrorParser {
    return (body, status) => this.parseErrorResponse(body, status);
  }

  /** The header that signs a request with a token. */
  protected sign(method: string, url: string, token: string, tokenSecret: string): string {
    const { consumerKey, consumerSecret } = this.settings;
    return authorizationHeader({ method, url }, { consumerKey, consumerSecret, token, tokenSecret });
  }
}
