/**
 * The three strategies, the error classes, the login stores and the types of all of them. Each network has a module of its own
 * beside it, which loads nothing of the others.
 *
 * @module passport-social-networks
 */
export { type CookieLoginsOptions, cookieLogins } from './core/cookie-logins.js';
// What the options, answers and errors are made of.
export type { OAuth1Params } from './core/credentials-request.js';
export { type RequestReport, requestChannel } from './core/diagnostics.js';
export type { ProviderErrorDetails, Refusal } from './core/errors.js';
export {
  type LoginFailureCode,
  type LoginStep,
  type MalformedCode,
  MalformedError,
  ProviderError,
  RefusedError,
  type UnreachableCode,
  UnreachableError,
} from './core/errors.js';
export { isLocalURL } from './core/local-url.js';
export type { LoginLimits } from './core/login-limits.js';
export type { ClientID, LoginOptions, SkipUserProfile } from './core/login-options.js';
export type { OAuth1AuthenticateOptions } from './core/oauth1-strategy.js';
export type { OAuth2AuthenticateOptions, TokenAnswer } from './core/oauth2-network.js';
export type { LoginRequest, LoginStore, PendingLogin } from './core/pending-login.js';
export type { MappedProfile, Profile, ProfileEmail, ProfileName, ProfilePhoto } from './core/profile.js';
export type { ChallengeEncoding } from './core/proof.js';
export type { OAuth1StoreOption, RequestTokenStore } from './core/request-token-store.js';
export { type SessionLoginsOptions, sessionLogins } from './core/session-logins.js';
export type { OAuth2StoreOption, StateStore } from './core/state-store.js';
export { expiryDate, type Tokens } from './core/tokens.js';
export type {
  Verify,
  VerifyDone,
  VerifyResult,
  VerifyWithParams,
  VerifyWithRequest,
  VerifyWithRequestAndParams,
} from './core/verify.js';
// The networks, and the only list of them.
export {
  type MicroblogAuthenticateOptions,
  MicroblogOAuth1Strategy,
  MicroblogOAuth2Strategy,
  type MicroblogOptions,
  type MicroblogParams,
  type MicroblogProfile,
  MicroblogStrategy,
} from './microblog/index.js';
export {
  type ShortVideoAuthenticateOptions,
  type ShortVideoOptions,
  type ShortVideoParams,
  type ShortVideoProfile,
  ShortVideoStrategy,
} from './short-video/index.js';
export {
  type SocialNetworkAuthenticateOptions,
  type SocialNetworkOptions,
  type SocialNetworkParams,
  type SocialNetworkProfile,
  SocialNetworkStrategy,
  type SocialNetworkVersion,
  type VkIdParams,
  type VkIdProfile,
} from './social-network/index.js';
export type { AnyRecord } from './social-network/record.js';
