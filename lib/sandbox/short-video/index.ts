import type { Endpoint } from '../network.js';
import type { World } from '../world.js';
import { ShortVideoApi } from './api.js';
import { ShortVideoOAuth2 } from './oauth2.js';

/** Every address of the short-video network. */
export function shortVideo(world: World): readonly Endpoint[] {
  const oauth2 = new ShortVideoOAuth2(world);
  return [oauth2, new ShortVideoApi(world, oauth2)].flatMap((network) => network.endpoints);
}
