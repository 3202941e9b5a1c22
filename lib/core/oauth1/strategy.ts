import type { Request } from 'express';
import { fromCallback, stringParameters, toCallback } from '../application-code.js';
import { type CheckedStrategy, checked } from '../checked.js';
import {
  hideSecrets,
  inspectAs,
  LoginFailure,
  MalformedError,
  type ReadErrorResponse,
  unreadable,
} from '../errors/index.js';
import type { ProtocolFacts } from '../facts.js';
import { formDecode, NetworkClient, Transaction, withQuery } from '../http/index.js';
import {
  type AnyVerify,
  type AuthorizationResponse,
  type IssuedTokens,
  LONGEST_PARAMETER,
  type LoginAuthenticateOptions,
  LoginFlow,
  type LoginStart,
  type PendingLogin,
  requireVerify,
} from '../login/index.js';
import type { LoginSettings } from '../options/index.js';
import type { Profile } from '../profile.js';
import { replaceBaseClient } from './base-client.js';
import { authorizationHeader, type SignedRequest, type SigningCredentials } from './signature.js';

type SigningConsumer = Pick<SigningCredentials, 'consumerKey' | 'consumerSecret'>;

/** passport-oauth1, as far as it is used here; it has no types of its own. */
interface BaseStrategy {
  /** The name under which Passport knows the strategy, and `profile.provider`. */
  name: string;
  /** The base package's HTTP client, with our signature and HTTP client behind it. */
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

/** The complete options of an OAuth 1.0a strategy. */
export interface OAuth1Settings extends LoginSettings {
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly requestTokenURL: string;
  readonly accessTokenURL: string;
  readonly userAuthorizationURL: string;
}

/** A network's facts, and how it reports errors. */
export interface OAuth1Network {
  readonly facts: ProtocolFacts;
  readonly readErrorResponse: ReadErrorResponse;
}

/** A network's access-token response, as it sent it: a form, so every property is a string. */
export type OAuth1Params = Readonly<Record<string, string>> & {
  /** The access token. */
  readonly oauth_token: string;
  /** The secret that signs requests with this token. */
  readonly oauth_token_secret: string;
};

/** What `passport.authenticate(name, options)` accepts for all networks. */
export type OAuth1AuthenticateOptions = LoginAuthenticateOptions;

/** A request for temporary credentials, or for token credentials with a request token. */
interface CredentialsRequest {
  readonly step: 'request token' | 'token';
  readonly url: string;
  readonly form?: Readonly<Record<string, string>>;
  /** `oauth_callback` or `oauth_verifier`. */
  readonly protocol: Readonly<Record<string, string>>;
  readonly requestToken?: { readonly token: string; readonly tokenSecret: string };
  readonly transaction: Transaction;
  /** Credentials to check. @default the strategy's */
  readonly consumer?: SigningConsumer;
}

/** An authorized request token. */
interface Grant {
  readonly requestToken: string;
  readonly verifier: string;
}

const RESPONSE_PARAMETERS = ['oauth_token', 'oauth_verifier', 'denied'];

/**
 * The class between passport-oauth1 and the networks. It replaces the base class's `authenticate`, HTTP client and stores, and keeps the
 * methods that applications override (`userProfile`, `requestTokenParams`, `userAuthorizationParams`, `parseErrorResponse`).
 *
 * No request state is kept on the strategy: requests run at the same time.
 *
 * @see RFC 5849 section 2
 */
export abstract class OAuth1LoginStrategy<P, Params extends OAuth1Params> extends OAuthStrategy {
  protected readonly settings: OAuth1Settings;
  protected readonly client: NetworkClient;
  private readonly facts: ProtocolFacts;
  private readonly flow: LoginFlow;
  /** Names of the network's own options of `authenticate`. */
  protected readonly authenticateOptions: readonly string[] = [];
  /** Signs a request. A closure, so that printing the strategy shows no secret. */
  private readonly authorizationFor: (
    request: SignedRequest,
    credentials: Partial<SigningCredentials>,
  ) => string;
  /** Set only on the copy whose overridden `userProfile` is called during a login. */
  declare protected currentTransaction: Transaction | undefined;

