/**
 * The three strategies, the error classes, the login stores and all types. Each network also has a module of its own, which loads nothing of
 * the others.
 *
 * @module passport-social-networks
 */
export {
  type ErrorResponse,
  LoginFailure,
  type LoginFailureCode,
  type LoginStep,
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
  isLocalURL,
  type LoginLimits,
  type LoginRequest,
  type LoginStore,
  type PendingLogin,
  type SessionLoginsOptions,
  type SkipUserProfile,
  sessionLogins,
  type Verify,
  type VerifyDone,
  type VerifyOptions,
  type VerifyResult,
  type VerifyValues,
} from './core/login/index.js';
export type { OAuth1AuthenticateOptions, OAuth1Params } from './core/oauth1/index.js';
export {
  type ChallengeEncoding,
  expiryDate,
  type OAuth2AuthenticateOptions,
  type TokenResponse,
  type Tokens,
} from './core/oauth2/index.js';
export type { ClientID, LoginOptions } from './core/options/index.js';
export type { MappedProfile, Profile, ProfileEmail, ProfileName, ProfilePhoto } from './core/profile.js';
// The networks, and the only list of them.
export {
  type MicroblogAuthenticateOptions,
  MicroblogOAuth1Strategy,
  MicroblogOAuth2Strategy,
  type MicroblogOptions,
  type MicroblogParams,
  type MicroblogProfile,
  MicroblogStrategy,
  type MicroblogValues,
  type MicroblogVersion,
} from './microblog/index.js';
export {
  type ShortVideoAuthenticateOptions,
  type ShortVideoOptions,
  type ShortVideoParams,
  type ShortVideoProfile,
  ShortVideoStrategy,
  type ShortVideoValues,
} from './short-video/index.js';
export {
  type AnyRecord,
  type SocialNetworkAuthenticateOptions,
  type SocialNetworkOptions,
  type SocialNetworkParams,
  type SocialNetworkProfile,
  SocialNetworkStrategy,
  type SocialNetworkValues,
  type SocialNetworkVersion,
  type VkIdParams,
  type VkIdProfile,
} from './social-network/index.js';
