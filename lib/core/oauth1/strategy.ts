import { randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { fromCallback, stringParameters, toCallback } from '../application-code.js';
import * as errors from '../errors/index.js';
import * as http from '../http/index.js';
import * as login from '../login/index.js';
import type { LoginSettings } from '../options/index.js';
import type { Profile } from '../profile.js';
import { type SignedRequest, signer, type TokenCredentials } from './signature.js';

/** passport-oauth1, which has no types of its own. */
interface BaseStrategy {
  /** The name under which Passport knows the strategy, and `profile.provider`. */
  name: string;
  /** The base package's HTTP client, with our signature and HTTP client behind it. */
  readonly _oauth: object;
  /** Parameters to add to the request for a request token. */
  requestTokenParams(options: OAuth1AuthenticateOptions): object;
  /** Parameters to add to the URL that the user is sent to. */
  userAuthorizationParams(options: OAuth1AuthenticateOptions): object;
  /** Override this to turn error responses of the token endpoints into your own errors; `null` leaves them to the strategy. */
  parseErrorResponse(body: string, status: number): Error | null;
}

const OAuthStrategy = require('passport-oauth1') as new (
  options: object,
  verify: login.AnyVerify,
) => BaseStrategy;

export interface OAuth1Settings extends LoginSettings {
  readonly clientSecret: string;
  readonly requestTokenURL: string;
  readonly accessTokenURL: string;
  readonly userAuthorizationURL: string;
}

/**
 * The other parameters of a network's access-token response: a form, so every property is a string. The token and its secret are verify's first
 * arguments alone, as in passport-oauth1: applications keep and log `params` as who logged in, and these credentials do not expire.
 */
export type OAuth1Params = Readonly<Record<string, string>>;

/** Temporary credentials or token credentials, with the other parameters of their response. */
type CredentialsResponse = OAuth1Params & {
  readonly oauth_token: string;
  readonly oauth_token_secret: string;
};

/** What `passport.authenticate(name, options)` accepts for all networks. */
export type OAuth1AuthenticateOptions = login.LoginAuthenticateOptions;

/** A request for temporary credentials, or for token credentials. */
type CredentialsRequest = Pick<http.NetworkRequest, 'step' | 'transaction'> &
  Pick<SignedRequest, 'url' | 'form' | 'protocol'>;

const RESPONSE_PARAMETERS = ['oauth_token', 'oauth_verifier', 'denied'];

/** The class between passport-oauth1 and the networks, as `OAuth2LoginStrategy` is that of OAuth 2. @see RFC 5849 section 2 */
export abstract class OAuth1LoginStrategy<P, Params extends OAuth1Params> extends OAuthStrategy {
  protected readonly settings: OAuth1Settings;
  protected readonly client: http.NetworkClient;
  private readonly network: login.LoginNetwork;
  private readonly flow: login.LoginFlow;
  private readonly authorizationFor: ReturnType<typeof signer>;
  /** Set only on the copy whose overridden `userProfile` is called during a login. */
  declare protected currentTransaction: http.Transaction | undefined;

  constructor(settings: OAuth1Settings, network: login.LoginNetwork, verify: login.AnyVerify) {
    login.requireVerify(new.target.name, verify);
    const { name, requestTokenURL, accessTokenURL, userAuthorizationURL, callbackURL } = settings;
    const { clientID: consumerKey, clientSecret: consumerSecret, customHeaders } = settings;
    const urls = { requestTokenURL, accessTokenURL, userAuthorizationURL };
    super({ ...urls, consumerKey, consumerSecret, customHeaders, sessionKey: name }, verify);
    this.name = name;
    this.settings = settings;
    this.network = network;
    const owner = { clientID: consumerKey, authorizationURL: userAuthorizationURL };
    this.flow = new login.LoginFlow(settings, verify, network, owner, {
      names: RESPONSE_PARAMETERS,
      required: RESPONSE_PARAMETERS,
      keys: ['oauth_token', 'denied'],
    });
    this.client = this.flow.client;
    this.authorizationFor = signer({ consumerKey, consumerSecret });
    replaceBaseClient(this._oauth, this.client, consumerKey, this.authorizationFor);
    const shown = { consumerKey, userAuthorizationURL, callbackURL };
    errors.inspectAs(this, new.target.name, () => ({ name: this.name, ...shown }));
  }

  /** Starts a login, or finishes it if the request carries an authorization response. Ends by calling one of Passport's actions. */
  authenticate(req: Request, options: OAuth1AuthenticateOptions = {}): void {
    this.flow.run(this, req, options, this.steps);
  }

  /**
   * Starts a login without a redirect, for a `fetch` by POST from a page of the application, which opens the URL. The callback route finishes it.
   *
   * @returns The URL that `authenticate` would redirect to.
   * @throws {@link LoginFailure} `not_a_navigation`, 403, for any other request; `no_room`, 431; `malformed_request`, 400.
   * @throws {@link ProviderError} if the network gives no request token.
   */
  async authorizationRequest(
    req: login.AddressedRequest,
    options: OAuth1AuthenticateOptions = {},
  ): Promise<URL> {
    return this.flow.startFor(req, options, this.steps);
  }

  private get steps(): login.LoginProtocol {
    return {
      // RFC 5849 sections 2.1 and 2.2.
      begin: async (redirectURI, options) => {
        const response = await this.requestToken(redirectURI, options);
        const url = http.withQuery(this.settings.userAuthorizationURL, {
          ...stringParameters(this.userAuthorizationParams(options)),
          oauth_token: response.oauth_token,
        });
        return { key: response.oauth_token, url, requestTokenSecret: response.oauth_token_secret };
      },
      prepareExchange: ({ oauth_token, oauth_verifier, denied }, { requestTokenSecret = '' }) => {
        if (denied !== undefined)
          throw new errors.LoginFailure('access_denied', 'The user declined the login at the network.');
        if (oauth_token === undefined || oauth_verifier === undefined) {
          const message = 'The callback has no oauth_verifier. Start the login again.';
          throw new errors.LoginFailure('malformed_response', message);
        }
        const requestToken = { token: oauth_token, tokenSecret: requestTokenSecret };
        return () => this.requestAccessToken(requestToken, oauth_verifier);
      },
    };
  }

  private async requestToken(
    redirectURI: string,
    options: OAuth1AuthenticateOptions,
    transaction = new http.Transaction(),
  ): Promise<CredentialsResponse> {
    const [provider, step] = [this.name, 'request token'] as const;
    const response = await this.requestCredentials({
      step,
      url: this.settings.requestTokenURL,
      form: stringParameters(this.requestTokenParams(options)),
      protocol: { oauth_callback: redirectURI },
      transaction,
    });
    if (response.oauth_callback_confirmed === 'true') return response;
    // OAuth 1.0 without the correction "a" (RFC 5849 section 2.1).
    const message = 'the network did not confirm the callback URL, as OAuth 1.0a demands.';
    const hint = 'Check requestTokenURL.';
    throw new errors.MalformedError({ provider, step, code: 'callback_unconfirmed', message, hint });
  }

  /** Exchanges the request token for an access token (RFC 5849 section 2.3). */
  private async requestAccessToken(requestToken: Required<TokenCredentials>, oauth_verifier: string) {
    const transaction = new http.Transaction(...Object.values(requestToken), oauth_verifier);
    const response = await this.requestCredentials(
      { step: 'token', url: this.settings.accessTokenURL, protocol: { oauth_verifier }, transaction },
      requestToken,
    );
    const { oauth_token: token, oauth_token_secret: tokenSecret, ...params } = response;
    const given = [token, tokenSecret, params as Partial<Params>] as const;
    return {
      credentials: [token, tokenSecret] as const,
      refreshToken: tokenSecret,
      params,
      loadProfile: () => {
        // Only an overridden `userProfile` needs the callback form. It calls the inherited one with these arguments alone, on a copy that knows its login.
        if (this.userProfile === OAuth1LoginStrategy.prototype.userProfile)
          return this.loadProfile(...given, transaction);
        const copy = Object.create(this, { currentTransaction: { value: transaction } }) as this;
        return fromCallback('userProfile', (done) => copy.userProfile(...given, done), this.settings);
      },
      requireUser: () => this.requireUser(params as Partial<Params>),
    };
  }

  /**
   * Requests credentials. The response is read as a form whatever its content type says: some networks label it text/html.
   *
   * @throws {@link MalformedError} `token_missing` if a part of the credentials is missing or empty (RFC 5849 sections 2.1 and 2.3).
   */
  private async requestCredentials(
    { step, url, form, protocol, transaction }: CredentialsRequest,
    requestToken?: TokenCredentials,
  ): Promise<CredentialsResponse> {
    const body = form && Object.keys(form).length > 0 ? form : undefined;
    const authorization = this.authorizationFor({ method: 'POST', url, form: body, protocol }, requestToken);
    const response = await this.client.request({
      step,
      method: 'POST',
      url,
      form: body,
      headers: { accept: '*/*', authorization },
      transaction,
      parseErrorResponse: (text, status) => this.parseErrorResponse(text, status),
    });
    // A form that was cut short looks complete without its length (RFC 9112 section 6.3).
    const { 'content-length': length, 'transfer-encoding': coding = '' } = response.headers;
    const hasLength = length !== undefined || /(?:^|,)\s*chunked\s*$/i.test(coding);
    const isForm = response.wellFormed && hasLength && !response.text.trimStart().startsWith('<');
    const params = isForm ? http.formDecode(response.text) : undefined;
    const provider = this.settings.name;
    if (!params)
      throw errors.unreadable(response, provider, step, 'a form with its length and each name once');
    const { oauth_token = '', oauth_token_secret = '' } = params;
    transaction.hide(oauth_token, oauth_token_secret);
    // A longer request token would come back in an authorization response that is rejected.
    const isLong = Math.max(oauth_token.length, oauth_token_secret.length) > login.LONGEST_PARAMETER;
    if (oauth_token !== '' && oauth_token_secret !== '' && !isLong) return params as CredentialsResponse;
    const message = 'the response lacks oauth_token or oauth_token_secret, or they are too long.';
    const hint = 'Check the addresses in the options.';
    throw new errors.MalformedError({ provider, step, code: 'token_missing', message, hint });
  }

  /** What the check before the first login needs. @hidden */
  [errors.checked]() {
    const { settings, network, client } = this;
    const requestToken = (consumerKey: string, consumerSecret: string, redirectURI: string) => {
      const copy = Object.create(this, {
        authorizationFor: { value: signer({ consumerKey, consumerSecret }) },
        // An application's own error would hide the network's response.
        parseErrorResponse: { value: () => null },
      }) as this;
      return copy.requestToken(redirectURI, {}, new http.Transaction(consumerKey, consumerSecret));
    };
    return { protocol: 'OAuth 1.0a', settings, network, client, requestToken } as const;
  }

  /**
   * Loads the user's profile with an access token and its secret.
   *
   * @param params - The access-token response; the network may identify the user there already.
   * @param done - Called with a {@link ProviderError} or with the profile.
   */
  userProfile(
    token: string,
    tokenSecret: string,
    params: Partial<Params>,
    done: (error?: unknown, profile?: Profile<P>) => void,
  ): void {
    const transaction = this.currentTransaction ?? new http.Transaction();
    // An overridden `userProfile` may pass another token than the login's.
    transaction.hide(token, tokenSecret);
    toCallback(this.loadProfile(token, tokenSecret, params, transaction), done);
  }

  protected abstract loadProfile(
    token: string,
    tokenSecret: string,
    params: Partial<Params>,
    transaction: http.Transaction,
  ): Promise<Profile<P>>;

  /** See {@link IssuedTokens}. Not every network's token response names its user. */
  protected requireUser(_params: Partial<Params>): void {}

  protected sign(method: string, url: string, token: string, tokenSecret: string): string {
    return this.authorizationFor({ method, url }, { token, tokenSecret });
  }
}

/**
 * Puts our signature and HTTP client behind `strategy._oauth`, so that code that uses it (`_oauth.get`, `_oauth.post`) gets the deadline and the
 * size limit, and follows no redirects. Hides the consumer secret.
 */
function replaceBaseClient(
  baseClient: object,
  client: http.NetworkClient,
  consumerKey: string,
  authorizationFor: ReturnType<typeof signer>,
): void {
  const replaced = {
    // `authHeader` and `signUrl` would use the base client's own nonces, which are predictable.
    _getNonce: () => randomBytes(16).toString('hex'),

    /** Every method of the base client ends here. */
    _performSecureRequest(
      token: string | null,
      tokenSecret: string | null,
      method: string,
      url: string,
      parameters: object | null,
      body: unknown,
      contentType: string | null,
      callback: (error: unknown, ...values: unknown[]) => void,
    ): void {
      const fields = Object.entries(stringParameters(parameters ?? {}));
      const isProtocol = ([name]: [string, string]) => name.startsWith('oauth_');
      const form = Object.fromEntries(fields.filter((field) => !isProtocol(field)));
      const signed = { method, url, form, protocol: Object.fromEntries(fields.filter(isProtocol)) };
      const credentials = { token: token || undefined, tokenSecret: tokenSecret || undefined };
      const values = client.sendForBaseClient({
        step: 'profile',
        method,
        url,
        ...(typeof body === 'string' ? { body } : { form }),
        headers: {
          ...(contentType && { 'content-type': contentType }),
          authorization: authorizationFor(signed, credentials),
        },
        transaction: new http.Transaction(token, tokenSecret),
      });
      toCallback(values, (error, found = []) => callback(error, ...found));
    },
  };
  Object.assign(baseClient, replaced);
  errors.hideSecrets(baseClient, ['_consumerSecret', '_headers']);
  errors.inspectAs(baseClient, 'OAuth', () => ({ consumerKey }));
}
