import type { Request } from 'express';
import { type CheckedStrategy, type Credentials, checked } from '../checked.js';
import { hideProperties, inspectAs, LoginFailure, MalformedError, Secrets } from '../errors/index.js';
import {
  type ErrorResponses,
  formDecode,
  NetworkClient,
  stringParameters,
  unreadable,
  withQuery,
} from '../http/index.js';
import {
  type AnyVerify,
  type AuthorizationResponse,
  callVerify,
  fromCallback,
  isLink,
  keepPrivate,
  LONGEST_PARAMETER,
  loadUnlessSkipped,
  type Outcome,
  type PendingLogin,
  PendingLogins,
  readAuthorizationResponse,
  settle,
  toCallback,
} from '../login/index.js';
import type { LoginSettings } from '../options/index.js';
import type { Profile } from '../profile.js';
import { replaceBaseClient } from './base-client.js';
import { authorizationHeader } from './signature.js';

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

/** A network's access-token response, as it sent it: a form, so every property is a string. */
export type OAuth1Params = Readonly<Record<string, string>> & {
  /** The access token. */
  readonly oauth_token: string;
  /** The secret that signs requests with this token. */
  readonly oauth_token_secret: string;
};

/** What `passport.authenticate(name, options)` accepts for all networks. */
export interface OAuth1AuthenticateOptions {
  /** The application's own state; comes back as `info.state`. */
  state?: unknown;
  /** Replaces the option of the same name for this login. */
  callbackURL?: string;
}

/** A request for temporary credentials, or for token credentials with a request token. */
interface CredentialsRequest {
  readonly step: 'request token' | 'token';
  readonly url: string;
  readonly form?: Readonly<Record<string, string>>;
  /** `oauth_callback` or `oauth_verifier`. */
  readonly protocol: Readonly<Record<string, string>>;
  readonly requestToken?: { readonly token: string; readonly tokenSecret: string };
  readonly secrets: Secrets;
  /** For a check of these credentials; default: the strategy's. */
  readonly consumer?: Credentials;
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
  private readonly logins: PendingLogins;
  private readonly verify: AnyVerify;
  /** Everything that no error of the login may repeat. Set only on the copy whose overridden `userProfile` is called during a login. */
  declare protected currentSecrets: Secrets | undefined;

  constructor(settings: OAuth1Settings, errorResponses: ErrorResponses, verify: AnyVerify) {
    if (typeof verify !== 'function') {
      const { name } = new.target;
      throw new TypeError(
        `${name}: the second argument must be a verify function: new ${name}(options, verify).`,
      );
    }
    const { name, requestTokenURL, accessTokenURL, userAuthorizationURL, callbackURL } = settings;
    const { consumerKey, consumerSecret, agent, timeout, customHeaders, sessionKey } = settings;
    const urls = { requestTokenURL, accessTokenURL, userAuthorizationURL };
    super({ ...urls, consumerKey, consumerSecret, customHeaders, sessionKey }, verify);
    this.name = name;
    this.settings = settings;
    this.verify = verify;
    const owner = { strategy: name, clientID: consumerKey, authorizationURL: userAuthorizationURL };
    this.logins = new PendingLogins(settings.store, owner, settings.stateLimit);
    this.client = new NetworkClient({
      provider: name,
      agent,
      timeout,
      customHeaders,
      shareConnections: settings.shareConnections,
      errorResponses,
      secrets: [consumerSecret, ...Object.values(customHeaders)],
    });
    replaceBaseClient(this._oauth, this.client, { consumerKey, consumerSecret });
    hideProperties(settings, ['consumerSecret', 'customHeaders', 'agent', 'store']);
    hideProperties(this, ['settings', 'client', 'logins', 'verify']);
    const shown = { name, consumerKey, userAuthorizationURL, callbackURL };
    inspectAs(this, new.target.name, () => ({ ...shown, name: this.name }));
  }

