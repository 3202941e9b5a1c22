import { hash } from 'node:crypto';
import {
  identifierError,
  type LoginStep,
  type MalformedCode,
  MalformedError,
  requireToken,
  unreadable,
} from '../errors/index.js';
import {
  isObject,
  type JSONResponse,
  type NetworkClient,
  type NetworkRequest,
  type NetworkResponse,
  property,
  stringProperty,
  Transaction,
} from '../http/index.js';
import { areEqual } from '../login/index.js';

/** A client, as its token endpoint knows it. */
export interface ClientSettings {
  readonly name: string;
  readonly tokenURL: string;
  readonly clientID: string;
  /** Absent for public clients. */
  readonly clientSecret: string | undefined;
}

/** How a network deviates from the standard at its token endpoint, and what it chooses where the standard leaves a choice. */
export interface TokenEndpointRules {
  /** The network's name for the client ID. */
  readonly clientParameter: string;
  /** The place of the client secret. A client without one sends its ID in the form. */
  readonly clientAuthentication: 'form' | 'basic';
  /** Whether a token response must say that the token is a bearer token. */
  readonly tokenTypeRequired: boolean;
  /** The user whom a token response names; absent if it names nobody. */
  readonly userOf?: (response: JSONResponse) => string | undefined;
}

/** A network's token response, as it sent it. */
export interface TokenResponse {
  /** Goes into the `Authorization` header of requests on the user's behalf. Confidential. */
  readonly access_token: string;
  /** For `strategy.refresh`; absent if the network or the scope provides none. Confidential. */
  readonly refresh_token?: string;
  readonly [name: string]: unknown;
}

/** Tokens after a login: what `strategy.refresh` resolves to. */
export interface Tokens {
  /** The new access token. Confidential. */
  accessToken: string;
  /** The token for the next refresh: the network's new one, or the old one if none came. */
  refreshToken: string;
  /** When the access token expires, from the response's `expires_in`; absent if the response does not say, or says 0. */
  expiresAt?: Date;
  /** The granted scopes; empty if the response does not say. */
  scope: string[];
  /** The network's response. */
  params: TokenResponse;
}

/** Tokens of a login: not every network and scope provides a refresh token. */
export type FirstTokens = Omit<Tokens, 'refreshToken'> & Partial<Pick<Tokens, 'refreshToken'>>;

/** What `strategy.refresh` takes besides the refresh token. */
export interface RefreshOptions {
  /** `profile.id` of the user whose token it is. Not `undefined`: a missing ID would go unnoticed. @default nothing is compared */
  userID?: string;
  /** `device_id` of the login's `params`, where it has one. */
  deviceID?: string | undefined;
}

export type Form = NonNullable<NetworkRequest['form']>;

/** The token endpoint of one client (RFC 6749 sections 4.1.3, 5 and 6), and revocation. */
export class TokenEndpoint {
  // Out of sight of inspections.
  readonly #settings: ClientSettings;
  /** Digest of a refresh token and what it is bound to -> the refresh under way. A token that is refreshed twice at once would be spent twice. */
  readonly #refreshes = new Map<string, Promise<JSONResponse>>();

  constructor(
    private readonly client: NetworkClient,
    { name, tokenURL, clientID, clientSecret }: ClientSettings,
    private readonly rules: TokenEndpointRules,
    private readonly parseErrorResponse: NetworkRequest['parseErrorResponse'],
  ) {
    this.#settings = { name, tokenURL, clientID, clientSecret };
  }

  /**
   * Requests tokens.
   *
   * @param transaction - Of the login; the request adds its own secrets and those of the response.
   * @throws {@link MalformedError} for a response that has no token or belongs to another request.
   */
  request(step: LoginStep, form: Form, transaction = new Transaction()): Promise<JSONResponse> {
    const { grant_type: _grantType, redirect_uri: _redirectURI, ...confidential } = form;
    const { secret, ...authenticated } = this.authenticate(form);
    transaction.hide(...Object.values(confidential), secret);
    return this.client.requestJSON({
      step,
      method: 'POST',
      url: this.#settings.tokenURL,
      ...authenticated,
      transaction,
      parseErrorResponse: this.parseErrorResponse,
      validate: ({ body }) => this.checkTokenResponse(body, form.state, step),
    });
  }

