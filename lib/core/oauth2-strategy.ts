import type { Request } from 'express';

import OAuth2Strategy = require('passport-oauth2');

import { absoluteCallbackURL, parameterTexts, withQuery } from './addresses.js';
import { textMember } from './answer.js';
import { type Callback, readCallback } from './callback.js';
import { LoginFailure, type LoginStep, RefusedError } from './errors.js';
import { type JSONAnswer, NetworkClient } from './network-client.js';
import { secureOAuth2Client } from './oauth2-client.js';
import type {
  CurrentLogin,
  OAuth2AuthenticateOptions,
  OAuth2Network,
  OAuth2Settings,
  TokenAnswer,
} from './oauth2-network.js';
import { splitList } from './options.js';
import { conclude, type Outcome } from './outcome.js';
import type { PendingLogin, StateLogins } from './pending-login.js';
import type { Profile } from './profile.js';
import { codeChallenge, newSecret } from './proof.js';
import { hideMembers, showOnly } from './protected-client.js';
import { cleanText, secretsIn } from './redaction.js';
import { stateLoginsOf } from './state-store.js';
import { requestToken } from './token-request.js';
import { loadUnlessSkipped } from './user-profile.js';
import { type AnyVerify, verifyLogin } from './verify.js';

const STANDARD_PARAMETERS = ['code', 'state', 'error', 'error_description', 'error_uri', 'iss'];
const REQUIRED_PARAMETERS = ['code', 'state', 'error'];

/**
 * The one class between passport-oauth2 and the networks. It replaces the base class's `authenticate`, its HTTP client and
 * its stores; what applications override (`userProfile`, `authorizationParams`, `tokenParams`) stays.
 *
 * Nothing of a request is kept on the strategy: each runs on a copy of it.
 */
export abstract class OAuth2LoginStrategy<P, Params extends object> extends OAuth2Strategy {
  declare name: string;
  protected readonly settings: OAuth2Settings;
  protected readonly network: OAuth2Network;
  protected readonly client: NetworkClient;
  protected readonly logins: StateLogins;
  private readonly verify: AnyVerify<Profile<P>, string | undefined, Params>;
  /** Only on a request's copy, from the exchange on. */
  protected currentLogin: CurrentLogin | undefined;

  constructor(
    settings: OAuth2Settings,
    network: OAuth2Network,
    verify: AnyVerify<Profile<P>, string | undefined, Params>,
  ) {
    if (typeof verify !== 'function') {
      throw new TypeError(`${settings.name}: the second argument must be a verify function.`);
    }
    const { authorizationURL, tokenURL, clientID, clientSecret = '', customHeaders, sessionKey } = settings;
    // Without a session key the base class would parse the address with url.parse, which Node deprecates.
    const base = { authorizationURL, tokenURL, clientID, clientSecret, customHeaders, sessionKey };
    super(base, verify as OAuth2Strategy.VerifyFunction);
    this.name = settings.name;
    this.settings = settings;
    this.network = network;
    this.client = new NetworkClient(settings.name, settings.transport, network.readRefusal, [clientSecret]);
    this.verify = verify;
    this.logins = stateLoginsOf(settings);
    secureOAuth2Client(this._oauth2, settings.transport, (form) => this.requestToken('refresh', form));
    hideMembers(settings, ['clientSecret', 'customHeaders', 'transport']);
    hideMembers(this, ['settings', 'network', 'client', 'logins', 'verify']);
    const { callbackURL } = settings;
    showOnly(this, new.target.name, () => ({ name: this.name, clientID, authorizationURL, callbackURL }));
  }

  /** Starts a login, or finishes it when the request is a network's callback. Ends in one of Passport's actions. */
  override authenticate(req: Request, options: OAuth2AuthenticateOptions = {}): void {
    const attempt = Object.create(this) as this;
    conclude(this, async () => {
      const names = [...STANDARD_PARAMETERS, ...this.network.callbackParameters];
      const callback = readCallback(req, names, REQUIRED_PARAMETERS);
      return callback ? attempt.finish(req, callback, options) : attempt.start(req, options);
    });
  }

  private async start(req: Request, options: OAuth2AuthenticateOptions): Promise<Outcome> {
    const { settings, network } = this;
    const callbackURL = absoluteCallbackURL(req, options.callbackURL ?? settings.callbackURL, settings.proxy);
    settings.warnOfCallback(callbackURL);
    const scope = this.scopeOf(options);
    const verifier = network.codeChallenge === 'none' ? undefined : newSecret();
    const state = await this.logins.begin(req, {
      callbackURL,
      scope,
      ...(verifier !== undefined && { secret: verifier }),
      ...(options.state !== undefined && { state: options.state }),
    });
    const url = withQuery(settings.authorizationURL, {
      ...parameterTexts(this.authorizationParams(options)),
      response_type: 'code',
      [network.clientParameter]: settings.clientID,
      redirect_uri: callbackURL,
      ...(scope.length > 0 && { scope: scope.join(network.scopeSeparator) }),
      state,
      ...(verifier !== undefined && {
        code_challenge: codeChallenge(verifier, network.codeChallenge === 'hex' ? 'hex' : 'base64url'),
        code_challenge_method: 'S256',
      }),
    });
    return { kind: 'redirect', url };
  }

