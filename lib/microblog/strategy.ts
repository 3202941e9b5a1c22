import type { SkipUserProfile, Verify, VerifyOptions } from '../core/login/index.js';
import { MicroblogOAuth1Strategy } from './oauth1.js';
import { MicroblogOAuth2Strategy } from './oauth2.js';
import type { MicroblogOAuth1Options, MicroblogOAuth2Options } from './options.js';
import type { MicroblogOAuth1Values, MicroblogValues, MicroblogVersion } from './record.js';

/** Options of one version. */
export type MicroblogOptions<V extends MicroblogVersion = MicroblogVersion> = V extends '1.0'
  ? MicroblogOAuth1Options & { version: '1.0' }
  : MicroblogOAuth2Options;

/** Makes the strategy of a version. The last signature counts where TypeScript picks one: for subclasses and `InstanceType`. */
export interface MicroblogStrategyConstructor {
  new <
    V extends '1.0',
    Req extends boolean = false,
    Params extends boolean = false,
    Skip extends SkipUserProfile = false,
  >(
    options: { version: V } & MicroblogOAuth1Options & VerifyOptions<Req, Params, Skip>,
    verify: Verify<MicroblogOAuth1Values, NoInfer<Req>, NoInfer<Params>, NoInfer<Skip>>,
  ): MicroblogOAuth1Strategy;
  // With the version that the options name, so that a mistake in options of 1.0 is not explained by those of 2.0.
  new <
    V extends MicroblogVersion = '2.0',
    Req extends boolean = false,
    Params extends boolean = false,
    Skip extends SkipUserProfile = false,
  >(
    options: { version?: V | undefined } & MicroblogOptions<V> & VerifyOptions<Req, Params, Skip>,
    verify: Verify<MicroblogValues<V>, NoInfer<Req>, NoInfer<Params>, NoInfer<Skip>>,
  ): MicroblogStrategy;
  /** That of version 2.0. */
  readonly prototype: MicroblogStrategy;
}

/**
 * Logs users in through the microblog network (X).
 *
 * Without `version`, or with `'2.0'`, it is a {@link MicroblogOAuth2Strategy}: OAuth 2.0 with PKCE, the newer protocol.
 * With `version: '1.0'` the constructor returns a {@link MicroblogOAuth1Strategy}: OAuth 1.0a, where verify gets `oauth_token` and
 * `oauth_token_secret` instead of access and refresh token. The profile has the same form in both.
 *
 * To extend it, extend the class of the version that you mean.
 *
 * @throws TypeError from the constructor for every option that cannot be used.
 */
export type MicroblogStrategy = MicroblogOAuth2Strategy;

/** @see {@link MicroblogStrategy} */
export const MicroblogStrategy = class MicroblogStrategy extends MicroblogOAuth2Strategy {
  // biome-ignore lint/correctness/noUnreachableSuper: with OAuth 1.0a another strategy is returned instead.
  constructor(options: MicroblogOptions, verify: () => unknown) {
    const { version = '2.0' } = (options ?? {}) as { version?: unknown };
    if (version !== '1.0' && version !== '2.0') {
      throw new TypeError(
        "MicroblogStrategy: option version must be '2.0' (the default, OAuth 2.0) or '1.0' (OAuth 1.0a), in quotes.",
      );
    }
    if (version === '1.0') {
      if (new.target.prototype !== MicroblogStrategy.prototype) {
        throw new TypeError(
          `${new.target.name}: a subclass of MicroblogStrategy speaks OAuth 2.0. For version: '1.0' extend MicroblogOAuth1Strategy.`,
        );
      }
      // biome-ignore lint/correctness/noConstructorReturn: one name makes the strategies of both versions.
      return new MicroblogOAuth1Strategy(options as MicroblogOAuth1Options, verify) as never;
    }
    super(options as MicroblogOAuth2Options, verify);
  }
} as unknown as MicroblogStrategyConstructor;