  /** Starts a login, or finishes it if the request carries an authorization response. Ends by calling one of Passport's actions. */
  override authenticate(req: Request, options: OAuth1AuthenticateOptions = {}): void {
    // No prototype, so that a property added to Object.prototype is not taken for an option.
    const given = Object.assign(Object.create(null), options) as typeof options;
    settle(this, req, () => {
      keepPrivate(req);
      const response = readAuthorizationResponse(req, RESPONSE_PARAMETERS, RESPONSE_PARAMETERS);
      return response ? this.finish(req, response, given) : this.start(req, given);
    });
  }

  private async start(req: Request, options: OAuth1AuthenticateOptions): Promise<Outcome> {
    const { settings } = this;
    const { callbackURL, isRelative } = settings.redirectURI.resolve(
      req,
      options.callbackURL ?? settings.callbackURL,
    );
    const response = await this.requestCredentials({
      step: 'request token',
      url: settings.requestTokenURL,
      form: stringParameters(this.requestTokenParams(options)),
      protocol: { oauth_callback: callbackURL },
      secrets: new Secrets(),
    });
    requireConfirmation(this.name, response);
    await this.logins.save(req, response.oauth_token, {
      callbackURL,
      ...(isRelative && { isRelative }),
      secret: response.oauth_token_secret,
      ...(options.state !== undefined && { state: options.state }),
    });
    const url = withQuery(settings.userAuthorizationURL, {
      ...stringParameters(this.userAuthorizationParams(options)),
      oauth_token: response.oauth_token,
    });
    return { kind: 'redirect', url };
  }

  private async finish(
    req: Request,
    response: AuthorizationResponse,
    options: OAuth1AuthenticateOptions,
  ): Promise<Outcome> {
    const { oauth_token, oauth_verifier, denied } = response;
    // Taken before anything in the response is trusted. The pending login is used up, whatever happens next.
    const pending = await this.logins.take(req, oauth_token ?? denied, isLink(options));
    this.settings.redirectURI.requireSameHost(req, pending);
    if (denied !== undefined) {
      throw new LoginFailure('access_denied', 401, 'The user declined the login at the network.');
    }
    if (oauth_token === undefined || oauth_verifier === undefined) {
      throw new LoginFailure(
        'malformed_response',
        400,
        'The callback has no oauth_verifier. Start the login again.',
      );
    }
    const credentials = { oauth_token, oauth_verifier };
    return this.logins.complete(req, isLink(options), () => this.exchange(req, pending, credentials));
  }

  /** Turns the request token and its verifier into a user: access token, profile, verify. */
  private async exchange(
    req: Request,
    pending: PendingLogin,
    { oauth_token, oauth_verifier }: { readonly oauth_token: string; readonly oauth_verifier: string },
  ): Promise<Outcome> {
    const { settings } = this;
    await this.logins.use(pending);
    const { secret = '' } = pending;
    const secrets = new Secrets(oauth_token, oauth_verifier, secret);
    const params = await this.requestCredentials({
      step: 'token',
      url: settings.accessTokenURL,
      protocol: { oauth_verifier },
      requestToken: { token: oauth_token, tokenSecret: secret },
      secrets,
    });
    const { oauth_token: token, oauth_token_secret: tokenSecret } = params;
    const profile = await loadUnlessSkipped(settings.skipUserProfile, [token, tokenSecret], () =>
      // Only an overridden `userProfile` needs the callback form.
      this.userProfile === OAuth1LoginStrategy.prototype.userProfile
        ? this.loadProfile(token, tokenSecret, params as Partial<Params>, secrets)
        : fromCallback('userProfile', (done) =>
            this.during(secrets).userProfile(token, tokenSecret, params as Partial<Params>, done),
          ),
    );
    return callVerify(this.verify, settings, {
      req,
      token,
      refreshToken: tokenSecret,
      params,
      profile,
      state: pending.state,
      beforeLogin: () => this.logins.beforeLogin(req),
    });
  }

  /** A copy of the strategy that knows its login's secrets: an overridden `userProfile` does not pass them on to the inherited one. */
  private during(secrets: Secrets): this {
    return Object.create(this, { currentSecrets: { value: secrets } }) as this;
  }

