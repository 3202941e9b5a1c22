import { hash, randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { fromCallback, stringParameters, toCallback } from '../application-code.js';

import OAuth2Strategy = require('passport-oauth2');

import * as errors from '../errors/index.js';
import { hintOf, lookUp } from '../facts.js';
import * as http from '../http/index.js';
import {
  type AddressedRequest,
  type AnyVerify,
  type AuthorizationResponse,
  type LoginAuthenticateOptions,
  LoginFlow,
  type LoginNetwork,
  type LoginProtocol,
  type PendingLogin,
  requireVerify,
} from '../login/index.js';
import { type LoginSettings, list } from '../options/index.js';
import type { Profile } from '../profile.js';
import { replaceBaseClient } from './base-client.js';
import { type BroughtCode, type ExchangeOptions, readBroughtCode } from './brought-code.js';
import { scopeList, type TokenEndpointRules, type TokenResponse } from './token-endpoint.js';
import { type FirstTokens, type RefreshOptions, readTokens, TokenService, type Tokens } from './tokens.js';

export interface OAuth2Settings extends LoginSettings {
  readonly clientSecret: string | undefined;
  readonly tokenURL: string;
  readonly scope: readonly string[];
  readonly authorizationURL: string;
}

/** Encoding of the code verifier's SHA-256. The standard says base64url. */
export type ChallengeEncoding = 'base64url' | 'hex';

/** A network's deviations from the standard, and its choices where the standard leaves one. */
export interface OAuth2Network extends LoginNetwork, TokenEndpointRules {
  readonly scopeSeparator: ' ' | ',';
  /** Encoding of the PKCE code challenge; `none` where the network rejects PKCE. */
  readonly codeChallenge: ChallengeEncoding | 'none';
  /** Parameters of an authorization response beyond the standard ones. */
  readonly responseParameters: readonly string[];
  readonly unpackResponse?: (response: AuthorizationResponse) => AuthorizationResponse;
  /** Parameters of the authorization response that the token request repeats. @throws {@link LoginFailure} if one is missing */
  readonly tokenRequestParameters?: (response: AuthorizationResponse) => Readonly<Record<string, string>>;
  /** Adds to the token response what the application needs later. */
  readonly completeTokenResponse?: (params: TokenResponse, response: AuthorizationResponse) => TokenResponse;
}

/** A login whose token response has arrived. */
export interface CurrentLogin {
  readonly pending: Pick<PendingLogin, 'codeVerifier' | 'scope'>;
  readonly response: AuthorizationResponse;
  readonly params: TokenResponse;
  /** The token response's text, for IDs that are numbers. */
  readonly text: string;
  readonly transaction: http.Transaction;
}

/** What `strategy.exchange` resolves to. */
export interface ExchangedCode<P> {
  tokens: FirstTokens;
  profile: Profile<P>;
}

/** What `passport.authenticate(name, options)` accepts for all networks. */
export interface OAuth2AuthenticateOptions extends LoginAuthenticateOptions {
  /** Replaces the option of the same name for this login. */
  scope?: string | readonly string[];
}

const USER_PROFILE =
  'userProfile takes two arguments, (accessToken, done). In verify, params are the token response.';
const STANDARD_PARAMETERS = ['code', 'state', 'error', 'error_description', 'error_uri', 'iss'];
const REQUIRED_PARAMETERS = ['code', 'state', 'error'];

/**
 * The class between passport-oauth2 and the networks. It replaces the base class's `authenticate`, HTTP client and stores, and keeps the
 * methods that applications override: `authorizationParams` and `tokenParams` add parameters to the requests, and cannot replace those of the
 * protocol. No request state is kept on the strategy: requests run at the same time.
 */
export abstract class OAuth2LoginStrategy<P> extends OAuth2Strategy {
  /** The name under which Passport knows the strategy, and `profile.provider`. */
  declare name: string;
  protected readonly settings: OAuth2Settings;
  protected readonly network: OAuth2Network;
  protected readonly client: http.NetworkClient;
  protected readonly tokenEndpoint: TokenService;
  private readonly flow: LoginFlow;
  /** Set only on the copy whose overridden `userProfile` is called during a login. */
  declare protected currentLogin: CurrentLogin | undefined;

  constructor(settings: OAuth2Settings, network: OAuth2Network, verify: AnyVerify) {
    requireVerify(new.target.name, verify);
    const { name, authorizationURL, tokenURL, callbackURL, customHeaders } = settings;
    const { clientID, clientSecret = '' } = settings;
    // A session key, because the base class would otherwise call url.parse, which Node deprecates.
    const base = { authorizationURL, tokenURL, clientID, clientSecret, customHeaders, sessionKey: name };
    super(base, verify as OAuth2Strategy.VerifyFunction);
    this.name = name;
    this.settings = settings;
    this.network = network;
    const owner = { clientID, authorizationURL };
    this.flow = new LoginFlow(settings, verify, network, owner, {
      names: [...STANDARD_PARAMETERS, ...network.responseParameters],
      required: REQUIRED_PARAMETERS,
      keys: ['state'],
      unpack: network.unpackResponse,
    });
    this.client = this.flow.client;
    this.tokenEndpoint = new TokenService(this.client, settings, network, (body, status) =>
      this.parseErrorResponse(body, status),
    );
    replaceBaseClient(this._oauth2, clientID, this.client, this.tokenEndpoint);
    errors.hideSecrets(network, ['secrets']);
    errors.inspectAs(this, new.target.name, () => ({ name: this.name, ...owner, callbackURL }));
  }

  /** Starts a login, or finishes it if the request carries an authorization response. Ends by calling one of Passport's actions. */
  override authenticate(req: Request, options: OAuth2AuthenticateOptions = {}): void {
    this.flow.run(this, req, options, this.steps);
  }

  /**
   * Starts a login without a redirect, for a `fetch` by POST from a page of the application, such as for a network's own button. The callback route
   * finishes it.
   *
   * @returns The URL that `authenticate` would redirect to.
   * @throws {@link LoginFailure} `not_a_navigation`, 403, for any other request; `no_room`, 431; `malformed_request`, 400.
   */
  async authorizationRequest(req: AddressedRequest, options: OAuth2AuthenticateOptions = {}): Promise<URL> {
    return this.flow.startFor(req, options, this.steps);
  }

  private get steps(): LoginProtocol {
    return {
      // The authorization request (RFC 6749 section 4.1.1, with PKCE: RFC 7636 section 4.3, method S256).
      begin: (redirectURI, options: OAuth2AuthenticateOptions) => {
        const { settings, network } = this;
        const refuse = (problem: string): never => {
          throw new TypeError(`${settings.name}: the scope given to authenticate ${problem}.`);
        };
        // As in passport-oauth2, '' and null mean "left out".
        const scope = (options.scope && list(options.scope, refuse)) || settings.scope;
        const { codeChallenge } = network;
        const codeVerifier = codeChallenge === 'none' ? undefined : randomSecret();
        const state = randomSecret();
        const url = http.withQuery(settings.authorizationURL, {
          ...stringParameters(this.authorizationParams(options)),
          response_type: 'code',
          [network.clientParameter]: settings.clientID,
          redirect_uri: redirectURI,
          scope: scope.join(network.scopeSeparator) || undefined,
          state,
          code_challenge:
            codeVerifier && hash('sha256', codeVerifier, codeChallenge === 'hex' ? 'hex' : 'base64url'),
          code_challenge_method: codeVerifier && 'S256',
        });
        const isUsual = scope.join() === settings.scope.join();
        return { key: state, url, codeVerifier, scope: isUsual ? undefined : scope };
      },
      prepareExchange: (response, pending, redirectURI, options) => {
        const form = this.tokenRequest(response, pending.codeVerifier, redirectURI, options);
        return () => this.requestTokens(form, response, pending);
      },
    };
  }

  /**
   * Trades a code that an app on a phone, or a network's SDK, brings, for tokens and profile. Starts no session and calls no verify. The code is sent
   * to the network once. The application must see to it that the code comes from the app that began the login, over https and with its verifier.
   *
   * @throws TypeError for a redirect URI that is no absolute URL, and with VK's classic protocol unless `withoutVerifier` is `true`.
   * @throws {@link LoginFailure} `malformed_response`, 400, for a code, verifier or device ID that cannot be one; `used_login`, 403.
   * @throws {@link ProviderError} if the network issues no tokens or no profile; `means` of a refusal is `code spent` for another login's code.
   */
  async exchange(brought: BroughtCode, options: ExchangeOptions = {}): Promise<ExchangedCode<P>> {
    const { codeVerifier, redirectURI } = brought;
    const hasPKCE = this.network.codeChallenge !== 'none';
    // No prototype: a property added to Object.prototype must not switch the check off.
    const own = { __proto__: null, ...options };
    const parameters = readBroughtCode(brought, own, this.settings.name, hasPKCE);
    const response = { ...parameters, state: randomSecret() };
    const form = this.tokenRequest(response, codeVerifier, redirectURI);
    await this.flow.logins.useCode(response.code);
    const { params, loadProfile } = await this.requestTokens(form, response, { codeVerifier });
    return { tokens: readTokens({ ...params }), profile: (await loadProfile()) as Profile<P> };
  }

  /**
   * Trades a refresh token for new tokens. Store the new refresh token: the old one may have stopped working.
   *
   * @param options - `userID` is compared with the user whom the response names, if the network names one.
   * @throws {@link ProviderError} if the network issues no tokens; `tokenSpent` of a refusal says whether the user must log in again.
   */
  async refresh(refreshToken: string, options: RefreshOptions = {}): Promise<Tokens> {
    return this.tokenEndpoint.refresh(refreshToken, options);
  }

  /** The token request for the code of an authorization response (RFC 6749 section 4.1.3), without the client's credentials. */
  private tokenRequest(
    response: AuthorizationResponse,
    codeVerifier: string | undefined,
    redirectURI: string,
    options: OAuth2AuthenticateOptions = {},
  ): http.Form {
    const code = this.authorizationCode(response, codeVerifier);
    return {
      ...stringParameters(this.tokenParams(options)),
      ...this.network.tokenRequestParameters?.(response),
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectURI,
      code_verifier: codeVerifier,
    };
  }

  /** The code of an authorization response. @throws {@link LoginFailure}; {@link RefusedError} for any other error than the user declining. */
  private authorizationCode(
    { iss, error, error_description, state = '', code }: AuthorizationResponse,
    codeVerifier = '',
  ): string {
    // RFC 9207: a response that names its issuer must name the one that was asked.
    if (iss !== undefined && iss !== new URL(this.settings.authorizationURL).origin) {
      const message = 'This callback comes from a different server than the one that was asked.';
      throw new errors.LoginFailure('wrong_issuer', `${message} Start the login again.`);
    }
    if (error !== undefined) {
      const secrets = [...this.flow.secrets, codeVerifier, state, code ?? ''];
      const networkMessage = errors.cleanText(error_description, secrets);
      const step = 'authorization';
      // Anyone can write the URL, so only a known code counts, and words do not.
      const rows = this.network.facts.errorRows.filter((row) => row.code !== undefined);
      const known = lookUp(rows, { code: error, description: error_description, step });
      if (known?.means === 'user declined') {
        const message = 'The user declined the login at the network.';
        throw new errors.LoginFailure('access_denied', message, networkMessage);
      }
      throw new errors.RefusedError({
        provider: this.name,
        step,
        networkCode: errors.cleanIdentifier(error, secrets),
        networkMessage,
        means: known?.means,
        hint: known && hintOf(known),
      });
    }
    if (code !== undefined) return code;
    throw new errors.LoginFailure('malformed_response', 'The callback has no code. Start the login again.');
  }

  private async requestTokens(
    form: http.Form,
    response: AuthorizationResponse,
    pending: CurrentLogin['pending'],
  ) {
    const transaction = new http.Transaction(response.state, pending.codeVerifier);
    const { settings, network } = this;
    const answer = await this.tokenEndpoint.request('token', form, transaction);
    const received = answer.body as TokenResponse;
    const params = network.completeTokenResponse?.(received, response) ?? received;
    const current: CurrentLogin = { pending, response, params, text: answer.text, transaction };
    const token = params.access_token;
    return {
      credentials: [token] as const,
      refreshToken: http.stringProperty(params, 'refresh_token'),
      params,
      loadProfile: () => {
        // Only an overridden `userProfile` needs the callback form. It calls the inherited one with the token alone, on a copy that knows its login.
        if (this.userProfile === OAuth2LoginStrategy.prototype.userProfile)
          return this.loadProfile(token, current);
        if (this.userProfile.length > 2) throw new TypeError(`${this.name}: ${USER_PROFILE}`);
        const copy = Object.create(this, { currentLogin: { value: current } }) as this;
        return fromCallback('userProfile', (done) => copy.userProfile(token, done), settings);
      },
      requireUser: () => {
        const id = network.userOf?.(answer);
        // What verify reads there. A number can be another one, rounded.
        const isThere = Object.values(answer.body).some(
          (value) => !http.isObject(value) && String(value) === id,
        );
        if (network.userOf && !isThere)
          throw errors.identifierError(settings.name, 'token', 'identifier_missing', 'no ID of the user');
      },
    };
  }

  /** Loads the user's profile with an access token. @param done - Called with a {@link ProviderError} or with the profile. */
  override userProfile(accessToken: string, done: (error?: unknown, profile?: Profile<P>) => void): void {
    if (typeof done !== 'function') throw new TypeError(`${this.name}: ${USER_PROFILE}`);
    toCallback(this.loadProfile(accessToken, this.currentLogin), done);
  }

  /** Parameters to add to the token request. Protocol parameters cannot be replaced. */
  override tokenParams(_options: OAuth2AuthenticateOptions): object {
    return {};
  }

  /** Override this to turn error responses of the token endpoint into your own errors; `null` leaves them to the strategy. */
  override parseErrorResponse(_body: string, _status: number): Error | null {
    return null;
  }

  /** What the check before the first login needs. @hidden */
  [errors.checked]() {
    const { settings, network, client } = this;
    const tokenRequest = this.tokenRequest.bind(this);
    return { protocol: 'OAuth 2.0', settings, network, client, tokenRequest } as const;
  }

  /** Asks the network who owns the token. @param login - Absent if an application calls `userProfile` with a token of its own. */
  protected abstract loadProfile(accessToken: string, login: CurrentLogin | undefined): Promise<Profile<P>>;

  /** The scopes of a login: those that the token response names, otherwise those that were requested. */
  protected grantedScopes(login: CurrentLogin | undefined): readonly string[] {
    const granted = http.stringProperty(login?.params, 'scope');
    return granted === undefined ? (login?.pending.scope ?? this.settings.scope) : scopeList(granted);
  }

  protected requestProfile(
    request: Pick<http.NetworkRequest, 'url'> & Partial<http.NetworkRequest>,
    accessToken: string,
    login: CurrentLogin | undefined,
  ): Promise<http.JSONResponse> {
    const transaction = login?.transaction ?? new http.Transaction();
    // An overridden `userProfile` may pass another token than the login's.
    if (accessToken !== login?.params.access_token) transaction.hide(accessToken);
    return this.client.requestJSON({
      step: 'profile',
      method: 'GET',
      headers: { authorization: `Bearer ${accessToken}` },
      transaction,
      ...request,
    });
  }
}

/** A new unguessable string of 256 bits, for states and code verifiers: 43 letters, digits, `-` and `_`. @see RFC 6749 section 10.10, RFC 7636 section 7.1 */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}
