import { type Endpoint, type NetworkDefinition, serve } from '../core/network.js';
import type { Grant } from '../core/world.js';
import { socialNetworkApi } from './api.js';
import { BELIEFS, UNKNOWN } from './beliefs.js';
import { socialNetworkClassic } from './classic.js';
import { CLASSIC_FAULTS, VK_ID_FAULTS } from './error-responses.js';
import { APPEARANCE, CLIENTS } from './options.js';
import { vkId } from './vk-id.js';

/** The classic protocol, VK ID, and the API, which accepts tokens of both. */
export const socialNetwork = {
  name: 'social-network',
  otherNames: ['vk', 'vkontakte', 'vkid'],
  appearance: APPEARANCE,
  prefixes: ['social-network', 'vk-id'],
  clients: CLIENTS,
  beliefs: BELIEFS,
  unknown: UNKNOWN,
  endpoints(world) {
    const accessTokens = world.credentials<Grant>();
    const classic = socialNetworkClassic(world, accessTokens);
    const api = socialNetworkApi(world, accessTokens);
    const served = (endpoints: readonly Endpoint[], version?: string) =>
      serve('social-network', endpoints, version === '2.1' ? VK_ID_FAULTS : CLASSIC_FAULTS, version);
    return [...served(classic, '2.0'), ...served(vkId(world, accessTokens), '2.1'), ...served(api)];
  },
} as const satisfies NetworkDefinition;
