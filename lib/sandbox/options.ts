import * as applications from './applications.js';
import type { SandboxNetwork } from './network.js';

/** Protocol version and kind of client for `sandbox.options()`. */
export interface SandboxChoice {
  /** `1.0` or `2.0` at microblog, `2.0` or `2.1` at social-network. Default: the strategy's own default. */
  readonly version?: '1.0' | '2.0' | '2.1';
  /** Default: `confidential`, but `public` for VK ID. */
  readonly client?: 'confidential' | 'public';
}

/** Options that every strategy takes from the sandbox. */
export interface SandboxOptions {
  /** Client identifier of the sandbox's application. */
  readonly clientID: string;
  /** Endpoint of the user's record. */
  readonly profileURL: string;
}

interface Confidential {
  /** Client secret of the sandbox's application; it works nowhere else. */
  readonly clientSecret: string;
}

interface OAuth2URLs {
  /** Authorization endpoint. */
  readonly authorizationURL: string;
  /** Token endpoint. */
  readonly tokenURL: string;
}

interface Revocable {
  /** Revocation endpoint. */
  readonly revocationURL: string;
}

/** @inline */
interface Version<V extends string> {
  /** Selects the protocol. */
  readonly version: V;
}

/** Options for the short-video network. */
export interface ShortVideoSandboxOptions extends SandboxOptions, Confidential, OAuth2URLs, Revocable {}

/** Options for the microblog network's public OAuth 2.0 client, which has no secret. */
export interface PublicMicroblogSandboxOptions extends SandboxOptions, OAuth2URLs, Revocable {}

/** Options for the microblog network's confidential OAuth 2.0 client. */
export interface MicroblogSandboxOptions extends PublicMicroblogSandboxOptions, Confidential {}

/** Options for the microblog network's OAuth 1.0a. */
export interface MicroblogOAuth1SandboxOptions
  extends SandboxOptions,
    Confidential,
    Revocable,
    Version<'1.0'> {
  /** Temporary credential request endpoint. */
  readonly requestTokenURL: string;
  /** Token request endpoint. */
  readonly accessTokenURL: string;
  /** Resource owner authorization endpoint. */
  readonly userAuthorizationURL: string;
  /** Users lookup. */
  readonly lookupURL: string;
}

/** Options for the social network's classic protocol. */
export interface SocialNetworkSandboxOptions extends SandboxOptions, Confidential, OAuth2URLs {}

/** Options for the social network's VK ID, which has no client secret. */
export interface VkIdSandboxOptions extends SandboxOptions, OAuth2URLs, Revocable, Version<'2.1'> {
  /** `users.get`. */
  readonly lookupURL: string;
  /** Ends the user's session at the network. */
  readonly logoutURL: string;
}

/** Options for a confidential VK ID application, which adds its service token. */
export interface ConfidentialVkIdSandboxOptions extends VkIdSandboxOptions {
  /** Service token of the sandbox's application. */
  readonly serviceToken: string;
}

/** Options for any of the networks. */
export type AnySandboxOptions =
  | ShortVideoSandboxOptions
  | PublicMicroblogSandboxOptions
  | MicroblogOAuth1SandboxOptions
  | SocialNetworkSandboxOptions
  | VkIdSandboxOptions
  | ConfidentialVkIdSandboxOptions;

/**
 * Returns the sandbox's credentials and URLs for a network, to spread into the options of a strategy.
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

/** Creates `sandbox.options()` for the sandbox at a URL. */
export function strategyOptions(url: string): StrategyOptions {
  const options = (network: SandboxNetwork, choice: SandboxChoice = {}): AnySandboxOptions => {
    const found = optionsOf(url, network, choice);
    return choice.version === undefined ? found : Object.assign(found, { version: choice.version });
  };
  // TypeScript cannot check an implementation against overloads that differ in their return types.
  return options as StrategyOptions;
}

function optionsOf(
  url: string,
  network: SandboxNetwork,
  { version, client }: SandboxChoice,
): AnySandboxOptions {
  const kind = [network, version, client].filter((part) => part !== undefined).join(' ');
  switch (kind) {
    case 'short-video':
    case 'short-video confidential':
      return { ...confidential(applications.SHORT_VIDEO), ...shortVideoURLs(`${url}/short-video`) };
    case 'microblog':
    case 'microblog confidential':
    case 'microblog 2.0':
    case 'microblog 2.0 confidential':
      return {
        ...confidential(applications.MICROBLOG_CONFIDENTIAL),
        ...microblogURLs(`${url}/microblog`),
      };
    case 'microblog public':
    case 'microblog 2.0 public':
      return { clientID: applications.MICROBLOG_PUBLIC.id, ...microblogURLs(`${url}/microblog`) };
    case 'microblog 1.0':
    case 'microblog 1.0 confidential':
      return {
        ...confidential(applications.MICROBLOG_CONSUMER),
        ...microblogOAuth1URLs(`${url}/microblog`),
      };
    case 'social-network':
    case 'social-network confidential':
    case 'social-network 2.0':
    case 'social-network 2.0 confidential':
      return { ...confidential(applications.SOCIAL_NETWORK), ...classicURLs(`${url}/social-network`) };
    case 'social-network 2.1':
    case 'social-network 2.1 public':
      return { clientID: applications.VK_ID.id, ...vkIdURLs(url) };
    case 'social-network 2.1 confidential': {
      const { id: clientID, serviceToken } = applications.VK_ID;
      return { clientID, serviceToken, ...vkIdURLs(url) };
    }
    default:
      throw new TypeError(`sandbox.options: unknown combination of network, version and client: ${kind}`);
  }
}

function confidential({ id, secret }: Required<applications.Application>): {
  clientID: string;
  clientSecret: string;
} {
  return { clientID: id, clientSecret: secret };
}

function shortVideoURLs(network: string) {
  return {
    authorizationURL: `${network}/v2/auth/authorize/`,
    tokenURL: `${network}/v2/oauth/token/`,
    profileURL: `${network}/v2/user/info/`,
    revocationURL: `${network}/v2/oauth/revoke/`,
  };
}

function microblogURLs(network: string) {
  return {
    authorizationURL: `${network}/i/oauth2/authorize`,
    tokenURL: `${network}/2/oauth2/token`,
    profileURL: `${network}/2/users/me`,
    revocationURL: `${network}/2/oauth2/revoke`,
  };
}

function microblogOAuth1URLs(network: string) {
  return {
    version: '1.0',
    requestTokenURL: `${network}/oauth/request_token`,
    accessTokenURL: `${network}/oauth/access_token`,
    userAuthorizationURL: `${network}/oauth/authenticate`,
    profileURL: `${network}/1.1/account/verify_credentials.json`,
    lookupURL: `${network}/2/users/me`,
    revocationURL: `${network}/1.1/oauth/invalidate_token.json`,
  } as const;
}

function classicURLs(network: string) {
  return {
    authorizationURL: `${network}/authorize`,
    tokenURL: `${network}/access_token`,
    profileURL: `${network}/method/users.get`,
  };
}

function vkIdURLs(url: string) {
  return {
    version: '2.1',
    authorizationURL: `${url}/vk-id/authorize`,
    tokenURL: `${url}/vk-id/oauth2/auth`,
    profileURL: `${url}/vk-id/oauth2/user_info`,
    lookupURL: `${url}/social-network/method/users.get`,
    revocationURL: `${url}/vk-id/oauth2/revoke`,
    logoutURL: `${url}/vk-id/oauth2/logout`,
  } as const;
}
