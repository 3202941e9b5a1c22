import { optionsOf } from '../core/clients.js';
import type { NetworkDefinition } from '../core/network.js';
import { ShortVideoApi } from './api.js';
import { BELIEFS, UNKNOWN } from './beliefs.js';
import { shortVideoFaultResponses } from './error-responses.js';
import { ShortVideoOAuth2 } from './oauth2.js';
import { APPEARANCE, CLIENTS, type ShortVideoStrategyOptions } from './options.js';

export const shortVideo = {
  name: 'short-video',
  appearance: APPEARANCE,
  versions: [],
  prefixes: ['short-video'],
  clients: CLIENTS,
  options: optionsOf<ShortVideoStrategyOptions>('short-video', CLIENTS),
  beliefs: BELIEFS,
  unknown: UNKNOWN,
  identify: ({ openId }) => openId,
  endpoints(world) {
    const oauth2 = new ShortVideoOAuth2(world);
    const endpoints = [oauth2, new ShortVideoApi(world, oauth2)].flatMap((network) => network.endpoints);
    return endpoints.map((endpoint) => ({
      ...endpoint,
      faultResponses: shortVideoFaultResponses(world.clock, endpoint.name),
    }));
  },
} as const satisfies NetworkDefinition;