  private async finish(
    req: Request,
    callback: Callback,
    options: OAuth2AuthenticateOptions,
  ): Promise<Outcome> {
    const { settings } = this;
    // Before anything of the callback is believed, and spent whatever comes next.
    const pending = await this.logins.take(req, callback.state);
    this.checkIssuer(callback);
    if (callback.error !== undefined) throw this.refusalOf(callback, pending);
    if (callback.code === undefined) {
      throw new LoginFailure(
        'malformed_callback',
        400,
        'The callback brought no code. Start the login again.',
      );
    }
    const { body, text } = await this.requestToken('token', {
      ...parameterTexts(this.tokenParams(options)),
      grant_type: 'authorization_code',
      code: callback.code,
      redirect_uri: pending.callbackURL,
      ...(pending.secret !== undefined && { code_verifier: pending.secret }),
    });
    const params = body as TokenAnswer;
    const secrets = [callback.code, callback.state ?? '', pending.secret ?? '', ...secretsIn(params)];
    this.currentLogin = { pending, callback, params, text, secrets };
    const profile = await loadUnlessSkipped(settings.skipUserProfile, [params.access_token], (done) =>
      this.userProfile(params.access_token, done),
    );
    return verifyLogin(this.verify, settings, {
      req,
      token: params.access_token,
      refreshToken: textMember(params, 'refresh_token'),
      params,
      profile,
      pending,
      logins: this.logins,
    });
  }

  /**
   * Loads the person's profile with an access token.
   *
   * @param done - Called with a {@link ProviderError} or with the profile.
   */
  override userProfile(accessToken: string, done: (error?: unknown, profile?: Profile<P>) => void): void {
    this.loadProfile(accessToken, this.currentLogin).then(
      (profile) => done(null, profile),
      (error: unknown) => done(error),
    );
  }

  /** Parameters to add to the authorization request; those of the protocol cannot be replaced. */
  override authorizationParams(_options: OAuth2AuthenticateOptions): object {
    return {};
  }

  /** Parameters to add to the token request; those of the protocol cannot be replaced. */
  override tokenParams(_options: OAuth2AuthenticateOptions): object {
    return {};
  }

  /** Override it to make errors of your own from the token endpoint's answers; `null` leaves them to the strategy. */
  override parseErrorResponse(_body: string, _status: number): Error | null {
    return null;
  }

  /**
   * Asks the network who the token's owner is.
   *
   * @param login - The login at hand; absent when an application calls `userProfile` with a token of its own.
   */
  protected abstract loadProfile(accessToken: string, login: CurrentLogin | undefined): Promise<Profile<P>>;

  private requestToken(step: LoginStep, form: Record<string, string>): Promise<JSONAnswer> {
    const parseErrorResponse = (body: string, status: number) => this.parseErrorResponse(body, status);
    return requestToken(this.client, this.settings, this.network, { step, form, parseErrorResponse });
  }

  private scopeOf(options: OAuth2AuthenticateOptions): readonly string[] {
    if (options.scope === undefined) return this.settings.scope;
    return splitList(
      options.scope,
      () =>
        new TypeError(`${this.name}: the scope given to authenticate must be a text or an array of texts.`),
    );
  }

  /** RFC 9207: an answer that names its issuer must name the one that was asked. */
  private checkIssuer({ iss }: Callback): void {
    if (iss === undefined || iss === new URL(this.settings.authorizationURL).origin) return;
    throw new LoginFailure(
      'wrong_issuer',
      403,
      'This callback comes from another server than the one that was asked. Start the login again.',
    );
  }

  private refusalOf(callback: Callback, { secret = '' }: PendingLogin): Error {
    const { error = '', error_description, state = '' } = callback;
    if (error === 'access_denied') {
      return new LoginFailure('access_denied', 401, 'The person declined the login at the network.');
    }
    const secrets = [state, secret, this.settings.clientSecret ?? ''];
    const { remedies } = this.network;
    return new RefusedError({
      provider: this.name,
      step: 'authorization',
      networkCode: cleanText(error, secrets),
      networkMessage: cleanText(error_description, secrets),
      remedy: Object.hasOwn(remedies, error) ? remedies[error] : undefined,
    });
  }
}
