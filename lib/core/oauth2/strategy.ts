import { hash, randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { fromCallback, stringParameters, toCallback } from '../application-code.js';

import OAuth2Strategy = require('passport-oauth2');

import { type CheckedStrategy, checked } from '../checked.js';
import {
  cleanIdentifier,
  cleanText,
  hideSecrets,
  inspectAs,
  LoginFailure,
  RefusedError,
} from '../errors/index.js';
import { hintOf, lookUp } from '../facts.js';
import {
  type JSONResponse,
  NetworkClient,
  type NetworkRequest,
  stringProperty,
  Transaction,
  withQuery,
} from '../http/index.js';
import {
  type AnyVerify,
  type AuthorizationResponse,
  type IssuedTokens,
  LoginFlow,
  type LoginStart,
  type PendingLogin,
  requireVerify,
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
import { type Form, scopeList, TokenEndpoint } from './token-endpoint.js';

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
    this.flow = new LoginFlow(
      settings,
      verify,
      { clientID, authorizationURL },
      {
        names: [...STANDARD_PARAMETERS, ...network.responseParameters],
        required: REQUIRED_PARAMETERS,
        keys: ['state'],
        unpack: network.unpackResponse,
      },
    );
    const errorResponses = { read: network.readErrorResponse, rows: network.facts.errorRows };
    this.client = new NetworkClient({ ...settings, errorResponses, secrets: secretsOf(settings, network) });
    this.tokenEndpoint = new TokenEndpoint(this.client, settings, network, (body, status) =>
      this.parseErrorResponse(body, status),
    );
    replaceBaseClient(this._oauth2, clientID, this.client, (step, form) =>
      this.tokenEndpoint.request(step, form),
    );
    hideSecrets(settings, ['clientSecret', 'keySecret', 'customHeaders', 'agent', 'store']);
    hideSecrets(network, ['secrets']);
    inspectAs(this, new.target.name, () => ({ name: this.name, clientID, authorizationURL, callbackURL }));
  }

  /** Starts a login, or finishes it if the request carries an authorization response. Ends by calling one of Passport's actions. */
  override authenticate(req: Request, options: OAuth2AuthenticateOptions = {}): void {
    this.flow.run(this, req, options, {
      options: this.network.authenticateOptions ?? [],
      begin: (redirectURI, given) => this.begin(redirectURI, given),
      prepareExchange: (response, pending, redirectURI, given) => {
        const form = this.tokenRequest(response, pending, redirectURI, given);
        return () => this.exchange(form, response, pending);
      },
    });
  }

  /** The authorization request (RFC 6749 section 4.1.1, with PKCE: RFC 7636 section 4.3). */
  private begin(redirectURI: string, options: OAuth2AuthenticateOptions): LoginStart {
    const { settings, network } = this;
    // As in passport-oauth2, '' and null mean "left out".
    const scope = options.scope
      ? splitList(options.scope, () => {
          const problem = 'the scope given to authenticate must be a string or an array of strings.';
          return new TypeError(`${settings.name}: ${problem}`);
        })
      : settings.scope;
    const codeVerifier = network.codeChallenge === 'none' ? undefined : randomSecret();
    const state = randomSecret();
    const url = withQuery(settings.authorizationURL, {
      ...stringParameters(this.authorizationParams(options)),
      response_type: 'code',
      [network.clientParameter]: settings.clientID,
      redirect_uri: redirectURI,
      ...(scope.length > 0 && { scope: scope.join(network.scopeSeparator) }),
      state,
      ...(codeVerifier !== undefined && {
        code_challenge: codeChallenge(codeVerifier, network.codeChallenge === 'hex' ? 'hex' : 'base64url'),
        code_challenge_method: 'S256',
      }),
    });
    return {
      key: state,
      url,
      ...(codeVerifier !== undefined && { codeVerifier }),
      ...(scope.join() !== settings.scope.join() && { scope }),
    };
  }

  /** The token request for the code of an authorization response (RFC 6749 section 4.1.3), without the client's credentials. */
  private tokenRequest(
    response: AuthorizationResponse,
    { codeVerifier }: PendingLogin,
    redirectURI: string,
    options: OAuth2AuthenticateOptions,
  ): Form {
    const { settings, network } = this;
    const code = authorizationCode(response, settings, network, codeVerifier);
    return {
      ...stringParameters(this.tokenParams(options)),
      ...network.tokenRequestParameters?.(response),
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectURI,
      ...(codeVerifier !== undefined && { code_verifier: codeVerifier }),
    };
  }

  private async exchange(
    form: Form,
    response: AuthorizationResponse,
    pending: PendingLogin,
  ): Promise<IssuedTokens> {
    const transaction = new Transaction(response.state, pending.codeVerifier);
    const { body, text } = await this.tokenEndpoint.request('token', form, transaction);
    const received = body as TokenResponse;
    const params = this.network.completeTokenResponse?.(received, response) ?? received;
    const login: CurrentLogin = { pending, response, params, text, transaction };
    const token = params.access_token;
    return {
      credentials: [token],
      refreshToken: stringProperty(params, 'refresh_token'),
      params,
      loadProfile: () =>
        // Only an overridden `userProfile` needs the callback form.
        this.userProfile === OAuth2LoginStrategy.prototype.userProfile
          ? this.loadProfile(token, login)
          : fromCallback('userProfile', (done) => this.during(login).userProfile(token, done), this.settings),
    };
  }

  /** A copy of the strategy that knows its login: an overridden `userProfile` calls the inherited one with the token alone. */
  private during(login: CurrentLogin): this {
    return Object.create(this, { currentLogin: { value: login } }) as this;
  }

  /**
   * Loads the user's profile with an access token.
   *
   * @param done - Called with a {@link ProviderError} or with the profile.
   */
  override userProfile(accessToken: string, done: (error?: unknown, profile?: Profile<P>) => void): void {
    toCallback(this.loadProfile(accessToken, this.currentLogin), done);
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
    const { settings, network, client } = this;
    const { name, clientID, clientSecret, timeout, redirectURI, callbackURL, tokenURL } = settings;
    return {
      name,
      timeout,
      facts: network.facts,
      protocol: 'OAuth 2.0',
      isCodeBound: network.codeChallenge !== 'none',
      credentials: { clientID, secret: clientSecret ?? network.secrets?.[0] },
      callbackURL,
      redirectURI: (given = callbackURL) => redirectURI.withoutRequest(given),
      urls: [tokenURL, ...(settings.skipUserProfile === true ? [] : network.profileURLs)],
      agent: client.agent,
      tryCredentials: async ({ clientID: triedID, secret }, sentURI) => {
        const triedSecret = clientSecret === undefined ? undefined : secret;
        const tried = { ...settings, clientID: triedID, clientSecret: triedSecret };
        const endpoint = new TokenEndpoint(client, tried, network, () => null);
        const names = ['state', ...network.responseParameters];
        const response = Object.fromEntries(names.map((parameter) => [parameter, randomSecret()]));
        const form: Record<string, string> = {
          ...stringParameters(this.tokenParams({})),
          ...network.tokenRequestParameters?.(response),
          grant_type: 'authorization_code',
          code: network.facts.inventCode?.(randomSecret()) ?? randomSecret(),
          redirect_uri: sentURI,
          ...(network.codeChallenge !== 'none' && { code_verifier: randomSecret() }),
        };
        for (const [parameter, value] of Object.entries(form)) {
          if (secret !== undefined && network.secrets?.includes(value)) form[parameter] = secret;
        }
        // The client ID too: it is a secret if the two were swapped.
        await endpoint.request('token', form, new Transaction(triedID, secret));
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
    const transaction = login?.transaction ?? new Transaction();
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

/**
 * A new unguessable string of 256 bits: 43 letters, digits, `-` and `_`, for states and code verifiers.
 *
 * Networks ask for at least 32 of these characters, allow no others, and at most 500.
 * @see RFC 6749 section 10.10, RFC 7636 section 7.1
 */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The PKCE code challenge of a verifier, method S256. @see RFC 7636 section 4.2 */
export function codeChallenge(verifier: string, encoding: ChallengeEncoding): string {
  return hash('sha256', verifier, encoding);
}

/** Secrets that no error may show. */
const secretsOf = (
  { keySecret, clientSecret, customHeaders }: OAuth2Settings,
  { secrets = [] }: OAuth2Network,
): string[] =>
  [keySecret, clientSecret, ...Object.values(customHeaders), ...secrets].filter(
    (secret) => secret !== undefined,
  );

/**
 * The code of an authorization response.
 *
 * @throws {@link LoginFailure} `wrong_issuer`, `access_denied` or `malformed_response`.
 * @throws {@link RefusedError} for any error other than the user declining.
 */
function authorizationCode(
  response: AuthorizationResponse,
  settings: OAuth2Settings,
  network: OAuth2Network,
  codeVerifier = '',
): string {
  const { iss, error, error_description, state = '', code } = response;
  // RFC 9207: a response that names its issuer must name the one that was asked.
  if (iss !== undefined && iss !== new URL(settings.authorizationURL).origin) {
    throw new LoginFailure(
      'wrong_issuer',
      'This callback comes from a different server than the one that was asked. Start the login again.',
    );
  }
  if (error !== undefined) {
    const secrets = [...secretsOf(settings, network), codeVerifier, state, code ?? ''];
    const networkMessage = cleanText(error_description, secrets);
    const refusal = {
      code: error,
      description: error_description,
      step: 'authorization',
      status: 400,
    } as const;
    // Anyone can write the URL, so only a known code counts, and words do not.
    const known = lookUp(
      network.facts.errorRows.filter(({ code: own }) => own !== undefined),
      refusal,
    );
    const { means } = known ?? {};
    if (means === 'user declined') {
      throw new LoginFailure('access_denied', 'The user declined the login at the network.', networkMessage);
    }
    const networkCode = cleanIdentifier(error, secrets);
    const { name: provider } = settings;
    throw new RefusedError({
      provider,
      ...refusal,
      networkCode,
      networkMessage,
      means,
      hint: known && hintOf(known),
    });
  }
  if (code !== undefined) return code;
  throw new LoginFailure('malformed_response', 'The callback has no code. Start the login again.');
}
