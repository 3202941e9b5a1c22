import { hash } from 'node:crypto';
import { identifierError, requireToken, unreadable } from '../errors/index.js';
import * as http from '../http/index.js';
import { scopeList, TokenEndpoint, type TokenResponse } from './token-endpoint.js';

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

/** The token endpoint after a login: refreshes (RFC 6749 section 6), and revocation. */
export class TokenService extends TokenEndpoint {
  /** Digest of a refresh token and what it is bound to -> the refresh under way. A token that is refreshed twice at once would be spent twice. */
  readonly #refreshes = new Map<string, Promise<http.JSONResponse>>();

  /**
   * Makes one request even if it is called twice at once.
   *
   * @param extra - What the network requires besides the token. @param boundTo - What the network binds the token to.
   * @throws {@link MalformedError} `identifier_missing` or `identifier_mismatch` if the response should name the user of `options` and does not.
   */
  async refresh(refreshToken: string, options: RefreshOptions = {}, extra: http.Form = {}, boundTo = '') {
    requireToken(this.name, 'refresh', refreshToken);
    // Applications pass what a database has for one network to all: `null`, or a device ID.
    const given = Object(options) as RefreshOptions;
    const { userID } = given;
    if ('userID' in given && (typeof userID !== 'string' || userID === '')) {
      throw new TypeError(`${this.name}: refresh needs a userID that is a non-empty string, or none.`);
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
    const found = userID !== undefined && this.rules.userOf ? this.rules.userOf(response) : userID;
    if (found === userID) return { refreshToken, ...readTokens({ ...(response.body as TokenResponse) }) };
    throw found === undefined
      ? identifierError(this.name, 'refresh', 'identifier_missing', 'no ID of the user')
      : identifierError(this.name, 'refresh', 'identifier_mismatch', "another user's ID, not userID");
  }

  /**
   * Sends a token to a URL that revokes it, or ends its session.
   *
   * @param isConfirmed - Whether a response without an error confirms that. A proxy or a captive page may respond in the network's place.
   * @throws {@link MalformedError} for any other response.
   */
  async revoke(url: string, form: http.Form, isConfirmed = isEmptyOrObject): Promise<void> {
    const tokens = Object.values(form);
    for (const token of tokens) requireToken(this.name, 'revoke', token);
    const { secret, ...authenticated } = this.authenticate(form);
    const response = await this.client.request({
      step: 'revoke',
      method: 'POST',
      url,
      ...authenticated,
      transaction: new http.Transaction(...tokens, secret),
    });
    if (!isConfirmed(response)) throw unreadable(response, this.name, 'revoke', 'a confirmation');
  }
}

/** What most networks send for a revoked token. RFC 7009 section 2.2 leaves the body open. */
export function isEmptyOrObject({ text, body }: http.NetworkResponse): boolean {
  return text.trim() === '' || http.isObject(body);
}

export function readTokens(params: TokenResponse): FirstTokens {
  const expiresAt = expiryDate(params);
  const refreshToken = http.stringProperty(params, 'refresh_token');
  return {
    accessToken: params.access_token,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(expiresAt && { expiresAt }),
    scope: scopeList(http.stringProperty(params, 'scope')),
    params,
  };
}

/**
 * When a token expires, counted from now: networks send the seconds that are left.
 *
 * @returns `undefined` if the response does not say, and for 0: some networks mean "never" by it, others nothing.
 */
export function expiryDate(params: object): Date | undefined {
  const lifetime = http.property(params, 'expires_in');
  // Not an array: Number() would walk through thousands of nested ones.
  const seconds = typeof lifetime === 'number' || typeof lifetime === 'string' ? Number(lifetime) : 0;
  return seconds > 0 && seconds < 1e10 ? new Date(Date.now() + seconds * 1_000) : undefined;
}
