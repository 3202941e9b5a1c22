// Every Passport strategy that is measured or questioned: this package's, and its peers, one adapter each.
import { createRequire } from 'node:module';
import { NETWORKS } from '../network/networks.mjs';
import { builtPackage, OURS } from '../versions.mjs';

const require = createRequire(import.meta.url);
export const CLIENT_ID = 'client-of-the-bench';
export const CLIENT_SECRET = 'canary-client-secret-4f1d';

/** @typedef {import('../network/networks.mjs').Network} Network */
/** @typedef {new (options: object, verify: (...given: any[]) => unknown) => import('passport').Strategy} StrategyClass */
/**
 * @typedef {object} Adapter
 * @property {string} package
 * @property {string} network - With its version, as in `NETWORKS`.
 * @property {Readonly<Record<string, unknown>>} readme - The options that its README shows.
 * @property {Readonly<Record<string, unknown>>} [safer] - Those that it or its base documents besides.
 * @property {string} settings - The same in words.
 * @property {string} [profileURL] - Name of the option, if it requests profiles.
 * @property {string} [released] - When, and `source`: where that is written. The registry does not keep the dates.
 * @property {string} [source]
 * @property {(version?: import('../versions.mjs').Version) => StrategyClass} load
 */

const client = { clientID: CLIENT_ID, clientSecret: CLIENT_SECRET };
const consumer = { consumerKey: CLIENT_ID, consumerSecret: CLIENT_SECRET };

/** @type {readonly Adapter[]} */
export const PEERS = [
  {
    package: 'passport-tiktok-auth',
    network: 'short-video',
    readme: { ...client, scope: ['user.info.basic'] },
    safer: { store: true },
    settings:
      'README, plus `store: true`; no `pkce`: its challenge is base64url, and the network wants hex and refuses the login',
    profileURL: 'profileURL',
    released: 'after August 2025',
    source: 'github.com/mystery-man/passport-tiktok: 1.0.11 in the last commit, of 2025-08-08',
    load: () => require('passport-tiktok-auth').Strategy,
  },
  {
    package: '@superfaceai/passport-twitter-oauth2',
    network: 'microblog 2.0',
    readme: { ...client, clientType: 'confidential' },
    settings: 'README (`clientType: "confidential"`); it forces `state` and `pkce` itself',
    profileURL: 'userProfileURL',
    released: 'February 2024',
    source: 'github.com/superfaceai/passport-twitter-oauth2: CHANGELOG.md, 1.2.4 - 2024-02-06',
    load: () => require('@superfaceai/passport-twitter-oauth2').Strategy,
  },
  {
    package: 'passport-twitter',
    network: 'microblog 1.0',
    readme: consumer,
    safer: { store: true },
    settings: 'README, plus `store: true`, which carries the application’s state',
    profileURL: 'userProfileURL',
    released: 'January 2016',
    source: 'github.com/jaredhanson/passport-twitter: tag v1.0.4, of 2016-01-29',
    load: () => require('passport-twitter'),
  },
  {
    package: 'passport-vkontakte',
    network: 'social-network',
    readme: client,
    safer: { store: true },
    settings: 'README, plus `store: true`',
    profileURL: 'profileURL',
    released: 'October 2020',
    source: 'github.com/stevebest/passport-vkontakte: tag 0.5.0, of 2020-10-12',
    load: () => require('passport-vkontakte').Strategy,
  },
  {
    package: 'passport-oauth2',
    network: 'plain',
    readme: client,
    safer: { store: true, pkce: true },
    settings: 'README, plus `store: true` and `pkce: true`; it has no profile request of its own',
    released: 'February 2024',
    source: 'CHANGELOG.md in the package: 1.8.0 - 2024-02-02',
    load: () => require('passport-oauth2'),
  },
];

/** This package's, with nothing but their credentials. @type {readonly Adapter[]} */
export const OWN = /** @type {const} */ ([
  ['short-video', 'ShortVideoStrategy', client],
  ['microblog 2.0', 'MicroblogStrategy', client],
  ['microblog 1.0', 'MicroblogStrategy', { ...consumer, version: '1.0' }],
  ['social-network', 'SocialNetworkStrategy', client],
  ['VK ID', 'SocialNetworkStrategy', { ...client, version: '2.1' }],
]).map(([network, name, readme]) => ({
  package: OURS,
  network,
  readme,
  settings: 'README: credentials only',
  profileURL: 'profileURL',
  load: (version) => builtPackage(version)[name],
}));

/** Who is asked questions about security. */
export const SUBJECTS = [...PEERS, ...OWN].map((adapter) => ({
  ...adapter,
  id: adapter.package === OURS ? `ours: ${adapter.network}` : adapter.package,
}));
/** @typedef {(typeof SUBJECTS)[number]} Subject */

/** @param {Adapter} adapter @returns {Network} */
export const networkOf = ({ network }) => /** @type {Network} */ (NETWORKS[network]);

/**
 * The options for the addresses of a network: `token` is the host of VK's token endpoints, `api` that of everything else.
 *
 * @param {Adapter} adapter
 * @param {{ token: string, api: string }} hosts
 */
export function urlOptions(adapter, { token, api }) {
  const { paths, protocol } = networkOf(adapter);
  const isVk = adapter.network === 'social-network' || adapter.network === 'VK ID';
  const at = (/** @type {string | undefined} */ path, host = api) => `${host}${path}`;
  const tokenURL = at(paths.token, isVk ? token : api);
  const profile = at(paths.profile, adapter.network === 'VK ID' ? token : api);
  return {
    ...(adapter.profileURL !== undefined && { [adapter.profileURL]: profile }),
    ...(protocol === 'oauth2' && { authorizationURL: `${token}/authorize`, tokenURL }),
    ...(protocol === 'oauth1' && {
      userAuthorizationURL: `${token}/authorize`,
      requestTokenURL: at(paths['request token']),
      accessTokenURL: tokenURL,
    }),
    ...(adapter.network === 'VK ID' && { lookupURL: at(NETWORKS['social-network']?.paths.profile) }),
  };
}
