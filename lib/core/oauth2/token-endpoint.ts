import { type LoginStep, type MalformedCode, MalformedError } from '../errors/index.js';
import * as http from '../http/index.js';
import { areEqual } from '../login/index.js';

export interface ClientSettings {
  readonly name: string;
  readonly tokenURL: string;
  readonly clientID: string;
  readonly clientSecret: string | undefined;
}

/** How a network deviates from the standard at its token endpoint, and what it chooses where the standard leaves a choice. */
export interface TokenEndpointRules {
  readonly clientParameter: string;
  /** The place of the client secret. A client without one sends its ID in the form. */
  readonly clientAuthentication: 'form' | 'basic';
  readonly tokenTypeRequired: boolean;
  readonly userOf?: (response: http.JSONResponse) => string | undefined;
}

/** A network's token response, as it sent it. */
export interface TokenResponse {
  /** Goes into the `Authorization` header of requests on the user's behalf. Confidential. */
  readonly access_token: string;
  /** For `strategy.refresh`; absent if the network or the scope provides none. Confidential. */
  readonly refresh_token?: string;
  readonly [name: string]: unknown;
}

/** The token endpoint of one client (RFC 6749 sections 4.1.3 and 5). */
export class TokenEndpoint {
  protected readonly name: string;
  // Out of sight of inspections.
  readonly #settings: ClientSettings;

  constructor(
    protected readonly client: http.NetworkClient,
    { name, tokenURL, clientID, clientSecret }: ClientSettings,
    protected readonly rules: TokenEndpointRules,
    private readonly parseErrorResponse: http.NetworkRequest['parseErrorResponse'],
  ) {
    this.name = name;
    this.#settings = { name, tokenURL, clientID, clientSecret };
  }

  /** Requests tokens. @throws {@link MalformedError} for a response that has no token or belongs to another request. */
  request(step: LoginStep, form: http.Form, transaction = new http.Transaction()) {
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

  private checkTokenResponse(body: object, state: string | undefined, step: LoginStep): void {
    const provider = this.name;
    const malformed = (code: MalformedCode, message: string, more = '.') =>
      new MalformedError({ provider, step, code, message, hint: `Check tokenURL${more}` });
    // RFC 6749 appendix A.12: visible ASCII. Anything else could not be sent in a header.
    if (!/^[\x20-\x7e]+$/.test(http.stringProperty(body, 'access_token') ?? '')) {
      const problem = 'the response has no access token that is a string of visible ASCII characters.';
      throw malformed('token_missing', problem, '; community or application tokens are no logins.');
    }
    const type = http.property(body, 'token_type') ?? undefined;
    const isBearer = typeof type === 'string' && type.toLowerCase() === 'bearer';
    if (!isBearer && (this.rules.tokenTypeRequired || type !== undefined)) {
      throw malformed('token_type_unknown', 'the response does not say that its token is a bearer token.');
    }
    // A response repeats the state of its token request, or leaves it empty.
    const echo = state === undefined ? undefined : http.stringProperty(body, 'state');
    if (state !== undefined && echo !== undefined && !areEqual(echo, state)) {
      const problem = 'the response belongs to another request: its state is not the one that was sent.';
      throw malformed('state_mismatch', problem);
    }
  }

  /** Adds the client's credentials in the network's one way (RFC 6749 section 2.3). @returns Also the secret of a header, which is another one. */
  protected authenticate(form: http.Form) {
    const { clientID, clientSecret } = this.#settings;
    const { clientParameter, clientAuthentication } = this.rules;
    if (clientSecret === undefined || clientAuthentication === 'form') {
      const own = [...Object.entries(form), [clientParameter, clientID], ['client_secret', clientSecret]];
      return { form: Object.fromEntries(own) as http.Form };
    }
    const secret = `${encodeURIComponent(clientID)}:${encodeURIComponent(clientSecret)}`;
    const authorization = `Basic ${Buffer.from(secret).toString('base64')}`;
    return { form, headers: { authorization }, secret };
  }
}

/** The scopes that the user granted, from the token response (`params` of verify); empty if it names none. */
export function grantedScopes(params: { readonly scope?: string }): string[] {
  return scopeList(params.scope);
}

/** Splits scopes that are joined with spaces or commas. */
export function scopeList(scopes: string | undefined): string[] {
  return scopes?.split(/[\s,]+/).filter(Boolean) ?? [];
}
