/**
 * Template Network alone: the factory as the default export, the strategy also as `Strategy`, its record, options and endpoints.
 *
 * @module passport-social-networks/template-network
 */
import type { SkipUserProfile, Verify, VerifyOptions } from '../../lib/core/login/index.js';
import type { AuthenticateArguments, AuthorizeArguments } from '../../lib/core/public-types.js';
import type { TemplateNetworkAuthenticateOptions, TemplateNetworkOptions } from './options.js';
import type { TemplateNetworkValues } from './record.js';
import { TemplateNetworkStrategy } from './strategy.js';

/**
 * Makes a {@link TemplateNetworkStrategy}, without `new`.
 *
 * @throws TypeError for every option that cannot be used.
 */
export function templateNetwork<
  Req extends boolean = false,
  Params extends boolean = false,
  Skip extends SkipUserProfile = false,
>(
  options: TemplateNetworkOptions & VerifyOptions<Req, Params, Skip>,
  verify: Verify<TemplateNetworkValues, NoInfer<Req>, NoInfer<Params>, NoInfer<Skip>>,
): TemplateNetworkStrategy {
  return new TemplateNetworkStrategy(options, verify);
}

export type * from '../../lib/core/public-types.js';
export { endpoints } from './facts.js';
export type { TemplateNetworkAuthenticateOptions, TemplateNetworkOptions } from './options.js';
export type * from './record.js';
export { TemplateNetworkStrategy, TemplateNetworkStrategy as Strategy } from './strategy.js';
// The wrapper for ES modules needs the factory's name: what `default` means there depends on who resolves it.
export { templateNetwork as default };

declare module 'passport' {
  interface Authenticator<InitializeRet, AuthenticateRet, AuthorizeRet, AuthorizeOptions> {
    authenticate(...args: AuthenticateArguments<TemplateNetworkAuthenticateOptions>): AuthenticateRet;
    authorize(...args: AuthorizeArguments<TemplateNetworkAuthenticateOptions>): AuthorizeRet;
  }
}
