// Every Passport strategy that is measured or questioned: this package's, and its peers, one adapter each.
import { createRequire } from 'node:module';
import { CLIENT_ID, CLIENT_SECRET, NETWORKS } from '../network/networks.mjs';
import { builtPackage, OURS } from '../versions.mjs';
import { passportClient } from './passport-client.mjs';

const require = createRequire(import.meta.url);
const CALLBACK_URL = 'https://app.example/callback';

/** @typedef {import('../network/networks.mjs').Network} Network */
/** @typedef {import('../network/network.mjs').NetworkAddresses} NetworkAddresses */
/** @typedef {import('./passport-client.mjs').Setup} Setup */
/** @typedef {new (options: object, verify: (...given: any[]) => unknown) => import('passport').Strategy} StrategyClass */
/**
 * `network`: with its version, as in `NETWORKS`; `readme`: the options that its README shows, and `settings`: the same in words, README by default; `profileURL`: name of
 * the option, if it has one; `fixed`: the profile URL that it has built in (it is asked questions, and not measured); `released`: when, and `source`:
 * where that is written. The registry does not keep the dates.
 *
 * @typedef {{ package: string, network: string, readme: Readonly<Record<string, unknown>>, settings?: string, profileURL?: string, fixed?: string, released?: string, source?: string, load: () => StrategyClass }} Adapter
 */

const client = { clientID: CLIENT_ID, clientSecret: CLIENT_SECRET };
const consumer = { consumerKey: CLIENT_ID, consumerSecret: CLIENT_SECRET };

/** @type {readonly Adapter[]} */
export const PEERS = [
  {
    package: 'passport-tiktok-auth',
    network: 'short-video',
    readme: { ...client, scope: ['user.info.basic'] },
    profileURL: 'profileURL',
    released: '2025, after August',
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
    profileURL: 'userProfileURL',
    released: 'January 2016',
    source: 'github.com/jaredhanson/passport-twitter: tag v1.0.4, of 2016-01-29',
    load: () => require('passport-twitter'),
  },
  {
    package: 'passport-vkontakte',
    network: 'social-network',
    readme: client,
    profileURL: 'profileURL',
    released: 'October 2020',
    source: 'github.com/stevebest/passport-vkontakte: tag 0.5.0, of 2020-10-12',
    load: () => require('passport-vkontakte').Strategy,
  },
  {
    package: 'passport-vk-id',
    network: 'VK ID',
    readme: {
      ...client,
      scope: ['vkid.personal_info', 'email'],
      provider: 'vkid',
      lang_id: 1,
      scheme: 'light',
    },
    settings: 'README, but by the name that it has, `vkid`: the README’s `vk-id` is an unknown strategy',
    fixed: 'https://id.vk.ru/oauth2/user_info',
    released: 'April 2026',
    source: 'github.com/asedias/passport-vk-id: 1.0.6 in the last commit, of 2026-04-03',
    load: () => require('passport-vk-id').Strategy,
  },
  {
    package: 'passport-oauth2',
    network: 'plain',
    readme: client,
    settings: 'README; it has no profile request of its own',
    released: 'February 2024',
    source: 'CHANGELOG.md in the package: 1.8.0 - 2024-02-02',
    load: () => require('passport-oauth2'),
  },
];

/** This package's, with nothing but their credentials: the networks of the bench are on this machine. @type {readonly Adapter[]} */
const OWN = /** @type {const} */ ([
  ['short-video', 'ShortVideoStrategy', client],
  ['microblog 2.0', 'MicroblogStrategy', client],
  ['microblog 1.0', 'MicroblogStrategy', { ...consumer, version: '1.0' }],
  ['social-network', 'SocialNetworkStrategy', client],
  ['VK ID', 'SocialNetworkStrategy', { ...client, version: '2.1' }],
]).map(([network, name, readme]) => ({
  package: OURS,
  network,
  readme: { ...readme, allowSandbox: true },
  settings: 'README: credentials only',
  profileURL: 'profileURL',
  load: () => builtPackage()[name],
}));

