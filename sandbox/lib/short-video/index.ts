import type { ServedEndpoint } from '../network.js';
import type { World } from '../world.js';
import { ShortVideoApi } from './api.js';
import { shortVideoFaultResponses } from './error-responses.js';
import { ShortVideoOAuth2 } from './oauth2.js';

/** Every endpoint of the short-video network. */
export function shortVideo(world: World): readonly ServedEndpoint[] {
  const oauth2 = new ShortVideoOAuth2(world);
  const endpoints = [oauth2, new ShortVideoApi(world, oauth2)].flatMap((network) => network.endpoints);
  return endpoints.map((endpoint) => ({
    ...endpoint,
    faultResponses: shortVideoFaultResponses(world.clock, endpoint.name),
  }));
}
