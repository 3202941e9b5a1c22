// Every client that is measured.
import { authCore } from './auth-core.mjs';
import { FLOOR, floor } from './floor.mjs';
import { OURS, ours } from './ours.mjs';
import { passportPeers } from './passport-peers.mjs';

export { FLOOR, OURS };

/**
 * @param {import('../network/processes.mjs').NetworkAddresses} addresses
 * @returns {import('./passport-client.mjs').Client[]}
 */
export function allClients(addresses) {
  return [...floor(addresses), ...ours(addresses), ...passportPeers(addresses), ...authCore(addresses)];
}
