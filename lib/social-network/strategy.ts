import type { CurrentLogin, TokenAnswer } from '../core/oauth2-network.js';
import { OAuth2LoginStrategy } from '../core/oauth2-strategy.js';
import { assembleProfile, type MappedProfile, type Profile } from '../core/profile.js';
import type {
  AnyVerify,
  Verify,
  VerifyWithParams,
  VerifyWithRequest,
  VerifyWithRequestAndParams,
} from '../core/verify.js';
import { classicProtocol } from './classic.js';
import type { SocialNetworkOptions } from './options.js';
import type { Protocol, SocialNetworkAuthenticateOptions } from './protocol.js';
import type { SocialNetworkProfile } from './record.js';

/** The token answer, as verify gets it. */
export interface SocialNetworkParams extends TokenAnswer {
  /** The person's identifier. */
  readonly user_id: number;
  /** Seconds that the access token lives; 0 means for ever. There is no refresh token. */
  readonly expires_in: number;
  /** Only with the scope `email`, and only where the account has an address. */
  readonly email?: string;
}

type Refresh = string | undefined;

/**
 * Logs people in through the social network (VK): OAuth 2.0 with version 5.126 of its API.
 *
 * The e-mail address, if the person has and shares one, comes with the token answer and is not known to be verified.
 *
 * @throws TypeError from the constructor for every option that cannot be used.
 * @see https://dev.vk.com/api/access-token/authcode-flow-user (read 2026-11)
 */
export class SocialNetworkStrategy<
  // biome-ignore lint/suspicious/noExplicitAny: the record's type is the application's to name.
  P extends Record<string, any> = SocialNetworkProfile,
> extends OAuth2LoginStrategy<P, SocialNetworkParams> {
  private readonly protocol: Protocol;

  constructor(
    options: SocialNetworkOptions<P> & { passReqToCallback?: false },
    verify: Verify<Profile<P>, Refresh>,
  );
  constructor(
    options: SocialNetworkOptions<P> & { passReqToCallback: true },
    verify: VerifyWithRequest<Profile<P>, Refresh>,
  );
  constructor(
    options: SocialNetworkOptions<P> & { passReqToCallback?: false },
    verify: VerifyWithParams<Profile<P>, Refresh, SocialNetworkParams>,
  );
  constructor(
    options: SocialNetworkOptions<P> & { passReqToCallback: true },
    verify: VerifyWithRequestAndParams<Profile<P>, Refresh, SocialNetworkParams>,
  );
  constructor(options: SocialNetworkOptions<P>, verify: AnyVerify<Profile<P>, Refresh, SocialNetworkParams>) {
    const protocol = classicProtocol(options);
    super(protocol.settings, protocol.network, verify);
    this.protocol = protocol;
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
}
