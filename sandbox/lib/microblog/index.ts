import { optionsOf } from '../core/clients.js';
import type { Endpoint, NetworkDefinition, ServedEndpoint } from '../core/network.js';
import { MicroblogApi } from './api.js';
import { BELIEFS, UNKNOWN } from './beliefs.js';
import { microblogFaultResponses } from './error-responses.js';
import { MicroblogOAuth1 } from './oauth1.js';
import { MicroblogOAuth2 } from './oauth2.js';
import { APPEARANCE, CLIENTS, type MicroblogStrategyOptions } from './options.js';

/** The users lookup accepts tokens of both OAuth versions. */
export const microblog = {
  name: 'microblog',
  appearance: APPEARANCE,
  versions: ['1.0', '2.0'],
  prefixes: ['microblog'],
  clients: CLIENTS,
  options: optionsOf<MicroblogStrategyOptions>('microblog', CLIENTS),
  beliefs: BELIEFS,
  unknown: UNKNOWN,
  identify: ({ microblogId }) => microblogId,
  endpoints(world) {
    const oauth1 = new MicroblogOAuth1(world);
    const oauth2 = new MicroblogOAuth2(world);
    const api = new MicroblogApi(world, oauth1, oauth2);
    const serve = (endpoint: Endpoint, version?: string): ServedEndpoint => {
      const faultResponses = microblogFaultResponses(world.clock, endpoint, version);
      return { ...endpoint, faultResponses, ...(version && { version }) };
    };
    return [
      ...oauth2.endpoints.map((endpoint) => serve(endpoint, '2.0')),
      ...oauth1.endpoints.map((endpoint) => serve(endpoint, '1.0')),
      ...api.endpoints.map((endpoint) => serve(endpoint)),
    ];
  },
} as const satisfies NetworkDefinition;
