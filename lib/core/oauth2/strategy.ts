import { hash } from 'node:crypto';
import type { Request } from 'express';

import OAuth2Strategy = require('passport-oauth2');

import { type CheckedStrategy, type CredentialsAttempt, checked } from '../checked.js';
import {
  cleanIdentifier,
  cleanText,
  hideProperties,
  inspectAs,
  LoginFailure,
  RefusedError,
  Secrets,
} from '../errors/index.js';
import {
  hintFor,
  type JSONResponse,
  NetworkClient,
  type NetworkRequest,
  stringParameters,
  stringProperty,
  withQuery,
} from '../http/index.js';
import {
  type AnyVerify,
  type AuthorizationResponse,
  callVerify,
  fromCallback,
  isLink,
  keepPrivate,
  loadUnlessSkipped,
  type Outcome,
  type PendingLogin,
  PendingLogins,
  randomSecret,
  readAuthorizationResponse,
  settle,
  toCallback,
} from '../login/index.js';
import { splitList } from '../options/index.js';
import type { Profile } from '../profile.js';
import { replaceBaseClient } from './base-client.js';
import type {
  ChallengeEncoding,
  CurrentLogin,
  OAuth2AuthenticateOptions,
  OAuth2Network,
  OAuth2Settings,
  TokenResponse,
} from './network.js';
import { scopeList, TokenEndpoint } from './token-endpoint.js';

const STANDARD_PARAMETERS = ['code', 'state', 'error', 'error_description', 'error_uri', 'iss'];
const REQUIRED_PARAMETERS = ['code', 'state', 'error'];

/**
 * The class between passport-oauth2 and the networks. It replaces the base class's `authenticate`, HTTP client and stores, and keeps the
 * methods that applications override (`userProfile`, `authorizationParams`, `tokenParams`, `parseErrorResponse`).
 *
 * No request state is kept on the strategy: requests run at the same time.
 */
export abstract class OAuth2LoginStrategy<P> extends OAuth2Strategy {
  /** The name under which Passport knows the strategy, and `profile.provider`. */
  declare name: string;
  protected readonly settings: OAuth2Settings;
  protected readonly network: OAuth2Network;
  protected readonly client: NetworkClient;
  protected readonly tokenEndpoint: TokenEndpoint;
  private readonly logins: PendingLogins;
  private readonly verify: AnyVerify;
  /** Set only on the copy whose overridden `userProfile` is called during a login. */
  declare protected currentLogin: CurrentLogin | undefined;

  constructor(settings: OAuth2Settings, network: OAuth2Network, verify: AnyVerify) {
    if (typeof verify !== 'function') {
      const { name } = new.target;
      throw new TypeError(
        `${name}: the second argument must be a verify function: new ${name}(options, verify).`,
      );
    }
    const { name, authorizationURL, tokenURL, callbackURL, clientID, clientSecret = '' } = settings;
    const { agent, timeout, customHeaders, sessionKey } = settings;
    // Without a session key the base class would call url.parse, which Node deprecates.
    const base = { authorizationURL, tokenURL, clientID, clientSecret, customHeaders, sessionKey };
    super(base, verify as OAuth2Strategy.VerifyFunction);
    this.name = name;
    this.settings = settings;
    this.network = network;
    this.verify = verify;
    const owner = { strategy: name, clientID, authorizationURL };
    this.logins = new PendingLogins(settings.store, owner, settings.stateLimit);
    this.client = new NetworkClient({
      provider: name,
      agent,
      timeout,
      customHeaders,
      shareConnections: settings.shareConnections,
      errorResponses: network.errorResponses,
      secrets: [clientSecret, ...Object.values(customHeaders), ...(network.secrets ?? [])],
    });
    this.tokenEndpoint = new TokenEndpoint(this.client, settings, network, (body, status) =>
      this.parseErrorResponse(body, status),
    );
    replaceBaseClient(this._oauth2, clientID, this.client, (step, form) =>
      this.tokenEndpoint.request(step, form),
    );
    hideProperties(settings, ['clientSecret', 'customHeaders', 'agent', 'store']);
    hideProperties(network, ['secrets']);
    hideProperties(this, ['settings', 'network', 'client', 'tokenEndpoint', 'logins', 'verify']);
    inspectAs(this, new.target.name, () => ({ name: this.name, clientID, authorizationURL, callbackURL }));
  }

  /** Starts a login, or finishes it if the request carries an authorization response. Ends by calling one of Passport's actions. */
  override authenticate(req: Request, options: OAuth2AuthenticateOptions = {}): void {
    // No prototype, so that a property added to Object.prototype is not taken for an option.
    const given = Object.assign(Object.create(null), options) as typeof options;
    settle(this, req, () => {
      keepPrivate(req);
      const { responseParameters, unpackResponse } = this.network;
      const parameters = [...STANDARD_PARAMETERS, ...responseParameters];
      const response = readAuthorizationResponse(req, parameters, REQUIRED_PARAMETERS);
      if (!response) return this.start(req, given);
      return this.finish(req, unpackResponse?.(response) ?? response, given);
    });
  }

