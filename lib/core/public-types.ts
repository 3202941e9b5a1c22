import type { AuthenticateCallback, AuthenticateOptions, AuthorizeCallback, Strategy } from 'passport';

/** Passport's options, but for those that a network's own replace: a `state` may be any JSON here. `undefined` means "left out". */
export type WithPassportOptions<Options> = Options & {
  [Name in keyof Omit<AuthenticateOptions, keyof Options>]: AuthenticateOptions[Name] | undefined;
};

/** Arguments of `passport.authenticate` with the options of a network. Each network adds them to the types of Passport. */
export type AuthenticateArguments<Options> = [
  strategy: string | string[] | Strategy,
  options: WithPassportOptions<Options>,
  callback?: AuthenticateCallback,
];

/** The same of `passport.authorize`. */
export type AuthorizeArguments<Options> = [
  strategy: string | string[],
  options: WithPassportOptions<Options>,
  callback?: AuthorizeCallback,
];

/** The types of the core that the declarations of every network name. A project that imports one network alone can name them, too. */
export type { ErrorResponse, LoginStep, RefusalMeaning } from './errors/index.js';
export type {
  AddressedRequest,
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
export type {
  BroughtCode,
  ChallengeEncoding,
  ExchangedCode,
  ExchangeOptions,
  FirstTokens,
  OAuth2AuthenticateOptions,
  RefreshOptions,
  TokenResponse,
  Tokens,
} from './oauth2/index.js';
export type { ClientID, LoginOptions, OAuth2Endpoints } from './options/index.js';
export type { MappedProfile, Profile, ProfileEmail, ProfileName, ProfilePhoto } from './profile.js';
