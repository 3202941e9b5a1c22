/**
 * The microblog network (X) alone, with OAuth 2.0 and OAuth 1.0a: the factory as the default export, the strategies, the record, the options
 * and the endpoints.
 *
 * @module passport-social-networks/microblog
 */
import type { SkipUserProfile, Verify, VerifyOptions } from '../core/login/index.js';
import type { AuthenticateArguments, AuthorizeArguments } from '../core/public-types.js';
import type { MicroblogOAuth1Strategy } from './oauth1.js';
import type { MicroblogOAuth2Strategy } from './oauth2.js';
import type { MicroblogAuthenticateOptions } from './options.js';
import type { MicroblogValues, MicroblogVersion } from './record.js';
import { type MicroblogOptions, MicroblogStrategy } from './strategy.js';

/**
 * Makes a {@link MicroblogStrategy}, without `new`: with `version: '1.0'` a {@link MicroblogOAuth1Strategy}.
 *
 * @throws TypeError for every option that cannot be used.
 */
export function microblog<
  V extends MicroblogVersion = '2.0',
  Req extends boolean = false,
  Params extends boolean = false,
  Skip extends SkipUserProfile = false,
>(
  config: { version?: V | undefined } & MicroblogOptions<V> & VerifyOptions<Req, Params, Skip>,
  verify: Verify<MicroblogValues<V>, NoInfer<Req>, NoInfer<Params>, NoInfer<Skip>>,
): V extends '1.0' ? MicroblogOAuth1Strategy : MicroblogOAuth2Strategy {
  return new MicroblogStrategy(config as never, verify as never) as never;
}

export type { OAuth1AuthenticateOptions, OAuth1Params } from '../core/oauth1/index.js';
export { grantedScopes } from '../core/oauth2/index.js';
export type * from '../core/public-types.js';
export { endpoints } from './facts.js';
export { MicroblogOAuth1Strategy } from './oauth1.js';
export { MicroblogOAuth2Strategy } from './oauth2.js';
export type {
  MicroblogAuthenticateOptions,
  MicroblogFieldOptions,
  MicroblogOAuth1Options,
  MicroblogOAuth2Options,
} from './options.js';
export type * from './record.js';
export type * from './strategy.js';
export { MicroblogStrategy, MicroblogStrategy as Strategy } from './strategy.js';
// The wrapper for ES modules needs the factory's name: what `default` means there depends on who resolves it.
export { microblog as default };

declare module 'passport' {
  interface Authenticator<InitializeRet, AuthenticateRet, AuthorizeRet, AuthorizeOptions> {
    authenticate(...args: AuthenticateArguments<MicroblogAuthenticateOptions>): AuthenticateRet;
    authorize(...args: AuthorizeArguments<MicroblogAuthenticateOptions>): AuthorizeRet;
  }
}
