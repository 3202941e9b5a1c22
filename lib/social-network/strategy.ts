import { type NetworkResponse, property } from '../core/http/index.js';
import type { SkipUserProfile, Verify, VerifyOptions } from '../core/login/index.js';
import {
  type CurrentLogin,
  OAuth2LoginStrategy,
  type RefreshOptions,
  type TokenResponse,
  type Tokens,
} from '../core/oauth2/index.js';
import type { Profile } from '../core/profile.js';
import { classicProtocol, type Protocol } from './classic.js';
import type { ClassicOptions, SocialNetworkAuthenticateOptions, VkIdOptions } from './options.js';
import type { AnyRecord, SocialNetworkProfile, SocialNetworkRecord, VkIdProfile } from './record.js';
import { vkIdProtocol } from './vk-id.js';

/** The protocols of the network: `'2.0'` is the classic one, `'2.1'` VK ID. */
export type SocialNetworkVersion = '2.0' | '2.1';

/** The classic token response, as verify gets it. There is no refresh token. */
export interface SocialNetworkClassicParams extends TokenResponse {
  /** The user's ID. */
  readonly user_id: number;
  /** Seconds until the access token expires; 0 means it never expires. */
  readonly expires_in: number;
  /** Only with the scope `email`, and only if the account has an address. */
  readonly email?: string;
}

/** VK ID's token response, as verify gets it. */
export interface VkIdParams extends TokenResponse {
  /** The user's ID. */
  readonly user_id: number;
  /** Every refresh needs it: store it with the refresh token. Added from the authorization response. */
  readonly device_id: string;
  /** The granted scopes, joined with spaces. */
  readonly scope?: string;
  /** Seconds until the access token expires. */
  readonly expires_in?: number;
}

/** The token response of one version. */
export type SocialNetworkParams<V extends SocialNetworkVersion = SocialNetworkVersion> = V extends '2.1'
  ? VkIdParams
  : SocialNetworkClassicParams;

/** The options of one version. */
export type SocialNetworkOptions<
  P extends AnyRecord = SocialNetworkProfile,
  V extends SocialNetworkVersion = '2.0',
> = V extends '2.1'
  ? VkIdOptions<SocialNetworkRecordOf<P, '2.1'>>
  : ClassicOptions<SocialNetworkRecordOf<P, '2.0'>>;

/** `profile._json` of one version, as it arrives, unless the application names a type of its own. */
export type SocialNetworkRecordOf<P extends AnyRecord, V extends SocialNetworkVersion> = [
  P,
  SocialNetworkProfile,
] extends [SocialNetworkProfile, P]
  ? V extends '2.1'
    ? VkIdProfile
    : SocialNetworkRecord
  : P;

/** What verify gets. */
export interface SocialNetworkValues<
  P extends AnyRecord = SocialNetworkProfile,
  V extends SocialNetworkVersion = '2.0',
> {
  /** The user. */
  readonly profile: Profile<SocialNetworkRecordOf<P, V>>;
  /** VK ID only. */
  readonly refreshToken: string | undefined;
  /** The token response. */
  readonly params: SocialNetworkParams<V>;
}

/**
 * Logs users in through the social network (VK), in either of its protocols.
 *
 * Without `version`, or with `'2.0'`, it is the classic OAuth 2.0 with version 5.126 of the API, for applications made before June 2024; with
 * `'2.1'` it is VK ID. The e-mail address, if the user has and shares one, is not known to be verified.
 *
 * @throws TypeError from the constructor for every option that cannot be used.
 * @see https://dev.vk.com/api/access-token/authcode-flow-user (read 2026-11)
 * @see https://id.vk.ru/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description (read 2026-11)
 */
export class SocialNetworkStrategy<
  P extends AnyRecord = SocialNetworkProfile,
  V extends SocialNetworkVersion = '2.0',
  Req extends boolean = false,
  Params extends boolean = false,
  Skip extends SkipUserProfile = false,
