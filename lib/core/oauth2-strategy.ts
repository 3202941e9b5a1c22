import type { Request } from 'express';

import OAuth2Strategy = require('passport-oauth2');

import { absoluteCallbackURL, parameterTexts } from './addresses.js';
import { textMember } from './answer.js';
import { calledBack } from './app-callback.js';
import { authorizationCode } from './authorization-answer.js';
import { authorizationAddress, requestedScope } from './authorization-request.js';
import { type Callback, readCallback } from './callback.js';
import { NetworkClient } from './network-client.js';
import { secureOAuth2Client } from './oauth2-client.js';
import type {
  CurrentLogin,
  OAuth2AuthenticateOptions,
  OAuth2Network,
  OAuth2Settings,
  TokenAnswer,
} from './oauth2-network.js';
import { conclude, copyForRequest, type Outcome } from './outcome.js';
import type { StateLogins } from './pending-login.js';
import type { Profile } from './profile.js';
import { newSecret } from './proof.js';
import { hideMembers, showOnly } from './protected-client.js';
import { secretsIn } from './redaction.js';
import { keepPrivate } from './response.js';
import { stateLoginsOf } from './state-store.js';
import { TokenEndpoint } from './token-endpoint.js';
import type { Tokens } from './tokens.js';
import type { ErrorParser } from './transport.js';
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
export abstract class OAuth2LoginStrategy<P> extends OAuth2Strategy {
  /** The name under which Passport knows it, and `profile.provider`. */
  declare name: string;
  protected readonly settings: OAuth2Settings;
  protected readonly network: OAuth2Network;
  protected readonly client: NetworkClient;
  protected readonly logins: StateLogins;
  private readonly tokenEndpoint: TokenEndpoint;
  private readonly callbackParameters: readonly string[];
  /** What is asked with the token at other hosts than the token's. */
  private readonly earlyAddresses: readonly string[];
  private readonly verify: AnyVerify<never, string | undefined, never>;
  /** Only on a request's copy, from the exchange on. */
  declare protected currentLogin: CurrentLogin | undefined;

  /** @param secrets - What no error of the strategy may repeat, beside the client's secret. */
  constructor(
    settings: OAuth2Settings,
    network: OAuth2Network,
    verify: AnyVerify<never, string | undefined, never>,
    secrets: readonly string[] = [],
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
    this.client = new NetworkClient(settings.name, settings.transport, network.readRefusal, [
      clientSecret,
      ...Object.values(customHeaders),
      ...secrets,
    ]);
    this.callbackParameters = [...STANDARD_PARAMETERS, ...network.callbackParameters];
    // Where the profile may be left out, a connection for it would be for nothing.
    this.earlyAddresses = settings.skipUserProfile === false ? otherHosts(network, tokenURL) : [];
    this.verify = verify;
    this.logins = stateLoginsOf(settings);
    this.tokenEndpoint = new TokenEndpoint(this.client, settings, network);
    secureOAuth2Client(this._oauth2, settings.transport, (form) =>
      this.tokenEndpoint.request({ step: 'refresh', form, parseErrorResponse: this.errorParser() }),
    );
    hideMembers(settings, ['clientSecret', 'customHeaders', 'transport']);
    hideMembers(this, [
      'settings',
      'network',
      'client',
      'logins',
      'verify',
      'tokenEndpoint',
      'callbackParameters',
      'earlyAddresses',
    ]);
    const { callbackURL } = settings;
    showOnly(this, new.target.name, () => ({ name: this.name, clientID, authorizationURL, callbackURL }));
  }

  /** Starts a login, or finishes it when the request is a network's callback. Ends in one of Passport's actions. */
  override authenticate(req: Request, options: OAuth2AuthenticateOptions = {}): void {
    const attempt = copyForRequest(this);
    // Without a prototype: what somebody put on Object.prototype is no option.
    const own = Object.assign(Object.create(null), options) as typeof options;
    conclude(this, () => {
      keepPrivate(req);
      const callback = readCallback(req, this.callbackParameters, REQUIRED_PARAMETERS);
      if (!callback) return attempt.start(req, own);
      return attempt.finish(req, this.network.unpackCallback?.(callback) ?? callback, own);
    });
  }

  private async start(req: Request, options: OAuth2AuthenticateOptions): Promise<Outcome> {
    const { settings, network } = this;
    const callbackURL = absoluteCallbackURL(req, options.callbackURL ?? settings.callbackURL, settings.proxy);
    settings.warnOfCallback(callbackURL, req);
    const scope = requestedScope(settings, options);
    const verifier = network.codeChallenge === 'none' ? undefined : newSecret();
    const state = await this.logins.begin(req, {
      callbackURL,
      scope,
      ...(verifier !== undefined && { secret: verifier }),
      ...(options.state !== undefined && { state: options.state }),
    });
    const parameters = this.authorizationParams(options);
    const login = { callbackURL, scope, state, verifier, parameters };
    const url = authorizationAddress(settings, network, login);
    return { kind: 'redirect', url };
  }

  private async finish(
    req: Request,
    callback: Callback,
    options: OAuth2AuthenticateOptions,
  ): Promise<Outcome> {
    const { settings, network } = this;
    // Before anything of the callback is believed, and spent whatever comes next.
    const pending = await this.logins.take(req, callback.state);
    const code = authorizationCode(callback, settings, network, pending);
    for (const address of this.earlyAddresses) this.client.prepare(address);
    const { body, text } = await this.tokenEndpoint.request({
      step: 'token',
      form: {
        ...parameterTexts(this.tokenParams(options)),
        ...network.exchangeParameters?.(callback),
        grant_type: 'authorization_code',
        code,
        redirect_uri: pending.callbackURL,
        ...(pending.secret !== undefined && { code_verifier: pending.secret }),
      },
      secrets: () => [callback.state ?? ''],
      parseErrorResponse: this.errorParser(),
    });
    const params = network.completeTokenAnswer?.(body as TokenAnswer, callback) ?? (body as TokenAnswer);
    const currentLogin: CurrentLogin = {
      pending,
      callback,
      params,
      text,
      secrets: () => [code, callback.state ?? '', pending.secret ?? '', ...secretsIn(params)],
    };
    Object.defineProperty(this, 'currentLogin', { value: currentLogin, enumerable: false });
    const token = params.access_token;
    // The detour by a callback is for what an application puts there.
    const profile = await loadUnlessSkipped(settings.skipUserProfile, [token], () =>
      this.userProfile === OAuth2LoginStrategy.prototype.userProfile
        ? this.loadProfile(token, currentLogin)
        : calledBack('userProfile', (done) => this.userProfile(token, done)),
    );
    return verifyLogin(this.verify, settings, {
      req,
      token,
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

  /** @see {@link TokenEndpoint.refresh} */
  protected refreshTokens(
    refreshToken: string,
    extra: Record<string, string> = {},
    holder = '',
  ): Promise<Tokens> {
    return this.tokenEndpoint.refresh(refreshToken, extra, holder, this.errorParser());
  }

  /** @see {@link TokenEndpoint.revoke} */
  protected revokeAt(url: string, form: Record<string, string>): Promise<void> {
    return this.tokenEndpoint.revoke(url, form);
  }

  private errorParser(): ErrorParser {
    return (body, status) => this.parseErrorResponse(body, status);
  }
}

function otherHosts({ profileAddresses }: OAuth2Network, address: string): string[] {
  const { host } = new URL(address);
  return profileAddresses.filter((other) => new URL(other).host !== host);
}
