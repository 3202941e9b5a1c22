/**
 * The short-video network (TikTok) alone: the factory as the default export, the strategy also as `Strategy`, its record, options and
 * endpoints.
 *
 * @module passport-social-networks/short-video
 */
import type { SkipUserProfile, Verify, VerifyOptions } from '../core/login/index.js';
import type { AuthenticateArguments, AuthorizeArguments } from '../core/public-types.js';
import type { ShortVideoAuthenticateOptions, ShortVideoOptions } from './options.js';
import type { ShortVideoProfile, ShortVideoValues } from './record.js';
import { ShortVideoStrategy } from './strategy.js';

/**
 * Makes a {@link ShortVideoStrategy}, without `new`.
 *
 * @throws TypeError for every option that cannot be used.
 */
export function shortVideo<
  P extends ShortVideoProfile = ShortVideoProfile,
  Req extends boolean = false,
  Params extends boolean = false,
  Skip extends SkipUserProfile = false,
>(
  options: ShortVideoOptions<P> & VerifyOptions<Req, Params, Skip>,
  verify: Verify<ShortVideoValues<P>, NoInfer<Req>, NoInfer<Params>, NoInfer<Skip>>,
): ShortVideoStrategy<P> {
  return new ShortVideoStrategy(options, verify);
}

export { grantedScopes } from '../core/oauth2/index.js';
export type * from '../core/public-types.js';
export { endpoints } from './facts.js';
export type { ShortVideoAuthenticateOptions, ShortVideoOptions } from './options.js';
export type * from './record.js';
export { ShortVideoStrategy, ShortVideoStrategy as Strategy } from './strategy.js';
// The wrapper for ES modules needs the factory's name: what `default` means there depends on who resolves it.
export { shortVideo as default };

declare module 'passport' {
  interface Authenticator<InitializeRet, AuthenticateRet, AuthorizeRet, AuthorizeOptions> {
    authenticate(...args: AuthenticateArguments<ShortVideoAuthenticateOptions>): AuthenticateRet;
    authorize(...args: AuthorizeArguments<ShortVideoAuthenticateOptions>): AuthorizeRet;
  }
}
