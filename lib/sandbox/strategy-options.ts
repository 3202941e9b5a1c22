import * as applications from './applications.js';
import type { SandboxNetwork } from './network.js';
import type { AnySandboxOptions, SandboxChoice, StrategyOptions } from './options.js';

/** Makes `sandbox.options()` for the sandbox at an address. */
export function strategyOptions(url: string): StrategyOptions {
  const find = (network: SandboxNetwork, choice: SandboxChoice = {}): AnySandboxOptions => {
    const options = optionsOf(url, network, choice);
    return choice.version === undefined ? options : Object.assign(options, { version: choice.version });
  };
  // Each overload says more of the result than the one function behind them can; only a cast joins the two.
  return find as StrategyOptions;
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
      return { ...confidential(applications.SHORT_VIDEO), ...shortVideoAddresses(`${url}/short-video`) };
    case 'microblog':
    case 'microblog confidential':
    case 'microblog 2.0':
    case 'microblog 2.0 confidential':
      return {
        ...confidential(applications.MICROBLOG_CONFIDENTIAL),
        ...microblogAddresses(`${url}/microblog`),
      };
    case 'microblog public':
    case 'microblog 2.0 public':
      return { clientID: applications.MICROBLOG_PUBLIC.id, ...microblogAddresses(`${url}/microblog`) };
    case 'microblog 1.0':
    case 'microblog 1.0 confidential':
      return {
        ...confidential(applications.MICROBLOG_CONSUMER),
        ...microblogOAuth1Addresses(`${url}/microblog`),
      };
    case 'social-network':
    case 'social-network confidential':
    case 'social-network 2.0':
    case 'social-network 2.0 confidential':
      return { ...confidential(applications.SOCIAL_NETWORK), ...classicAddresses(`${url}/social-network`) };
    case 'social-network 2.1':
    case 'social-network 2.1 public':
      return { clientID: applications.VK_ID.id, ...vkIdAddresses(url) };
    case 'social-network 2.1 confidential': {
      const { id: clientID, serviceToken } = applications.VK_ID;
      return { clientID, serviceToken, ...vkIdAddresses(url) };
    }
    default:
      throw new TypeError(`sandbox.options: there is no such network, version and client: ${kind}`);
  }
}

function confidential({ id, secret }: Required<applications.Application>): {
  clientID: string;
  clientSecret: string;
} {
  return { clientID: id, clientSecret: secret };
}

function shortVideoAddresses(network: string) {
  return {
    authorizationURL: `${network}/v2/auth/authorize/`,
    tokenURL: `${network}/v2/oauth/token/`,
    profileURL: `${network}/v2/user/info/`,
    revocationURL: `${network}/v2/oauth/revoke/`,
  };
}

function microblogAddresses(network: string) {
  return {
    authorizationURL: `${network}/i/oauth2/authorize`,
    tokenURL: `${network}/2/oauth2/token`,
    profileURL: `${network}/2/users/me`,
    revocationURL: `${network}/2/oauth2/revoke`,
  };
}

function microblogOAuth1Addresses(network: string) {
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

function classicAddresses(network: string) {
  return {
    authorizationURL: `${network}/authorize`,
    tokenURL: `${network}/access_token`,
    profileURL: `${network}/method/users.get`,
  };
}

function vkIdAddresses(url: string) {
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