  /** Sends the user to the network (RFC 6749 section 4.1.1, with PKCE: RFC 7636 section 4.3). */
  private async start(req: Request, options: OAuth2AuthenticateOptions): Promise<Outcome> {
    const { settings, network } = this;
    const { callbackURL, isRelative } = settings.redirectURI.resolve(
      req,
      options.callbackURL ?? settings.callbackURL,
    );
    const scope =
      options.scope === undefined
        ? settings.scope
        : splitList(options.scope, () => wrongScope(settings.name));
    const verifier = network.codeChallenge === 'none' ? undefined : randomSecret();
    const state = await this.logins.begin(req, {
      callbackURL,
      ...(isRelative && { isRelative }),
      scope,
      ...(verifier !== undefined && { secret: verifier }),
      ...(options.state !== undefined && { state: options.state }),
    });
    const url = withQuery(settings.authorizationURL, {
      ...stringParameters(this.authorizationParams(options)),
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

  /** Takes the pending login of an authorization response, and completes it. */
  private async finish(
    req: Request,
    response: AuthorizationResponse,
    options: OAuth2AuthenticateOptions,
  ): Promise<Outcome> {
    const { settings, network } = this;
    // Taken before anything in the response is trusted. The pending login is used up, whatever happens next.
    const pending = await this.logins.take(req, response.state, isLink(options));
    settings.redirectURI.requireSameHost(req, pending);
    const code = authorizationCode(response, settings, network, pending);
    return this.logins.complete(req, isLink(options), () =>
      this.exchange(req, code, pending, response, options),
    );
  }

  /** Turns the code into a user: token request, profile, verify. */
  private async exchange(
    req: Request,
    code: string,
    pending: PendingLogin,
    response: AuthorizationResponse,
    options: OAuth2AuthenticateOptions,
  ): Promise<Outcome> {
    const { settings, network } = this;
    const form = {
      ...stringParameters(this.tokenParams(options)),
      ...network.tokenRequestParameters?.(response),
      grant_type: 'authorization_code',
      code,
      redirect_uri: pending.callbackURL,
      ...(pending.secret !== undefined && { code_verifier: pending.secret }),
    };
    await this.logins.use(pending);
    const secrets = new Secrets(response.state, pending.secret);
    this.preconnect(secrets);
    const { body, text } = await this.tokenEndpoint.request('token', form, secrets);
    const received = body as TokenResponse;
    const params = network.completeTokenResponse?.(received, response) ?? received;
    const login: CurrentLogin = { pending, response, params, text, secrets };
    const token = params.access_token;
    const profile = await loadUnlessSkipped(settings.skipUserProfile, [token], () =>
      // Only an overridden `userProfile` needs the callback form.
      this.userProfile === OAuth2LoginStrategy.prototype.userProfile
        ? this.loadProfile(token, login)
        : fromCallback('userProfile', (done) => this.during(login).userProfile(token, done)),
    );
    return callVerify(this.verify, settings, {
      req,
      token,
      refreshToken: stringProperty(params, 'refresh_token'),
      params,
      profile,
      state: pending.state,
      beforeLogin: () => this.logins.beforeLogin(req),
    });
  }

  /** A copy of the strategy that knows its login: an overridden `userProfile` calls the inherited one with the token alone. */
  private during(login: CurrentLogin): this {
    return Object.create(this, { currentLogin: { value: login } }) as this;
  }

  /** Opens connections to the profile hosts while the token is requested, unless the profile may be skipped. */
  private preconnect(secrets: Secrets): void {
    const { tokenURL, skipUserProfile } = this.settings;
    if (skipUserProfile !== false) return;
    const { host } = new URL(tokenURL);
    for (const url of this.network.profileURLs) {
      if (new URL(url).host !== host) this.client.preconnect(url, secrets);
    }
  }

  /**
   * Loads the user's profile with an access token.
   *
   * @param done - Called with a {@link ProviderError} or with the profile.
   */
  override userProfile(accessToken: string, done: (error?: unknown, profile?: Profile<P>) => void): void {
    const loading = this.loadProfile(accessToken, this.currentLogin);
    toCallback<[Profile<P>]>(
      loading.then((profile) => [profile]),
      done,
    );
  }

  /** Parameters to add to the authorization request. Protocol parameters cannot be replaced. */
  override authorizationParams(_options: OAuth2AuthenticateOptions): object {
    return {};
  }

  /** Parameters to add to the token request. Protocol parameters cannot be replaced. */
  override tokenParams(_options: OAuth2AuthenticateOptions): object {
    return {};
  }

  /** Override this to turn error responses of the token endpoint into your own errors; `null` leaves them to the strategy. */
  override parseErrorResponse(_body: string, _status: number): Error | null {
    return null;
  }

  /** @hidden */
  [checked](): CheckedStrategy {
    const { name, settings, network, client } = this;
    const { clientID, clientSecret, callbackURL, tokenURL, timeout, skipUserProfile } = settings;
    return {
      name,
      credentials: { clientID, secret: clientSecret ?? network.secrets?.[0] },
      callbackURL,
      urls: [tokenURL, ...(skipUserProfile === true ? [] : network.profileURLs)],
      agent: client.agent,
      timeout,
      tryCredentials: async (attempt) => {
        const { request, form } = unknownLogin(settings, network, attempt);
        // An application's own error would hide the network's response.
        const endpoint = new TokenEndpoint(client, request, network, () => null);
        // The client ID too: it is a secret if the two were swapped.
        const secrets = new Secrets(attempt.credentials.clientID, attempt.credentials.secret);
        await endpoint.request('token', { ...stringParameters(this.tokenParams({})), ...form }, secrets);
      },
    };
  }

  /**
   * Asks the network who owns the token.
   *
   * @param login - The current login; absent if an application calls `userProfile` with a token of its own.
   */
  protected abstract loadProfile(accessToken: string, login: CurrentLogin | undefined): Promise<Profile<P>>;

  /** The scopes of a login: those that the token response names, otherwise those that were requested. */
  protected grantedScopes(login: CurrentLogin | undefined): readonly string[] {
    const granted = stringProperty(login?.params, 'scope');
    return granted === undefined ? (login?.pending.scope ?? this.settings.scope) : scopeList(granted);
  }

  /** Sends a profile request with the token in the `Authorization` header. */
  protected requestProfile(
    request: Pick<NetworkRequest, 'url'> & Partial<NetworkRequest>,
    accessToken: string,
    login: CurrentLogin | undefined,
  ): Promise<JSONResponse> {
    const secrets = login?.secrets ?? new Secrets();
    // An overridden `userProfile` may pass another token than the login's.
    secrets.add(accessToken);
    return this.client.requestJSON({
      step: 'profile',
      method: 'GET',
      headers: { authorization: `Bearer ${accessToken}` },
      secrets,
      ...request,
    });
  }
}

/** The token request of a login that nobody began. */
function unknownLogin(
  settings: OAuth2Settings,
  network: OAuth2Network,
  { credentials, callbackURL, code }: CredentialsAttempt,
): { request: OAuth2Settings; form: Record<string, string> } {
  const { clientID, secret } = credentials;
  const clientSecret = settings.clientSecret === undefined ? undefined : secret;
  const names = ['state', ...network.responseParameters];
  const response = Object.fromEntries(names.map((name) => [name, randomSecret()]));
  const form: Record<string, string> = {
    ...network.tokenRequestParameters?.(response),
    grant_type: 'authorization_code',
    code,
    redirect_uri: callbackURL,
    ...(network.codeChallenge !== 'none' && { code_verifier: randomSecret() }),
  };
  for (const [name, value] of Object.entries(form)) {
    if (secret !== undefined && network.secrets?.includes(value)) form[name] = secret;
  }
  return { request: { ...settings, clientID, clientSecret }, form };
}

/** The PKCE code challenge of a verifier, method S256. @see RFC 7636 section 4.2 */
export function codeChallenge(verifier: string, encoding: ChallengeEncoding): string {
  return hash('sha256', verifier, encoding);
}

function wrongScope(strategy: string): TypeError {
  return new TypeError(
    `${strategy}: the scope given to authenticate must be a string or an array of strings.`,
  );
}

/**
 * The code of an authorization response. Call this only after the pending login was taken: anyone can make up the response's URL.
 *
 * @throws {@link LoginFailure} `wrong_issuer`, `access_denied` or `malformed_response`.
 * @throws {@link RefusedError} for any error other than the user declining.
 */
function authorizationCode(
  response: AuthorizationResponse,
  settings: OAuth2Settings,
  { errorResponses }: OAuth2Network,
  pending: PendingLogin,
): string {
  const { iss, error, error_description, state = '', code } = response;
  // RFC 9207: a response that names its issuer must name the one that was asked.
  if (iss !== undefined && iss !== new URL(settings.authorizationURL).origin) {
    throw new LoginFailure(
      'wrong_issuer',
      403,
      'This callback comes from a different server than the one that was asked. Start the login again.',
    );
  }
  if (error === 'access_denied') {
    throw new LoginFailure('access_denied', 401, 'The user declined the login at the network.');
  }
  if (error !== undefined) {
    const secrets = [settings.clientSecret ?? '', pending.secret ?? '', state, code ?? ''];
    throw new RefusedError({
      provider: settings.name,
      step: 'authorization',
      networkCode: cleanIdentifier(error, secrets),
      networkMessage: cleanText(error_description, secrets),
      hint: hintFor(error, 'authorization', errorResponses.hints),
    });
  }
  if (code !== undefined) return code;
  throw new LoginFailure('malformed_response', 400, 'The callback has no code. Start the login again.');
}