> extends OAuth2LoginStrategy<SocialNetworkRecordOf<P, V>> {
  private readonly protocol: Protocol;

  constructor(
    options: { version?: V | undefined } & SocialNetworkOptions<P, V> & VerifyOptions<Req, Params, Skip>,
    verify: Verify<SocialNetworkValues<P, V>, NoInfer<Req>, NoInfer<Params>, NoInfer<Skip>>,
  ) {
    const protocol = readProtocol(options);
    super(protocol.settings, protocol.network, verify);
    this.protocol = protocol;
  }

  /**
   * VK ID: trades a refresh token for new tokens. The old one is spent, and using it again ends the login.
   *
   * @param device - `device_id` of the login's `params`, alone or as `deviceID` of the options.
   * @param options - `userID` is compared with the response's `user_id`.
   * @throws TypeError with the classic protocol, which has no refresh tokens, and without a device ID.
   * @throws {@link ProviderError} if the network issues no tokens.
   */
  async refresh(
    refreshToken: string,
    device?: string | RefreshOptions,
    options: RefreshOptions = {},
  ): Promise<Tokens> {
    const given = typeof device === 'string' ? { ...options, deviceID: device } : (device ?? options);
    const { deviceID } = given;
    const parameters = this.protocol.refreshParameters?.(deviceID);
    if (!parameters) throw this.unsupported('refresh tokens');
    const tokens = await this.tokenEndpoint.refresh(refreshToken, given, parameters, deviceID);
    return { ...tokens, params: { device_id: deviceID, ...tokens.params } };
  }

  /**
   * VK ID: withdraws the user's consent, and with it all their tokens of this application.
   *
   * @throws TypeError with the classic protocol, which cannot.
   * @throws {@link ProviderError} unless the network confirms it.
   */
  async revoke(accessToken: string): Promise<void> {
    if (!this.protocol.revocationURL) throw this.unsupported('revocation');
    await this.tokenEndpoint.revoke(this.protocol.revocationURL, { access_token: accessToken }, isConfirmed);
  }

  /**
   * VK ID: ends the session of a token; the consent stays.
   *
   * @throws TypeError with the classic protocol, which cannot.
   * @throws {@link ProviderError} unless the network confirms it.
   */
  async logout(accessToken: string): Promise<void> {
    if (!this.protocol.logoutURL) throw this.unsupported('logout');
    await this.tokenEndpoint.revoke(this.protocol.logoutURL, { access_token: accessToken }, isConfirmed);
  }

  override authorizationParams(options: SocialNetworkAuthenticateOptions): object {
    return this.protocol.authorizationParams(options);
  }

  protected override async loadProfile(
    accessToken: string,
    login: CurrentLogin | undefined,
  ): Promise<Profile<SocialNetworkRecordOf<P, V>>> {
    const profile = await this.protocol.loadProfile(
      (request) => this.requestProfile(request, accessToken, login),
      accessToken,
      login,
      this.grantedScopes(login),
    );
    return profile as Profile<SocialNetworkRecordOf<P, V>>;
  }

  private unsupported(what: string): TypeError {
    return new TypeError(`${this.name}: the classic protocol has no ${what}; VK ID (version: '2.1') has.`);
  }
}

function readProtocol(options: object): Protocol {
  const { version = '2.0' } = (options ?? {}) as { version?: unknown };
  if (version === '2.1') return vkIdProtocol(options);
  if (version === '2.0') return classicProtocol(options);
  throw new TypeError(
    "SocialNetworkStrategy: option version must be '2.0' (the default, classic OAuth 2.0) or '2.1' (VK ID), in quotes.",
  );
}

/** @see https://github.com/VKCOM/vkid-web-sdk (read 2026-11) */
function isConfirmed({ body }: NetworkResponse): boolean {
  return property(body, 'response') === 1;
}
