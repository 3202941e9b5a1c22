import { identifierError, RefusedError } from '../core/errors/index.js';
import { type JSONResponse, property, stringProperty, withQuery } from '../core/http/index.js';
import type { SkipUserProfile, Verify, VerifyOptions } from '../core/login/index.js';
import {
  type CurrentLogin,
  OAuth2LoginStrategy,
  type OAuth2Network,
  scopeList,
} from '../core/oauth2/index.js';
import { assembleProfile, type Profile, requireIdentifier } from '../core/profile.js';
import { BASIC_SCOPE, facts, fieldsWithin } from './facts.js';
import { readOptions, type ShortVideoAuthenticateOptions, type ShortVideoOptions } from './options.js';
import type { ShortVideoProfile, ShortVideoRecord, ShortVideoRecordOf, ShortVideoValues } from './record.js';
import { mapProfile, readErrorResponse } from './responses.js';

const NETWORK = {
  // Every request says client_key. The standard's client_id is not understood (login-kit-web, read 2026-11).
  clientParameter: 'client_key',
  clientAuthentication: 'form',
  scopeSeparator: ',',
  authenticateOptions: ['disableAutoAuth'],
  responseParameters: ['scopes', 'errCode', 'error_type'],
  userOf: ({ body }: JSONResponse) => stringProperty(body, 'open_id'),
  tokenTypeRequired: true,
  facts,
  readErrorResponse,
} as const satisfies Partial<OAuth2Network>;

/**
 * Logs users in through the short-video network (TikTok, Login Kit v2), with OAuth 2.0 and PKCE.
 *
 * `profile.id` is the network's `open_id`, a different one in every application. There is never an e-mail address.
 *
 * @throws TypeError from the constructor for every option that cannot be used.
 * @see https://developers.tiktok.com/doc/login-kit-web (read 2026-11)
 */
export class ShortVideoStrategy<
  P extends ShortVideoProfile = ShortVideoProfile,
  Req extends boolean = false,
  Params extends boolean = false,
  Skip extends SkipUserProfile = false,
> extends OAuth2LoginStrategy<ShortVideoRecordOf<P>> {
  declare protected readonly settings: ReturnType<typeof readOptions>;

  constructor(
    options: ShortVideoOptions<P> & VerifyOptions<Req, Params, Skip>,
    verify: Verify<ShortVideoValues<P>, NoInfer<Req>, NoInfer<Params>, NoInfer<Skip>>,
  ) {
    const settings = readOptions(options);
    const { codeChallengeEncoding: codeChallenge, profileURL } = settings;
    super(settings, { ...NETWORK, codeChallenge, profileURLs: [profileURL] }, verify);
  }

  /**
   * Removes the application from the user's list of connected apps.
   *
   * @param accessToken - A valid one: the network rejects an expired token, and the grant stays. Refresh first.
   * @throws {@link ProviderError} unless the network confirms it.
   */
  async revoke(accessToken: string): Promise<void> {
    await this.tokenEndpoint.revoke(this.settings.revocationURL, { token: accessToken });
  }

  /** Adds `disable_auto_auth` to the authorization request. An override cannot replace parameters of the protocol. */
  override authorizationParams(options: ShortVideoAuthenticateOptions): object {
    const disabled = options.disableAutoAuth ?? this.settings.disableAutoAuth;
    return disabled === undefined ? {} : { disable_auto_auth: disabled ? 1 : 0 };
  }

  protected override async loadProfile(
    accessToken: string,
    login: CurrentLogin | undefined,
  ): Promise<Profile<ShortVideoRecordOf<P>>> {
    const openID = login && stringProperty(login.params, 'open_id');
    if (login && openID === undefined) {
      throw identifierError(this.name, 'token', 'identifier_missing', 'no open_id');
    }
    const fields = fieldsWithin(this.settings.profileFields, this.grantedScopes(login));
    // Without the basic scope no field may be read, but the token response has the user's ID.
    const own = { data: { user: { open_id: openID } }, error: { code: 'ok', message: '', log_id: '' } };
    const { body, text } =
      openID !== undefined && fields.length === 0
        ? { body: own, text: JSON.stringify(own) }
        : await this.requestRecord(accessToken, login, fields);
    const found = stringProperty(property(property(body, 'data'), 'user'), 'open_id');
    requireIdentifier(this.name, found, 'data.user.open_id', openID);
    const record = body as unknown as ShortVideoRecord;
    const profile = assembleProfile(this.name, this.settings.mapProfile, record, text, mapProfile);
    return profile as Profile<ShortVideoRecordOf<P>>;
  }

  /** The authorization response names the granted scopes as well. */
  protected override grantedScopes(login: CurrentLogin | undefined): readonly string[] {
    const { scopes } = login?.response ?? {};
    const isInToken = stringProperty(login?.params, 'scope') !== undefined;
    return isInToken || scopes === undefined ? super.grantedScopes(login) : scopeList(scopes);
  }

  /** A single field outside the granted scopes fails the whole request: the record is requested again with the basic fields. */
  private async requestRecord(
    accessToken: string,
    login: CurrentLogin | undefined,
    fields: readonly string[],
  ): Promise<JSONResponse> {
    const url = withQuery(this.settings.profileURL, { fields: fields.join(',') });
    try {
      return await this.requestProfile({ url, retries: 2 }, accessToken, login);
    } catch (error) {
      const basic = fieldsWithin(fields, [BASIC_SCOPE]);
      const isScopeError = error instanceof RefusedError && error.networkCode?.startsWith('scope_');
      if (!isScopeError || basic.length === fields.length) throw error;
      return this.requestRecord(accessToken, login, basic);
    }
  }
}