  /**
   * Trades a refresh token for new tokens, with one request even if it is called twice at once.
   *
   * @param extra - What the network requires besides the token. @param boundTo - What the network binds the token to.
   * @throws {@link MalformedError} `identifier_missing` or `identifier_mismatch` if the response should name the user of `options` and does not.
   */
  async refresh(
    refreshToken: string,
    options: RefreshOptions = {},
    extra: Form = {},
    boundTo = '',
  ): Promise<Tokens> {
    const { name } = this.#settings;
    requireToken(name, 'refresh', refreshToken);
    // Applications pass what a database has for one network to all: `null`, or a device ID.
    const given = Object(options) as RefreshOptions;
    const { userID } = given;
    if ('userID' in given && (typeof userID !== 'string' || userID === '')) {
      throw new TypeError(`${name}: refresh needs a userID that is a non-empty string, or none.`);
    }
    const key = hash('sha256', JSON.stringify([refreshToken, boundTo]), 'base64url');
    let refreshing = this.#refreshes.get(key);
    if (!refreshing) {
      const form = { ...extra, grant_type: 'refresh_token', refresh_token: refreshToken };
      refreshing = this.request('refresh', form).finally(() => this.#refreshes.delete(key));
      this.#refreshes.set(key, refreshing);
    }
    const response = await refreshing;
    // Each caller compares with its own user, and gets an object of its own.
    if (userID !== undefined) this.checkUser(response, userID);
    return { refreshToken, ...readTokens({ ...(response.body as TokenResponse) }) };
  }

  private checkUser(response: JSONResponse, userID: string): void {
    const { name } = this.#settings;
    const found = this.rules.userOf ? this.rules.userOf(response) : userID;
    if (found === userID) return;
    throw found === undefined
      ? identifierError(name, 'refresh', 'identifier_missing', 'no ID of the user')
      : identifierError(name, 'refresh', 'identifier_mismatch', "another user's ID than userID");
  }

  /**
   * Sends a token to a URL that revokes it, or ends its session.
   *
   * @param isConfirmed - Whether a response without an error confirms that. A proxy or a captive page may respond in the network's place.
   * @throws {@link MalformedError} for any other response.
   */
  async revoke(
    url: string,
    form: Form,
    isConfirmed: (response: NetworkResponse) => boolean = isEmptyOrObject,
  ): Promise<void> {
    const { name } = this.#settings;
    const tokens = Object.values(form);
    for (const token of tokens) requireToken(name, 'revoke', token);
    const { secret, ...authenticated } = this.authenticate(form);
    const response = await this.client.request({
      step: 'revoke',
      method: 'POST',
      url,
      ...authenticated,
      transaction: new Transaction(...tokens, secret),
    });
    if (!isConfirmed(response)) throw unreadable(response, name, 'revoke', 'a confirmation');
  }

  private checkTokenResponse(body: object, state: string | undefined, step: LoginStep): void {
    const provider = this.#settings.name;
    const malformed = (code: MalformedCode, message: string, more = '.') =>
      new MalformedError({ provider, step, code, message, hint: `Check tokenURL${more}` });
    // RFC 6749 appendix A.12: visible ASCII. Anything else could not be sent in a header.
    if (!/^[\x20-\x7e]+$/.test(stringProperty(body, 'access_token') ?? '')) {
      const problem = 'the response has no access token that is a string of visible ASCII characters.';
      throw malformed('token_missing', problem, '; community or application tokens are no logins.');
    }
    const type = property(body, 'token_type') ?? undefined;
    const isBearer = typeof type === 'string' && type.toLowerCase() === 'bearer';
    if (!isBearer && (this.rules.tokenTypeRequired || type !== undefined)) {
      throw malformed('token_type_unknown', 'the response does not say that its token is a bearer token.');
    }
    // A response repeats the state of its token request, or leaves it empty.
    const echo = state === undefined ? undefined : stringProperty(body, 'state');
    if (state !== undefined && echo !== undefined && !areEqual(echo, state)) {
      const problem = 'the response belongs to another request: its state is not the one that was sent.';
      throw malformed('state_mismatch', problem);
    }
  }

  /**
   * Adds the client's credentials in the one way that the network accepts (RFC 6749 section 2.3). A public client sends its ID alone.
   *
   * @returns Also the secret of a header, which is another one than the client's.
   */
  private authenticate(form: Form): Pick<NetworkRequest, 'form' | 'headers'> & { readonly secret?: string } {
    const { clientID, clientSecret } = this.#settings;
    const { clientParameter, clientAuthentication } = this.rules;
    if (clientSecret === undefined || clientAuthentication === 'form')
      return { form: Object.assign({}, form, { [clientParameter]: clientID, client_secret: clientSecret }) };
    const secret = `${encodeURIComponent(clientID)}:${encodeURIComponent(clientSecret)}`;
    const authorization = `Basic ${Buffer.from(secret).toString('base64')}`;
    return { form, headers: { authorization }, secret };
  }
}

/** Whether a response is what most networks send for a revoked token. RFC 7009 section 2.2 leaves the body open. */
export function isEmptyOrObject({ text, body }: NetworkResponse): boolean {
  return text.trim() === '' || isObject(body);
}

/** What a token response says of its tokens. */
export function readTokens(params: TokenResponse): FirstTokens {
  const expiresAt = expiryDate(params);
  const refreshToken = stringProperty(params, 'refresh_token');
  return {
    accessToken: params.access_token,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(expiresAt && { expiresAt }),
    scope: scopeList(stringProperty(params, 'scope')),
    params,
  };
}

/**
 * When a token expires, counted from now: networks send the seconds that are left.
 *
 * @returns `undefined` if the response does not say, and for 0: some networks mean "never" by it, others nothing.
 */
export function expiryDate(params: object): Date | undefined {
  const lifetime = property(params, 'expires_in');
  // Not an array: Number() would walk through thousands of nested ones.
  const seconds = typeof lifetime === 'number' || typeof lifetime === 'string' ? Number(lifetime) : 0;
  return seconds > 0 && seconds < 1e10 ? new Date(Date.now() + seconds * 1_000) : undefined;
}

/** Splits scopes that are joined with spaces or commas. */
export function scopeList(scopes: string | undefined): string[] {
  return scopes?.split(/[\s,]+/).filter(Boolean) ?? [];
}