  /**
   * Requests credentials. The response is read as a form whatever its content type says: some networks label it text/html.
   *
   * @throws {@link MalformedError} `token_missing` if a part of the credentials is missing or empty (RFC 5849 sections 2.1 and 2.3).
   */
  private async requestCredentials({
    step,
    url,
    form,
    protocol,
    requestToken,
    secrets,
    consumer,
  }: CredentialsRequest): Promise<OAuth1Params> {
    const { settings } = this;
    const { name: provider } = settings;
    const consumerKey = consumer?.clientID ?? settings.consumerKey;
    const consumerSecret = consumer?.secret ?? settings.consumerSecret;
    const body = form && Object.keys(form).length > 0 ? form : undefined;
    const signed = { method: 'POST', url, form: body, protocol };
    const response = await this.client.request({
      step,
      method: 'POST',
      url,
      form: body,
      headers: {
        accept: '*/*',
        authorization: authorizationHeader(signed, { consumerKey, consumerSecret, ...requestToken }),
      },
      secrets,
      // For a check, an application's own error would hide the network's response.
      ...(!consumer && { parseErrorResponse: (text, status) => this.parseErrorResponse(text, status) }),
    });
    const params = response.wellFormed ? formDecode(response.text) : undefined;
    if (!params) throw unreadable(response, provider, step, 'a form with each name once');
    const { oauth_token, oauth_token_secret } = params;
    secrets.add(oauth_token, oauth_token_secret);
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
    const { name, settings, client } = this;
    const { consumerKey, consumerSecret, callbackURL, requestTokenURL, accessTokenURL, timeout } = settings;
    return {
      name,
      credentials: { clientID: consumerKey, secret: consumerSecret },
      callbackURL,
      urls: [requestTokenURL, accessTokenURL],
      agent: client.agent,
      timeout,
      tryCredentials: async ({ credentials, callbackURL: oauth_callback }) => {
        const response = await this.requestCredentials({
          step: 'request token',
          url: requestTokenURL,
          form: stringParameters(this.requestTokenParams({})),
          protocol: { oauth_callback },
          // The consumer key too: it is a secret if the two were swapped.
          secrets: new Secrets(credentials.clientID, credentials.secret),
          consumer: credentials,
        });
        requireConfirmation(name, response);
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
    const secrets = this.currentSecrets ?? new Secrets();
    // An overridden `userProfile` may pass another token than the login's.
    secrets.add(token, tokenSecret);
    const loading = this.loadProfile(token, tokenSecret, params, secrets);
    toCallback<[Profile<P>]>(
      loading.then((profile) => [profile]),
      done,
    );
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
   * @param secrets - Everything that no error may repeat.
   */
  protected abstract loadProfile(
    token: string,
    tokenSecret: string,
    params: Partial<Params>,
    secrets: Secrets,
  ): Promise<Profile<P>>;

  /** The `Authorization` header of a request that is signed with a token. */
  protected sign(method: string, url: string, token: string, tokenSecret: string): string {
    const { consumerKey, consumerSecret } = this.settings;
    return authorizationHeader({ method, url }, { consumerKey, consumerSecret, token, tokenSecret });
  }
}

/** @throws {@link MalformedError} `callback_unconfirmed` for OAuth 1.0 without the correction "a" (RFC 5849 section 2.1). */
function requireConfirmation(provider: string, { oauth_callback_confirmed }: OAuth1Params): void {
  if (oauth_callback_confirmed === 'true') return;
  throw new MalformedError({
    provider,
    step: 'request token',
    code: 'callback_unconfirmed',
    message: 'the network did not confirm the callback URL, as OAuth 1.0a demands.',
    hint: 'Check requestTokenURL.',
  });
}

/** Whether a credential is present and short enough: an authorization response with a longer request token would be rejected. */
function isUsable(credential: string | undefined): boolean {
  return credential !== undefined && credential !== '' && credential.length <= LONGEST_PARAMETER;
}
