import type { Endpoint, SandboxVersion, ServedEndpoint } from '../network.js';
import type { World } from '../world.js';
import { SocialNetworkApi } from './api.js';
import { SocialNetworkClassic } from './classic.js';
import { socialNetworkFaultResponses } from './error-responses.js';
import { VkId, type VkIdCallback } from './vk-id.js';

/** Every endpoint of the social network: the classic protocol, VK ID, and the API, which accepts tokens of both. */
export function socialNetwork(world: World, vkIdCallback: VkIdCallback): readonly ServedEndpoint[] {
  const classic = new SocialNetworkClassic(world);
  const vkId = new VkId(world, vkIdCallback);
  const api = new SocialNetworkApi(world, (token) => {
    const found = classic.findToken(token);
    return found.state === 'unknown' ? vkId.findToken(token) : found;
  });
  return [
    ...classic.endpoints.map((endpoint) => serve(endpoint, '2.0')),
    ...vkId.endpoints.map((endpoint) => serve(endpoint, '2.1')),
    ...api.endpoints.map((endpoint) => serve(endpoint)),
  ];
}

function serve(endpoint: Endpoint, version?: SandboxVersion): ServedEndpoint {
  const faultResponses = socialNetworkFaultResponses(endpoint, version);
  return { ...endpoint, faultResponses, ...(version && { version }) };
}
