import { withQuery } from '../core/addresses.js';
import { identifierError, member, textMember } from '../core/answer.js';
import { RefusedError } from '../core/errors.js';
import type { JSONAnswer } from '../core/network-client.js';
import type { CurrentLogin, OAuth2Network, TokenAnswer } from '../core/oauth2-network.js';
import { OAuth2LoginStrategy } from '../core/oauth2-strategy.js';
import { assembleProfile, type MappedProfile, type Profile } from '../core/profile.js';
import type { Tokens } from '../core/tokens.js';
import type {
  AnyVerify,
  Verify,
  VerifyWithParams,
  VerifyWithRequest,
  VerifyWithRequestAndParams,
} from '../core/verify.js';
import { BASIC_SCOPE, fieldsWithin } from './fields.js';
import {
  readOptions,
  type ShortVideoAuthenticateOptions,
  type ShortVideoOptions,
  type ShortVideoSettings,
} from './options.js';
import { mapProfile } from './profile.js';
import type { ShortVideoProfile } from './record.js';
import { REMEDIES, readRefusal } from './refusals.js';

/** The token answer, as verify gets it. */
export interface ShortVideoParams extends TokenAnswer {
  /** The person's identifier in this application. */
  readonly open_id: string;
  /** The granted scopes, joined with commas: a person can untick some. */
  readonly scope: string;
  /** Seconds that the access token still lives. */
  readonly expires_in: number;
  /** Seconds that the refresh token still lives. */
  readonly refresh_expires_in: number;
  /** Works once: each refresh brings a new one. Confidential. */
  readonly refresh_token: string;
  /** `Bearer`. */
  readonly token_type: string;
}

const NETWORK: Omit<OAuth2Network, 'codeChallenge' | 'profileAddresses'> = {
  // The standard's client_id is not understood (networks page W): every request says client_key.
  clientParameter: 'client_key',
  clientAuthentication: 'form',
  scopeSeparator: ',',
  callbackParameters: ['scopes', 'errCode', 'error_type'],
  tokenTypeRequired: true,
  readRefusal,
  remedies: REMEDIES,
};

/**
 * Logs people in through the short-video network (TikTok, Login Kit v2): OAuth 2.0 with `client_key`, scopes joined with
 * commas and a PKCE challenge in hex.
 *
 * `profile.id` is the network's `open_id`: another one in every application. There is never an e-mail address.
 *
 * @throws TypeError from the constructor for every option that cannot be used.
 * @see https://developers.tiktok.com/doc/login-kit-web (read 2026-11)
 */
export class ShortVideoStrategy<
  P extends ShortVideoProfile = ShortVideoProfile,
