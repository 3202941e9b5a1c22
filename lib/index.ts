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
  MicroblogOAuth1Strategy,
  type MicroblogOAuth2Options,
  MicroblogOAuth2Strategy,
  MicroblogStrategy,
} from './microblog/index.js';
export type * from './microblog/record.js';
export type * from './microblog/strategy.js';
export {
  type ShortVideoAuthenticateOptions,
  type ShortVideoOptions,
  ShortVideoStrategy,
} from './short-video/index.js';
export type * from './short-video/record.js';
export {
  type ClassicOptions,
  type SocialNetworkAuthenticateOptions,
  type SocialNetworkFieldOptions,
  type SocialNetworkOptions,
  SocialNetworkStrategy,
  type VkIdOptions,
  type VkIdPrompt,
} from './social-network/index.js';
export type * from './social-network/record.js';