  constructor(settings: OAuth1Settings, network: OAuth1Network, verify: AnyVerify) {
    requireVerify(new.target.name, verify);
    const { name, requestTokenURL, accessTokenURL, userAuthorizationURL, callbackURL } = settings;
    const { consumerKey, consumerSecret, customHeaders } = settings;
    const urls = { requestTokenURL, accessTokenURL, userAuthorizationURL };
    super({ ...urls, consumerKey, consumerSecret, customHeaders, sessionKey: name }, verify);
    this.name = name;
    this.settings = settings;
    this.flow = new LoginFlow(
      settings,
      verify,
      { clientID: consumerKey, authorizationURL: userAuthorizationURL },
      { names: RESPONSE_PARAMETERS, required: RESPONSE_PARAMETERS, keys: ['oauth_token', 'denied'] },
    );
    const secrets = [consumerSecret, ...Object.values(customHeaders)];
    const errorResponses = { read: network.readErrorResponse, rows: network.facts.errorRows };
    this.facts = network.facts;
    this.client = new NetworkClient({ ...settings, errorResponses, secrets });
    this.authorizationFor = (request, credentials) =>
      authorizationHeader(request, { consumerKey, consumerSecret, ...credentials });
    replaceBaseClient(this._oauth, this.client, { consumerKey, consumerSecret });
    hideSecrets(settings, ['consumerSecret', 'keySecret', 'customHeaders', 'agent', 'store']);
    const shown = { name, consumerKey, userAuthorizationURL, callbackURL };
    inspectAs(this, new.target.name, () => ({ ...shown, name: this.name }));
  }

  /** Starts a login, or finishes it if the request carries an authorization response. Ends by calling one of Passport's actions. */
  override authenticate(req: Request, options: OAuth1AuthenticateOptions = {}): void {
    this.flow.run(this, req, options, {
      options: this.authenticateOptions,
      begin: (redirectURI, given) => this.begin(redirectURI, given),
      prepareExchange: (response, pending) => {
        const grant = readGrant(response);
        return () => this.exchange(grant, pending);
      },
    });
  }

  /** Requests a request token, and makes the URL that the user is sent to (RFC 5849 sections 2.1 and 2.2). */
  private async begin(redirectURI: string, options: OAuth1AuthenticateOptions): Promise<LoginStart> {
    const response = await this.requestToken(redirectURI, options, new Transaction());
    const url = withQuery(this.settings.userAuthorizationURL, {
      ...stringParameters(this.userAuthorizationParams(options)),
      oauth_token: response.oauth_token,
    });
    return { key: response.oauth_token, url, requestTokenSecret: response.oauth_token_secret };
  }

  /** @param consumer - Another one than the strategy's, for a check. */
  private async requestToken(
    redirectURI: string,
    options: OAuth1AuthenticateOptions,
    transaction: Transaction,
    consumer?: SigningConsumer,
  ): Promise<OAuth1Params> {
    const response = await this.requestCredentials({
      step: 'request token',
      url: this.settings.requestTokenURL,
      form: stringParameters(this.requestTokenParams(options)),
      protocol: { oauth_callback: redirectURI },
      transaction,
      ...(consumer && { consumer }),
    });
    if (response.oauth_callback_confirmed === 'true') return response;
    // OAuth 1.0 without the correction "a" (RFC 5849 section 2.1).
    throw new MalformedError({
      provider: this.name,
      step: 'request token',
      code: 'callback_unconfirmed',
      message: 'the network did not confirm the callback URL, as OAuth 1.0a demands.',
      hint: 'Check requestTokenURL.',
    });
  }

  /** Exchanges the request token for an access token (RFC 5849 section 2.3). */
  private async exchange(
    { requestToken, verifier }: Grant,
    { requestTokenSecret = '' }: PendingLogin,
  ): Promise<IssuedTokens> {
    const transaction = new Transaction(requestToken, verifier, requestTokenSecret);
    const params = await this.requestCredentials({
      step: 'token',
      url: this.settings.accessTokenURL,
      protocol: { oauth_verifier: verifier },
      requestToken: { token: requestToken, tokenSecret: requestTokenSecret },
      transaction,
    });
    const { oauth_token: token, oauth_token_secret: tokenSecret } = params;
    return {
      credentials: [token, tokenSecret],
      refreshToken: tokenSecret,
      params,
      loadProfile: () =>
        // Only an overridden `userProfile` needs the callback form.
        this.userProfile === OAuth1LoginStrategy.prototype.userProfile
          ? this.loadProfile(token, tokenSecret, params as Partial<Params>, transaction)
          : fromCallback(
              'userProfile',
              (done) =>
                this.during(transaction).userProfile(token, tokenSecret, params as Partial<Params>, done),
              this.settings,
            ),
    };
  }

  /** A copy of the strategy that knows its login: an overridden `userProfile` does not pass it on to the inherited one. */
  private during(transaction: Transaction): this {
    return Object.create(this, { currentTransaction: { value: transaction } }) as this;
  }