> extends OAuth2LoginStrategy<P> {
  private readonly own: Omit<ShortVideoSettings, 'oauth2'>;
  /** Where all fields are to be had: most people grant everything. */
  private readonly recordURL: string;

  constructor(
    options: ShortVideoOptions<P> & { passReqToCallback?: false },
    verify: Verify<Profile<P>, string>,
  );
  constructor(
    options: ShortVideoOptions<P> & { passReqToCallback: true },
    verify: VerifyWithRequest<Profile<P>, string>,
  );
  constructor(
    options: ShortVideoOptions<P> & { passReqToCallback?: false },
    verify: VerifyWithParams<Profile<P>, string, ShortVideoParams>,
  );
  constructor(
    options: ShortVideoOptions<P> & { passReqToCallback: true },
    verify: VerifyWithRequestAndParams<Profile<P>, string, ShortVideoParams>,
  );
  constructor(options: ShortVideoOptions<P>, verify: AnyVerify<Profile<P>, string, ShortVideoParams>) {
    const { oauth2, ...own } = readOptions(options);
    const { codeChallengeEncoding, profileURL } = own;
    const network = { ...NETWORK, codeChallenge: codeChallengeEncoding, profileAddresses: [profileURL] };
    super(oauth2, network, verify as never);
    this.own = own;
    this.recordURL = this.recordAddress(own.profileFields);
  }

  /**
   * Trades a refresh token for new tokens. The network hands out a new refresh token each time, and the old one stops working.
   * Asked twice at once with one token, it makes one request.
   *
   * @throws {@link ProviderError} when the network gives no new tokens; a refusal says whether the person must log in again.
   */
  async refresh(refreshToken: string): Promise<Tokens> {
    return this.refreshTokens(refreshToken);
  }

  /**
   * Takes the application off the person's list of connected ones.
   *
   * @param accessToken - A live one: the network refuses an expired token, and the grant stays. Refresh first.
   * @throws {@link ProviderError} when the network does not confirm it.
   */
  async revoke(accessToken: string): Promise<void> {
    await this.revokeAt(this.own.revocationURL, { token: accessToken });
  }

  override authorizationParams(options: ShortVideoAuthenticateOptions): object {
    const disabled = options.disableAutoAuth ?? this.own.disableAutoAuth;
    return disabled === undefined ? {} : { disable_auto_auth: disabled ? 1 : 0 };
  }

  protected override async loadProfile(
    accessToken: string,
    login: CurrentLogin | undefined,
  ): Promise<Profile<P>> {
    const fields = fieldsWithin(this.own.profileFields, this.grantedScopes(login));
    const openID = login && textMember(login.params, 'open_id');
    const provider = this.name;
    if (login && openID === undefined) {
      throw identifierError({ provider, step: 'token' }, 'identifier_missing', 'no open_id');
    }
    // Without the basic scope no field may be read, and the token answer has said already who it is.
    if (openID !== undefined && fields.length === 0) return this.profileOf({ open_id: openID });
    const { body, text } = await this.requestRecord(accessToken, login, fields);
    const user = member(member(body, 'data'), 'user');
    const found = textMember(user, 'open_id');
    const origin = { provider, step: 'profile' } as const;
    if (found === undefined) throw identifierError(origin, 'identifier_missing', 'no data.user.open_id');
    if (openID !== undefined && found !== openID) {
      throw identifierError(
        origin,
        'identifier_mismatch',
        "another person's open_id than the token answer's",
      );
    }
    return this.assemble(body as unknown as P, text);
  }

  /** From the token answer, else the callback, else what was asked for: only the first two know what was unticked. */
  private grantedScopes(login: CurrentLogin | undefined): readonly string[] {
    const granted = textMember(login?.params, 'scope') ?? login?.callback.scopes;
    return granted?.split(/[\s,]+/) ?? login?.pending.scope ?? this.settings.scope;
  }

  /** One field outside the grant fails the whole request, so a refusal for scope is tried once more with the basic ones. */
  private async requestRecord(
    accessToken: string,
    login: CurrentLogin | undefined,
    fields: readonly string[],
  ): Promise<JSONAnswer> {
    try {
      return await this.requestFields(accessToken, login, fields);
    } catch (error) {
      const basic = fieldsWithin(fields, [BASIC_SCOPE]);
      const isScope =
        error instanceof RefusedError &&
        error.networkCode?.startsWith('scope_') &&
        basic.length < fields.length;
      if (!isScope) throw error;
      return this.requestFields(accessToken, login, basic);
    }
  }

  private requestFields(
    accessToken: string,
    login: CurrentLogin | undefined,
    fields: readonly string[],
  ): Promise<JSONAnswer> {
    return this.client.sendForJSON({
      step: 'profile',
      method: 'GET',
      url: fields.length === this.own.profileFields.length ? this.recordURL : this.recordAddress(fields),
      headers: { authorization: `Bearer ${accessToken}` },
      secrets: () => [accessToken, ...(login?.secrets() ?? [])],
      retries: 2,
    });
  }

  private recordAddress(fields: readonly string[]): string {
    return withQuery(this.own.profileURL, { fields: fields.join(',') });
  }

  private profileOf(user: { open_id: string }): Profile<P> {
    const record = { data: { user }, error: { code: 'ok', message: '', log_id: '' } };
    return this.assemble(record as unknown as P, JSON.stringify(record));
  }

  private assemble(record: P, text: string): Profile<P> {
    const map = (this.settings.mapProfile ?? mapProfile) as (record: P) => MappedProfile;
    return assembleProfile(this.name, map(record), record, text);
  }
}
