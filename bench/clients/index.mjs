// Every client that is measured: this package's strategies, and the packages that log users in through the same networks.
import { CALLBACK_URL, passportClient, verify } from './passport-client.mjs';
import { networkOf, OWN, PEERS, urlOptions } from './strategies.mjs';

/** @typedef {import('../network/network.mjs').NetworkAddresses} NetworkAddresses */
/** @typedef {import('../versions.mjs').Version} Version */
/** @typedef {import('./passport-client.mjs').Setup} Setup */

const COMPARED = PEERS.filter(({ network }) => network !== 'plain');

/** The Passport strategy of another package that each network is compared with. @type {Record<string, string>} */
export const PASSPORT_PEERS = Object.fromEntries(COMPARED.map((peer) => [peer.network, peer.package]));

/** @param {NetworkAddresses} addresses @param {Version[]} versions @returns {Promise<import('./passport-client.mjs').Client[]>} */
export async function allClients(addresses, versions) {
  // Not loaded by the applications with one Passport strategy each.
  const { authCore } = await import('./auth-core.mjs');
  const clients = [...passportSetups(addresses, versions).map(passportClient), ...authCore(addresses)];
  return neighbours(clients, ({ subject }) => subject[0]);
}

/** This package's strategies, with their defaults, and its Passport peers, with `state` switched on. @param {NetworkAddresses} addresses @param {Version[]} versions @returns {Setup[]} */
export function passportSetups(addresses, versions) {
  const own = versions.flatMap((version) => ours(addresses, version));
  // passport-tiktok-auth without PKCE: the network wants the challenge in hex, which passport-oauth2 does not support.
  const peers = COMPARED.map((peer) =>
    setup(peer, addresses, peer.package, networkOf(peer).protocol === 'oauth2' ? { state: true } : {}),
  );
  return neighbours([...own, ...peers], ({ network }) => network);
}

/** Microblog 2.0, which stands for all networks if one is enough. @param {Parameters<typeof ours>} settings */
export function oursAtMicroblog(...settings) {
  const found = ours(...settings).find(({ network }) => network === 'microblog 2.0');
  if (!found) throw new Error('There is no client for microblog 2.0.');
  return passportClient(found);
}

/** @param {NetworkAddresses} addresses @param {Version} version @param {object} [extra] - Options for all of them. @returns {Setup[]} */
const ours = (addresses, version, extra = {}) =>
  OWN.flatMap((adapter) => {
    const one = setup(adapter, addresses, version.client, extra, version);
    if (adapter.network !== 'VK ID') return [one];
    const more = setup(
      adapter,
      addresses,
      version.client,
      { ...extra, profileFields: 'screen_name' },
      version,
    );
    return [one, { ...more, network: 'VK ID with profileFields' }];
  });

/**
 * @param {import('./strategies.mjs').Adapter} adapter
 * @param {NetworkAddresses} addresses
 * @param {string} client
 * @param {object} extra
 * @param {Version} [version]
 * @returns {Setup}
 */
function setup(adapter, addresses, client, extra, version) {
  const options = {
    ...adapter.readme,
    callbackURL: CALLBACK_URL,
    ...urlOptions(adapter, addresses),
    ...extra,
  };
  return {
    client,
    network: adapter.network,
    facts: networkOf(adapter),
    create: () => new (adapter.load(version))(options, verify),
  };
}

/** Puts those of one network next to each other, to be measured directly after each other. @template One @param {One[]} all @param {(one: One) => unknown} networkOf */
const neighbours = (all, networkOf) =>
  [...new Set(all.map(networkOf))].flatMap((network) => all.filter((one) => networkOf(one) === network));
