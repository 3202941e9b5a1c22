import type { Endpoint, SandboxVersion, ServedEndpoint } from '../network.js';
import type { World } from '../world.js';
import { SocialNetworkApi } from './api.js';
import { SocialNetworkClassic } from './classic.js';
import { socialNetworkTroubles } from './troubles.js';
import { VkId, type VkIdCallback } from './vk-id.js';
import { VkIdApi } from './vk-id-api.js';

/** Every address of the social network, of its classic protocol and of VK ID. Its API takes the tokens of both. */
export function socialNetwork(world: World, vkIdCallback: VkIdCallback): readonly ServedEndpoint[] {
  const classic = new SocialNetworkClassic(world);
  const vkId = new VkId(world, vkIdCallback);
  const api = new SocialNetworkApi(world, (token) => {
    const finding = classic.find(token);
    return finding.state === 'unknown' ? vkId.find(token) : finding;
  });
  const vkIdApi = new VkIdApi(world, (token) => vkId.find(token));
  return [
    ...classic.endpoints.map((endpoint) => serve(endpoint, '2.0')),
    ...[vkId, vkIdApi].flatMap(({ endpoints }) => endpoints.map((endpoint) => serve(endpoint, '2.1'))),
    ...api.endpoints.map((endpoint) => serve(endpoint)),
  ];
}

function serve(endpoint: Endpoint, version?: SandboxVersion): ServedEndpoint {
  return { ...endpoint, troubles: socialNetworkTroubles(endpoint, version), ...(version && { version }) };
}
