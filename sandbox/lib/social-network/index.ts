import { type NetworkDefinition, serve } from '../core/network.js';
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
    const at = { network: 'social-network', faults: CLASSIC_FAULTS };
    return [
      ...serve(socialNetworkClassic(world, accessTokens), { ...at, version: '2.0' }),
      ...serve(vkId(world, accessTokens), { ...at, faults: VK_ID_FAULTS, version: '2.1' }),
      ...serve(socialNetworkApi(world, accessTokens), at),
    ];
  },
} as const satisfies NetworkDefinition;