/** All of them, who are asked the questions. */
export const SUBJECTS = [...PEERS, ...OWN].map((adapter) => ({
  ...adapter,
  id: adapter.package === OURS ? `ours: ${adapter.network}` : adapter.package,
}));
/** @typedef {(typeof SUBJECTS)[number]} Subject */

/** @param {string} id */
export const subjectOf = (id) => /** @type {Subject} */ (SUBJECTS.find((subject) => subject.id === id));

/** @param {Adapter} adapter @returns {Network} */
export const networkOf = ({ network }) => /** @type {Network} */ (NETWORKS[network]);

/**
 * The options that the README shows, with the addresses of a network: `token` is the host of VK's token endpoints, `api` that of everything
 * else.
 *
 * @param {Adapter} adapter
 * @param {{ token: string, api: string }} hosts
 * @param {object} extra - More options, which win.
 */
export function optionsOf(adapter, { token, api }, extra) {
  const { paths, protocol } = networkOf(adapter);
  const isVk = adapter.network === 'social-network' || adapter.network === 'VK ID';
  const tokenURL = `${isVk ? token : api}${paths.token}`;
  return {
    ...adapter.readme,
    ...(adapter.profileURL && {
      [adapter.profileURL]: `${adapter.network === 'VK ID' ? token : api}${paths.profile}`,
    }),
    ...(protocol === 'oauth2' && { authorizationURL: `${token}/authorize`, tokenURL }),
    ...(protocol === 'oauth1' && {
      userAuthorizationURL: `${token}/authorize`,
      requestTokenURL: `${api}${paths['request token']}`,
      accessTokenURL: tokenURL,
    }),
    ...(adapter.network === 'VK ID' && { lookupURL: `${api}${NETWORKS['social-network']?.paths.profile}` }),
    ...extra,
  };
}

const COMPARED = SUBJECTS.filter(
  ({ package: name, network, fixed }) => name !== OURS && network !== 'plain' && !fixed,
);

/** The Passport strategy of another package that each network is compared with. @type {Record<string, string>} */
export const PASSPORT_PEERS = Object.fromEntries(COMPARED.map((peer) => [peer.network, peer.package]));

/** Every client that is measured. @param {NetworkAddresses} addresses @returns {Promise<import('./passport-client.mjs').Client[]>} */
export async function allClients(addresses) {
  // Not loaded by the applications with one Passport strategy each.
  const { authCore } = await import('./auth-core.mjs');
  const clients = [...passportSetups(addresses).map(passportClient), ...authCore(addresses)];
  return neighbours(clients, ({ subject }) => subject[0]);
}

/** This package's strategies, with their defaults, and its Passport peers, with `state` switched on. @param {NetworkAddresses} addresses @returns {Setup[]} */
export function passportSetups(addresses) {
  const own = SUBJECTS.filter((subject) => subject.package === OURS).map((one) => setup(one, addresses, {}));
  const fields = setup(subjectOf('ours: VK ID'), addresses, { profileFields: 'screen_name' });
  // passport-tiktok-auth without PKCE: the network wants the challenge in hex, which passport-oauth2 does not support.
  const peers = COMPARED.map((peer) =>
    setup(peer, addresses, networkOf(peer).protocol === 'oauth2' ? { state: true } : {}),
  );
  const all = [...own, { ...fields, network: 'VK ID with profileFields' }, ...peers];
  return neighbours(all, ({ network }) => network);
}

/** Microblog 2.0, which stands for all networks if one is enough. @param {NetworkAddresses} addresses @param {object} options */
export const oursAtMicroblog = (addresses, options) =>
  passportClient(setup(subjectOf('ours: microblog 2.0'), addresses, options));

/** @param {Subject} subject @param {NetworkAddresses} addresses @param {object} extra @returns {Setup} */
const setup = (subject, addresses, extra) => ({
  network: subject.network,
  client: subject.package,
  adapter: subject,
  facts: networkOf(subject),
  options: optionsOf(subject, addresses, { callbackURL: CALLBACK_URL, ...extra }),
});

/** Puts those of one network next to each other, to be measured directly after each other. @template One @param {One[]} all @param {(one: One) => unknown} networkOf */
const neighbours = (all, networkOf) =>
  [...new Set(all.map(networkOf))].flatMap((network) => all.filter((one) => networkOf(one) === network));
