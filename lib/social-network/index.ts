/**
 * The social network (VK) alone, with its classic protocol and VK ID: the factory as the default export, the strategy also as
 * `Strategy`, the records, options and endpoints.
 *
 * @module passport-social-networks/social-network
 */
import type { SkipUserProfile, Verify, VerifyOptions } from '../core/login/index.js';
import type { AuthenticateArguments, AuthorizeArguments } from '../core/public-types.js';
import type { SocialNetworkAuthenticateOptions, SocialNetworkOptions } from './options.js';
import type { AnyRecord, SocialNetworkProfile, SocialNetworkValues, SocialNetworkVersion } from './record.js';
import { SocialNetworkStrategy } from './strategy.js';

/**
 * Makes a {@link SocialNetworkStrategy}, without `new`.
 *
 * @throws TypeError for every option that cannot be used.
 */
export function socialNetwork<
  P extends AnyRecord = SocialNetworkProfile,
  V extends SocialNetworkVersion = '2.0',
  Req extends boolean = false,
  Params extends boolean = false,
  Skip extends SkipUserProfile = false,
>(
  options: { version?: V | undefined } & SocialNetworkOptions<P, V> & VerifyOptions<Req, Params, Skip>,
  verify: Verify<SocialNetworkValues<P, V>, NoInfer<Req>, NoInfer<Params>, NoInfer<Skip>>,
): SocialNetworkStrategy<P, V> {
  return new SocialNetworkStrategy(options, verify) as SocialNetworkStrategy<P, V>;
}

export type * from '../core/public-types.js';
export { endpoints } from './facts.js';
export type {
  ClassicOptions,
  SocialNetworkAuthenticateOptions,
  SocialNetworkFieldOptions,
  SocialNetworkOptions,
  VkIdOptions,
  VkIdPrompt,
} from './options.js';
export type * from './record.js';
export { grantedScopes } from './responses.js';
export { SocialNetworkStrategy, SocialNetworkStrategy as Strategy } from './strategy.js';
// The wrapper for ES modules needs the factory's name: what `default` means there depends on who resolves it.
export { socialNetwork as default };

declare module 'passport' {
  interface Authenticator<InitializeRet, AuthenticateRet, AuthorizeRet, AuthorizeOptions> {
    authenticate(...args: AuthenticateArguments<SocialNetworkAuthenticateOptions>): AuthenticateRet;
    authorize(...args: AuthorizeArguments<SocialNetworkAuthenticateOptions>): AuthorizeRet;
  }
}
