/**
 * The three strategies, the error classes, the login stores and all types. Each network also has a module of its own, which loads nothing of
 * the others.
 *
 * @module passport-social-networks
 */
export {
  LoginFailure,
  type LoginFailureCode,
  type MalformedCode,
  MalformedError,
  ProviderError,
  type ProviderErrorDetails,
  RefusedError,
  type UnreachableCode,
  UnreachableError,
} from './core/errors/index.js';
export { type RequestReport, requestChannel } from './core/http/index.js';
export {
  type CookieLoginsOptions,
  cookieLogins,
  exposeResponse,
  isLoginResponse,
} from './core/login/index.js';
export type { OAuth1AuthenticateOptions, OAuth1Params } from './core/oauth1/index.js';
export { expiryDate } from './core/oauth2/index.js';
export type * from './core/public-types.js';
export { isLocalURL } from './local-url.js';
// The networks, and the only list of them.
export {
  type MicroblogAuthenticateOptions,
  type MicroblogFieldOptions,
  type MicroblogOAuth1Options,
  type MicroblogOAuth1Params,
  MicroblogOAuth1Strategy,
  type MicroblogOAuth1Values,
  type MicroblogOAuth2Options,
  type MicroblogOAuth2Params,
  MicroblogOAuth2Strategy,
  type MicroblogOAuth2Values,
  type MicroblogOptions,
  type MicroblogParams,
  MicroblogStrategy,
  type MicroblogStrategyConstructor,
  type MicroblogValues,
  type MicroblogVersion,
} from './microblog/index.js';
export type * from './microblog/record.js';
export {
  type ShortVideoAuthenticateOptions,
  type ShortVideoOptions,
  type ShortVideoParams,
  ShortVideoStrategy,
  type ShortVideoValues,
} from './short-video/index.js';
export type * from './short-video/record.js';
export {
  type ClassicOptions,
  type SocialNetworkAuthenticateOptions,
  type SocialNetworkClassicParams,
  type SocialNetworkOptions,
  type SocialNetworkParams,
  type SocialNetworkRecord,
  SocialNetworkStrategy,
  type SocialNetworkValues,
  type SocialNetworkVersion,
  type VkIdOptions,
  type VkIdParams,
  type VkIdPrompt,
} from './social-network/index.js';
export type * from './social-network/record.js';
