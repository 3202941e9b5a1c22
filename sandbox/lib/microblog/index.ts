import { type Endpoint, type NetworkDefinition, serve } from '../core/network.js';
import { microblogApi } from './api.js';
import { BELIEFS, UNKNOWN } from './beliefs.js';
import { faultResponses } from './error-responses.js';
import { microblogOAuth1 } from './oauth1.js';
import { microblogOAuth2 } from './oauth2.js';
import { APPEARANCE, CLIENTS } from './options.js';

/** The users lookup accepts tokens of both OAuth versions. */
export const microblog = {
  name: 'microblog',
  appearance: APPEARANCE,
  prefixes: ['microblog'],
  clients: CLIENTS,
  beliefs: BELIEFS,
  unknown: UNKNOWN,
  endpoints(world) {
    const [oauth1, oauth2] = [microblogOAuth1(world), microblogOAuth2(world)];
    const served = (endpoints: readonly Endpoint[], version?: string) =>
      serve('microblog', endpoints, faultResponses(world.clock, version), version);
    return [
      ...served(oauth2.endpoints, '2.0'),
      ...served(oauth1.endpoints, '1.0'),
      ...served(microblogApi(world, oauth1, oauth2)),
    ];
  },
} as const satisfies NetworkDefinition;
