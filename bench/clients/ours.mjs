// Our strategies, as the build left them, with their defaults.
import { createRequire } from 'node:module';
import {
  agreeing,
  agreeingToToken,
  agreeingWithDevice,
  CALLBACK_URL,
  passportClient,
  verify,
} from './passport-client.mjs';

const require = createRequire(import.meta.url);
export const OURS = 'passport-social-networks';

/**
 * @returns {any}
 * @throws {Error} in one line when it was not built.
 */
export function builtPackage() {
  try {
    return require('../../dist/index.js');
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    throw code === 'MODULE_NOT_FOUND'
      ? new Error(`Build first (npm run build): ${message.split('\n')[0]}`)
      : error;
  }
}

/**
 * @param {import('../network/processes.mjs').NetworkAddresses} addresses
 * @param {object} [extra] - Options for all of them, for example a store.
 * @returns {import('./passport-client.mjs').Client[]}
 */
export function ours({ token, api }, extra = {}) {
  const { ShortVideoStrategy, MicroblogStrategy, SocialNetworkStrategy } = builtPackage();
  const common = { clientID: 'CLIENT-ID', callbackURL: CALLBACK_URL, ...extra };
  const confidential = { ...common, clientSecret: 'CLIENT-SECRET' };
  const authorizationURL = `${token}/authorize`;
  const vkId = {
    ...common,
    version: '2.1',
    authorizationURL,
    tokenURL: `${token}/vk-id/auth`,
    profileURL: `${token}/vk-id/user_info`,
    lookupURL: `${api}/social-network/users.get`,
  };
  const strategies = {
    'short-video': new ShortVideoStrategy(
      {
        ...confidential,
        authorizationURL,
        tokenURL: `${api}/short-video/token/`,
        profileURL: `${api}/short-video/user/`,
      },
      verify,
    ),
    'microblog 2.0': new MicroblogStrategy(
      {
        ...confidential,
        authorizationURL,
        tokenURL: `${api}/microblog/token`,
        profileURL: `${api}/microblog/me`,
      },
      verify,
    ),
    'microblog 1.0': new MicroblogStrategy(
      {
        ...confidential,
        version: '1.0',
        requestTokenURL: `${api}/microblog/request_token`,
        accessTokenURL: `${api}/microblog/access_token`,
        userAuthorizationURL: authorizationURL,
        profileURL: `${api}/microblog/verify_credentials.json`,
        lookupURL: `${api}/microblog/me`,
      },
      verify,
    ),
    'social-network': new SocialNetworkStrategy(
      {
        ...confidential,
        authorizationURL,
        tokenURL: `${token}/social-network/access_token`,
        profileURL: `${api}/social-network/users.get`,
      },
      verify,
    ),
    'VK ID': new SocialNetworkStrategy(vkId, verify),
    'VK ID with profileFields': new SocialNetworkStrategy({ ...vkId, profileFields: 'screen_name' }, verify),
  };
  return Object.entries(strategies).map(([network, strategy]) =>
    passportClient(OURS, network, strategy, personFor(network)),
  );
}

/** @param {string} network */
function personFor(network) {
  if (network === 'microblog 1.0') return agreeingToToken;
  return network.startsWith('VK ID') ? agreeingWithDevice : agreeing;
}
