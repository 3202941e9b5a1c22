// Every client that is measured: this package's strategies, and the packages that log users in through the same networks.
import { createRequire } from 'node:module';
import { builtPackage } from '../versions.mjs';
import {
  agreeing,
  agreeingToToken,
  agreeingWithDevice,
  CALLBACK_URL,
  passportClient,
  verify,
} from './passport-client.mjs';

/** @typedef {import('../network/network.mjs').NetworkAddresses} NetworkAddresses */
/** @typedef {import('../versions.mjs').Version} Version */

const require = createRequire(import.meta.url);
const CREDENTIALS = { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET-0123456789abcdef' };

/** The Passport strategy of another package that each network is compared with. @type {Record<string, string>} */
export const PASSPORT_PEERS = {
  'short-video': 'passport-tiktok-auth',
  'microblog 2.0': '@superfaceai/passport-twitter-oauth2',
  'microblog 1.0': 'passport-twitter',
  'social-network': 'passport-vkontakte',
};

/** @typedef {import('./passport-client.mjs').Setup} Setup */

/** @param {NetworkAddresses} addresses @param {Version[]} versions @returns {Promise<import('./passport-client.mjs').Client[]>} */
export async function allClients(addresses, versions) {
  // Not loaded by the applications with one Passport strategy each.
  const { authCore } = await import('./auth-core.mjs');
  const clients = [...passportSetups(addresses, versions).map(passportClient), ...authCore(addresses)];
  return neighbours(clients, ({ subject }) => subject[0]);
}

/**
 * This package's strategies, and its Passport peers.
 *
 * @param {NetworkAddresses} addresses
 * @param {Version[]} versions
 * @returns {Setup[]}
 */
export function passportSetups(addresses, versions) {
  const own = versions.flatMap((version) => ours(addresses, version));
  return neighbours([...own, ...passportPeers(addresses)], ({ network }) => network);
}

/** Puts those of one network next to each other, to be measured directly after each other. @template One @param {One[]} all @param {(one: One) => unknown} networkOf */
const neighbours = (all, networkOf) =>
  [...new Set(all.map(networkOf))].flatMap((network) => all.filter((one) => networkOf(one) === network));

/**
 * This package's strategies, with their defaults.
 *
 * @param {NetworkAddresses} addresses
 * @param {Version} version
 * @param {object} [extra] - Options for all of them.
 * @returns {Setup[]}
 */
function ours({ token, api }, version, extra = {}) {
  const authorizationURL = `${token}/authorize`;
  const common = { callbackURL: CALLBACK_URL, ...extra };
  const oauth2 = { ...CREDENTIALS, authorizationURL, ...common };
  const vkId = () => ({
    clientID: CREDENTIALS.clientID,
    authorizationURL,
    // A default store needs a secret, and the protocol has none.
    store: builtPackage(version).cookieLogins({ secrets: 'a secret of more than thirty-two characters' }),
    ...common,
    version: '2.1',
    tokenURL: `${token}/vk-id/auth`,
    profileURL: `${token}/vk-id/user_info`,
    lookupURL: `${api}/social-network/users.get`,
  });
  /** The class, and the function that returns its options. @type {Record<string, [string, () => object]>} */
  const strategies = {
    'short-video': [
      'ShortVideoStrategy',
      () => ({ ...oauth2, tokenURL: `${api}/short-video/token/`, profileURL: `${api}/short-video/user/` }),
    ],
    'microblog 2.0': [
      'MicroblogStrategy',
      () => ({ ...oauth2, tokenURL: `${api}/microblog/token`, profileURL: `${api}/microblog/me` }),
    ],
    'microblog 1.0': [
      'MicroblogStrategy',
      () => ({
        ...CREDENTIALS,
        ...common,
        version: '1.0',
        requestTokenURL: `${api}/microblog/request_token`,
        accessTokenURL: `${api}/microblog/access_token`,
        userAuthorizationURL: authorizationURL,
        profileURL: `${api}/microblog/verify_credentials.json`,
        lookupURL: `${api}/microblog/me`,
      }),
    ],
    'social-network': [
      'SocialNetworkStrategy',
      () => ({
        ...oauth2,
        tokenURL: `${token}/social-network/access_token`,
        profileURL: `${api}/social-network/users.get`,
      }),
    ],
    'VK ID': ['SocialNetworkStrategy', vkId],
    'VK ID with profileFields': [
      'SocialNetworkStrategy',
      () => ({ ...vkId(), profileFields: 'screen_name' }),
    ],
  };
  return Object.entries(strategies).map(([network, [name, options]]) => ({
    client: version.client,
    network,
    create: () => new (builtPackage(version)[name])(options(), verify),
    user: userOf(network),
  }));
}

/** Microblog 2.0, which stands for all networks if one is enough. @param {Parameters<typeof ours>} settings */
export function oursAtMicroblog(...settings) {
  const found = ours(...settings).find(({ network }) => network === 'microblog 2.0');
  if (!found) throw new Error('There is no client for microblog 2.0.');
  return passportClient(found);
}

/** @param {string} network */
function userOf(network) {
  if (network === 'microblog 1.0') return agreeingToToken;
  return network.startsWith('VK ID') ? agreeingWithDevice : agreeing;
}

/** The other packages' strategies, with their defaults, and with `state` switched on. @param {NetworkAddresses} addresses @returns {Setup[]} */
function passportPeers({ token, api }) {
  const authorizationURL = `${token}/authorize`;
  const common = { ...CREDENTIALS, callbackURL: CALLBACK_URL, authorizationURL };
  /** @type {Record<string, object>} */
  const options = {
    // Without PKCE: the network wants the challenge in hex, which passport-oauth2 does not support.
    'short-video': {
      ...common,
      state: true,
      tokenURL: `${api}/short-video/token/`,
      profileURL: `${api}/short-video/user/`,
    },
    'microblog 2.0': {
      ...common,
      clientType: 'confidential',
      tokenURL: `${api}/microblog/token`,
      userProfileURL: `${api}/microblog/me?user.fields=profile_image_url,url`,
    },
    'microblog 1.0': {
      consumerKey: CREDENTIALS.clientID,
      consumerSecret: CREDENTIALS.clientSecret,
      callbackURL: CALLBACK_URL,
      requestTokenURL: `${api}/microblog/request_token`,
      accessTokenURL: `${api}/microblog/access_token`,
      userAuthorizationURL: authorizationURL,
      userProfileURL: `${api}/microblog/verify_credentials.json`,
    },
    'social-network': {
      ...common,
      state: true,
      tokenURL: `${token}/social-network/access_token`,
      profileURL: `${api}/social-network/users.get`,
    },
  };
  return Object.entries(PASSPORT_PEERS).map(([network, client]) => ({
    client,
    network,
    create: () => new (require(client).Strategy)(options[network], verify),
    user: userOf(network),
  }));
}
