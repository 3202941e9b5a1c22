import { type Endpoint, type NetworkDefinition, serve } from '../core/network.js';
import { socialNetworkApi } from './api.js';
import { BELIEFS, UNKNOWN } from './beliefs.js';
import { socialNetworkClassic } from './classic.js';
import { CLASSIC_FAULTS, VK_ID_FAULTS } from './error-responses.js';
import { APPEARANCE, CLIENTS } from './options.js';
import { vkId } from './vk-id.js';

/** The classic protocol, VK ID, and the API, which accepts tokens of both. */
export const socialNetwork = {
  name: 'social-network',
  appearance: APPEARANCE,
  prefixes: ['social-network', 'vk-id'],
  clients: CLIENTS,
  beliefs: BELIEFS,
  unknown: UNKNOWN,
  endpoints(world) {
    const [classic, newer] = [socialNetworkClassic(world), vkId(world)];
    const api = socialNetworkApi(world, (token) => {
      const found = classic.findToken(token);
      return found.state === 'unknown' ? newer.findToken(token) : found;
    });
    const served = (endpoints: readonly Endpoint[], version?: string) =>
      serve('social-network', endpoints, version === '2.1' ? VK_ID_FAULTS : CLASSIC_FAULTS, version);
    return [...served(classic.endpoints, '2.0'), ...served(newer.endpoints, '2.1'), ...served(api)];
  },
} as const satisfies NetworkDefinition;