  /**
   * Requests credentials. The response is read as a form whatever its content type says: some networks label it text/html.
   *
   * @throws {@link MalformedError} `token_missing` if a part of the credentials is missing or empty (RFC 5849 sections 2.1 and 2.3).
   */
  private async requestCredentials(request: CredentialsRequest): Promise<OAuth1Params> {
    const { step, url, form, protocol, requestToken, transaction, consumer } = request;
    const { name: provider } = this.settings;
    const body = form && Object.keys(form).length > 0 ? form : undefined;
    const signed = { method: 'POST', url, form: body, protocol };
    const response = await this.client.request({
      step,
      method: 'POST',
      url,
      form: body,
      headers: {
        accept: '*/*',
        authorization: this.authorizationFor(signed, { ...consumer, ...requestToken }),
      },
      transaction,
      // An application's own error would hide the network's response from a check.
      ...(!consumer && { parseErrorResponse: (text, status) => this.parseErrorResponse(text, status) }),
    });
    // A form that was cut short looks complete without its length (RFC 9112 section 6.3).
    const { 'content-length': length, 'transfer-encoding': coding = '' } = response.headers;
    const hasLength = length !== undefined || /(?:^|,)\s*chunked\s*$/i.test(coding);
    const params = response.wellFormed && hasLength ? formDecode(response.text) : undefined;
    if (!params) throw unreadable(response, provider, step, 'a form with its length and each name once');
    const { oauth_token, oauth_token_secret } = params;
    transaction.hide(oauth_token, oauth_token_secret);
    if (isUsable(oauth_token) && isUsable(oauth_token_secret)) return params as OAuth1Params;
    throw new MalformedError({
      provider,
      step,
      code: 'token_missing',
      message: 'the response lacks oauth_token or oauth_token_secret, or they are too long.',
      hint: 'Check the addresses in the options.',
    });
  }

  /** @hidden */
  [checked](): CheckedStrategy {
    const { settings, client, facts } = this;
    const { name, consumerKey, consumerSecret, timeout, redirectURI, callbackURL } = settings;
    return {
      name,
      timeout,
      facts,
      protocol: 'OAuth 1.0a',
      isCodeBound: true,
      credentials: { clientID: consumerKey, secret: consumerSecret },
      callbackURL,
      redirectURI: (given = callbackURL) => redirectURI.withoutRequest(given),
      urls: [settings.requestTokenURL, settings.accessTokenURL],
      agent: client.agent,
      tryCredentials: async ({ clientID, secret = '' }, sentURI) => {
        const consumer = { consumerKey: clientID, consumerSecret: secret };
        await this.requestToken(sentURI, {}, new Transaction(clientID, secret), consumer);
      },
    };
  }

  /**
   * Loads the user's profile with an access token and its secret.
   *
   * @param params - The access-token response; the network may identify the user there already.
   * @param done - Called with a {@link ProviderError} or with the profile.
   */
  override userProfile(
    token: string,
    tokenSecret: string,
    params: Partial<Params>,
    done: (error?: unknown, profile?: Profile<P>) => void,
  ): void {
    const transaction = this.currentTransaction ?? new Transaction();
    // An overridden `userProfile` may pass another token than the login's.
    transaction.hide(token, tokenSecret);
    toCallback(this.loadProfile(token, tokenSecret, params, transaction), done);
  }

  /** Parameters to add to the request for a request token. */
  override requestTokenParams(_options: OAuth1AuthenticateOptions): object {
    return {};
  }

  /** Parameters to add to the URL that the user is sent to. */
  override userAuthorizationParams(_options: OAuth1AuthenticateOptions): object {
    return {};
  }

  /** Override this to turn error responses of the token endpoints into your own errors; `null` leaves them to the strategy. */
  override parseErrorResponse(_body: string, _status: number): Error | null {
    return null;
  }

  /**
   * Asks the network who the token's owner is.
   *
   * @param transaction - The login's requests to the network.
   */
  protected abstract loadProfile(
    token: string,
    tokenSecret: string,
    params: Partial<Params>,
    transaction: Transaction,
  ): Promise<Profile<P>>;

  /** The `Authorization` header of a request that is signed with a token. */
  protected sign(method: string, url: string, token: string, tokenSecret: string): string {
    return this.authorizationFor({ method, url }, { token, tokenSecret });
  }
}

/** @throws {@link LoginFailure} `access_denied` or `malformed_response`. */
function readGrant({ oauth_token, oauth_verifier, denied }: AuthorizationResponse): Grant {
  if (denied !== undefined) {
    throw new LoginFailure('access_denied', 'The user declined the login at the network.');
  }
  if (oauth_token === undefined || oauth_verifier === undefined) {
    throw new LoginFailure(
      'malformed_response',
      'The callback has no oauth_verifier. Start the login again.',
    );
  }
  return { requestToken: oauth_token, verifier: oauth_verifier };
}

/** Whether a credential is present and short enough: an authorization response with a longer request token would be rejected. */
function isUsable(credential: string | undefined): boolean {
  return credential !== undefined && credential !== '' && credential.length <= LONGEST_PARAMETER;
}
