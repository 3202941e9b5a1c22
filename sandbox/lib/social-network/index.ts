import { optionsOf } from '../core/clients.js';
import type { Endpoint, NetworkDefinition, ServedEndpoint } from '../core/network.js';
import { SocialNetworkApi } from './api.js';
import { BELIEFS, UNKNOWN } from './beliefs.js';
import { SocialNetworkClassic } from './classic.js';
import { socialNetworkFaultResponses } from './error-responses.js';
import { APPEARANCE, CLIENTS, type SocialNetworkStrategyOptions } from './options.js';
import { VkId } from './vk-id.js';

/** The classic protocol, VK ID, and the API, which accepts tokens of both. */
export const socialNetwork = {
  name: 'social-network',
  appearance: APPEARANCE,
  versions: ['2.0', '2.1'],
  prefixes: ['social-network', 'vk-id'],
  clients: CLIENTS,
  options: optionsOf<SocialNetworkStrategyOptions>('social-network', CLIENTS),
  beliefs: BELIEFS,
  unknown: UNKNOWN,
  identify: ({ socialNetworkId }) => String(socialNetworkId),
  endpoints(world) {
    const classic = new SocialNetworkClassic(world);
    const vkId = new VkId(world);
    const api = new SocialNetworkApi(world, (token) => {
      const found = classic.findToken(token);
      return found.state === 'unknown' ? vkId.findToken(token) : found;
    });
    return [
      ...classic.endpoints.map((endpoint) => serve(endpoint, '2.0')),
      ...vkId.endpoints.map((endpoint) => serve(endpoint, '2.1')),
      ...api.endpoints.map((endpoint) => serve(endpoint)),
    ];
  },
} as const satisfies NetworkDefinition;

function serve(endpoint: Endpoint, version?: string): ServedEndpoint {
  const faultResponses = socialNetworkFaultResponses(endpoint, version);
  return { ...endpoint, faultResponses, ...(version && { version }) };
}
