import type { SandboxNetwork } from './network.js';

/** Protocol version and kind of client that `sandbox.options()` can be asked for. */
export interface SandboxChoice {
  /** `1.0` and `2.0` at microblog, `2.0` and `2.1` at social-network; the network's own default when absent. */
  readonly version?: '1.0' | '2.0' | '2.1';
  /** Default `confidential`, but `public` for VK ID. */
  readonly client?: 'confidential' | 'public';
}

/** What every strategy takes from the sandbox. */
export interface SandboxOptions {
  /** Identifier of the sandbox's application at the network. */
  readonly clientID: string;
  /** Where the person's record is. */
  readonly profileURL: string;
}

interface Confidential {
  /** Secret of the sandbox's application: it opens nothing but the sandbox. */
  readonly clientSecret: string;
}

/** Addresses of an OAuth 2 login. */
interface OAuth2Addresses {
  /** Where the person says yes or no. */
  readonly authorizationURL: string;
  /** Exchange and refresh. */
  readonly tokenURL: string;
}

interface Revocable {
  /** Ends a token. */
  readonly revocationURL: string;
}

/** Which protocol the options are for. @inline */
interface Version<V extends string> {
  /** Selects the protocol. */
  readonly version: V;
}

/** For the short-video network. */
export interface ShortVideoSandboxOptions extends SandboxOptions, Confidential, OAuth2Addresses, Revocable {}

/** For the microblog network's public client of OAuth 2.0: no secret. */
export interface PublicMicroblogSandboxOptions extends SandboxOptions, OAuth2Addresses, Revocable {}

/** For the microblog network's confidential client of OAuth 2.0. */
export interface MicroblogSandboxOptions extends PublicMicroblogSandboxOptions, Confidential {}

/** For the microblog network's OAuth 1.0a. */
export interface MicroblogOAuth1SandboxOptions
  extends SandboxOptions,
    Confidential,
    Revocable,
    Version<'1.0'> {
  /** Temporary credentials. */
  readonly requestTokenURL: string;
  /** Token credentials. */
  readonly accessTokenURL: string;
  /** Where the person says yes or no. */
  readonly userAuthorizationURL: string;
  /** The users lookup. */
  readonly lookupURL: string;
}

/** For the social network's classic protocol. */
export interface SocialNetworkSandboxOptions extends SandboxOptions, Confidential, OAuth2Addresses {}

/** For the social network's VK ID: no secret. */
export interface VkIdSandboxOptions extends SandboxOptions, OAuth2Addresses, Revocable, Version<'2.1'> {
  /** `users.get`. */
  readonly lookupURL: string;
  /** Ends the person's session at the network. */
  readonly logoutURL: string;
}

/** For an app of VK ID that adds its service token. */
export interface ConfidentialVkIdSandboxOptions extends VkIdSandboxOptions {
  /** The service key that a confidential application adds. */
  readonly serviceToken: string;
}

/** Any of them. */
export type AnySandboxOptions =
  | ShortVideoSandboxOptions
  | PublicMicroblogSandboxOptions
  | MicroblogOAuth1SandboxOptions
  | SocialNetworkSandboxOptions
  | VkIdSandboxOptions
  | ConfidentialVkIdSandboxOptions;

/**
 * Credentials and addresses of the sandbox, to be spread into a strategy's options.
 *
 * @throws TypeError for a version or client that the network does not have.
 */
export interface StrategyOptions {
  (network: 'short-video', choice?: { readonly client?: 'confidential' }): ShortVideoSandboxOptions;
  (
    network: 'microblog',
    choice: { readonly version: '1.0'; readonly client?: 'confidential' },
  ): MicroblogOAuth1SandboxOptions;
  (
    network: 'microblog',
    choice: { readonly version: '2.0'; readonly client: 'public' },
  ): PublicMicroblogSandboxOptions & Version<'2.0'>;
  (network: 'microblog', choice: { readonly client: 'public' }): PublicMicroblogSandboxOptions;
  (
    network: 'microblog',
    choice: { readonly version: '2.0'; readonly client?: 'confidential' },
  ): MicroblogSandboxOptions & Version<'2.0'>;
  (network: 'microblog', choice?: { readonly client?: 'confidential' }): MicroblogSandboxOptions;
  (
    network: 'social-network',
    choice: { readonly version: '2.1'; readonly client: 'confidential' },
  ): ConfidentialVkIdSandboxOptions;
  (
    network: 'social-network',
    choice: { readonly version: '2.1'; readonly client?: 'public' },
  ): VkIdSandboxOptions;
  (
    network: 'social-network',
    choice: { readonly version: '2.0'; readonly client?: 'confidential' },
  ): SocialNetworkSandboxOptions & Version<'2.0'>;
  (network: 'social-network', choice?: { readonly client?: 'confidential' }): SocialNetworkSandboxOptions;
  (network: SandboxNetwork, choice?: SandboxChoice): AnySandboxOptions;
}
