import type { CurrentLogin, TokenAnswer } from '../core/oauth2-network.js';
import { OAuth2LoginStrategy } from '../core/oauth2-strategy.js';
import { assembleProfile, type MappedProfile, type Profile } from '../core/profile.js';
import { hideMembers } from '../core/protected-client.js';
import type { Tokens } from '../core/tokens.js';
import type {
  AnyVerify,
  Verify,
  VerifyWithParams,
  VerifyWithRequest,
  VerifyWithRequestAndParams,
} from '../core/verify.js';
import { classicProtocol } from './classic.js';
import type { ClassicOptions } from './options.js';
import type { Protocol, SocialNetworkAuthenticateOptions } from './protocol.js';
import type { AnyRecord, SocialNetworkProfile, VkIdProfile } from './record.js';
import { vkIdProtocol } from './vk-id.js';
import type { VkIdOptions } from './vk-id-options.js';

/** Which protocol a {@link SocialNetworkStrategy} speaks: `'2.0'` classic, `'2.1'` VK ID. */
export type SocialNetworkVersion = '2.0' | '2.1';

/** The classic token answer, as verify gets it. There is no refresh token. */
export interface SocialNetworkClassicParams extends TokenAnswer {
  /** The person's identifier. */
  readonly user_id: number;
  /** Seconds that the access token lives; 0 means for ever. */
  readonly expires_in: number;
  /** Only with the scope `email`, and only where the account has an address. */
  readonly email?: string;
}

/** VK ID's token answer, as verify gets it. */
export interface VkIdParams extends TokenAnswer {
  /** The person's identifier. */
  readonly user_id: number;
  /** Needed for every refresh: keep it beside the refresh token. Added from the callback. */
  readonly device_id: string;
  /** The granted scopes, joined with spaces. */
  readonly scope?: string;
  /** Seconds that the access token lives. */
  readonly expires_in?: number;
}

/** The token answer, as verify gets it. */
export type SocialNetworkParams<V extends SocialNetworkVersion = SocialNetworkVersion> = V extends '2.1'
  ? VkIdParams
  : SocialNetworkClassicParams;

/** The options of one version. */
export type SocialNetworkOptions<
  P extends AnyRecord = SocialNetworkProfile,
  V extends SocialNetworkVersion = '2.0',
> = V extends '2.1' ? VkIdOptions<SocialNetworkRecord<P, '2.1'>> : ClassicOptions<P>;

/** @inline */
type Refresh = string | undefined;
/** VK ID has a record of its own; it is meant wherever no other one is named. */
export type SocialNetworkRecord<P extends AnyRecord, V extends SocialNetworkVersion> = V extends '2.1'
  ? SocialNetworkProfile extends P
    ? VkIdProfile
    : P
  : P;

/**
 * Logs people in through the social network (VK), in either of its protocols.
 *
 * Without `version`, or with `'2.0'`, it is the classic OAuth 2.0 with version 5.126 of the API, for applications made before June
 * 2024; with `'2.1'` it is VK ID. The e-mail address, if the person has and shares one, is not known to be verified.
 *
 * @throws TypeError from the constructor for every option that cannot be used.
 * @see https://dev.vk.com/api/access-token/authcode-flow-user (read 2026-11)
 * @see https://id.vk.ru/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description (read 2026-11)
 */
export class SocialNetworkStrategy<
  P extends AnyRecord = SocialNetworkProfile,
  V extends SocialNetworkVersion = '2.0',
> extends OAuth2LoginStrategy<P> {
  private readonly protocol: Protocol;

  constructor(
    options: { version?: V } & SocialNetworkOptions<P, V> & { passReqToCallback?: false },
    verify: Verify<Profile<SocialNetworkRecord<P, V>>, Refresh>,
  );
  constructor(
    options: { version?: V } & SocialNetworkOptions<P, V> & { passReqToCallback: true },
    verify: VerifyWithRequest<Profile<SocialNetworkRecord<P, V>>, Refresh>,
  );
  constructor(
    options: { version?: V } & SocialNetworkOptions<P, V> & { passReqToCallback?: false },
    verify: VerifyWithParams<Profile<SocialNetworkRecord<P, V>>, Refresh, SocialNetworkParams<V>>,
  );
  constructor(
    options: { version?: V } & SocialNetworkOptions<P, V> & { passReqToCallback: true },
    verify: VerifyWithRequestAndParams<Profile<SocialNetworkRecord<P, V>>, Refresh, SocialNetworkParams<V>>,
  );
  constructor(options: SocialNetworkOptions<P, V>, verify: AnyVerify<never, Refresh, never>) {
    const protocol = protocolOf(options);
    super(protocol.settings, protocol.network, verify, protocol.secrets);
    this.protocol = protocol;
    hideMembers(protocol, ['secrets']);
    hideMembers(this, ['protocol']);
  }

  /**
   * VK ID: trades a refresh token for new tokens. The old one is spent, and using it again ends the login.
   *
   * @param deviceID - `device_id` of the login's `params`.
   * @throws TypeError with the classic protocol, which has no refresh tokens, and without `deviceID`.
   * @throws {@link ProviderError} when the network gives no new tokens.
   */
  async refresh(refreshToken: string, deviceID?: string): Promise<Tokens> {
    const parameters = this.protocol.refreshParameters?.(deviceID);
    if (!parameters) throw this.unsupported('refresh tokens');
    const tokens = await this.refreshTokens(refreshToken, parameters, deviceID);
    return { ...tokens, params: { device_id: deviceID, ...tokens.params } };
  }

  /**
   * VK ID: withdraws the person's consent, and all their tokens of this application with it.
   *
   * @throws TypeError with the classic protocol, which cannot.
   * @throws {@link ProviderError} when the network does not confirm it.
   */
  async revoke(accessToken: string): Promise<void> {
    if (!this.protocol.revocationURL) throw this.unsupported('revocation');
    await this.revokeAt(this.protocol.revocationURL, { access_token: accessToken });
  }

  /**
   * VK ID: ends the session that belongs to a token; the consent stays.
   *
   * @throws TypeError with the classic protocol, which cannot.
   * @throws {@link ProviderError} when the network does not confirm it.
   */
  async logout(accessToken: string): Promise<void> {
    if (!this.protocol.logoutURL) throw this.unsupported('logout');
    await this.revokeAt(this.protocol.logoutURL, { access_token: accessToken });
  }

  override authorizationParams(options: SocialNetworkAuthenticateOptions): object {
    return this.protocol.authorizationParams(options);
  }

  protected override async loadProfile(
    accessToken: string,
    login: CurrentLogin | undefined,
  ): Promise<Profile<P>> {
    const { record, text, map } = await this.protocol.loadRecord(this.client, accessToken, login);
    const own = this.settings.mapProfile as ((record: unknown) => MappedProfile) | undefined;
    return assembleProfile(this.name, own ? own(record) : map(), record as P, text);
  }

  private unsupported(what: string): TypeError {
    return new TypeError(`${this.name}: the classic protocol has no ${what}; VK ID (version: '2.1') has.`);
  }
}

function protocolOf(options: object): Protocol {
  const { version = '2.0' } = (options ?? {}) as { version?: unknown };
  if (version === '2.1') return vkIdProtocol(options);
  if (version === '2.0') return classicProtocol(options);
  throw new TypeError(
    "SocialNetworkStrategy: option version must be '2.0' (the default, classic OAuth 2.0) or '2.1' (VK ID).",
  );
}
