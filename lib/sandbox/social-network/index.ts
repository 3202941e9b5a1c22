import type { Endpoint } from '../network.js';
import type { World } from '../world.js';
import { SocialNetworkApi } from './api.js';
import { SocialNetworkClassic } from './classic.js';
import { VkId, type VkIdCallback } from './vk-id.js';
import { VkIdApi } from './vk-id-api.js';

/** Every address of the social network, of its classic protocol and of VK ID. Its API takes the tokens of both. */
export function socialNetwork(world: World, vkIdCallback: VkIdCallback): readonly Endpoint[] {
  const classic = new SocialNetworkClassic(world);
  const vkId = new VkId(world, vkIdCallback);
  const api = new SocialNetworkApi(world, (token) => {
    const finding = classic.find(token);
    return finding.state === 'unknown' ? vkId.find(token) : finding;
  });
  const vkIdApi = new VkIdApi(world, (token) => vkId.find(token));
  return [classic, vkId, vkIdApi, api].flatMap((network) => network.endpoints);
}
