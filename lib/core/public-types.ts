/** The types of the core that the declarations of every network name. A project that imports one network alone can name them, too. */
export type { ErrorResponse, LoginStep } from './errors/index.js';
export type {
  LoginAuthenticateOptions,
  LoginRequest,
  LoginStore,
  PendingLogin,
  SkipUserProfile,
  Verify,
  VerifyDone,
  VerifyOptions,
  VerifyResult,
  VerifyValues,
} from './login/index.js';
export type { ChallengeEncoding, OAuth2AuthenticateOptions, TokenResponse, Tokens } from './oauth2/index.js';
export type { ClientID, LoginOptions } from './options/index.js';
export type { MappedProfile, Profile, ProfileEmail, ProfileName, ProfilePhoto } from './profile.js';
