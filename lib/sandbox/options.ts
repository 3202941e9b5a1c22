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
  readonly clientID: string;
  readonly profileURL: string;
}

interface Confidential {
  readonly clientSecret: string;
}

/** Addresses of an OAuth 2 login. */
interface OAuth2Addresses {
  readonly authorizationURL: string;
  readonly tokenURL: string;
}

interface Revocable {
  readonly revocationURL: string;
}

interface Version<V extends string> {
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
  readonly requestTokenURL: string;
  readonly accessTokenURL: string;
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
  readonly logoutURL: string;
}

/** For an app of VK ID that adds its service token. */
export interface ConfidentialVkIdSandboxOptions extends VkIdSandboxOptions {
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
