import { type Endpoint, type NetworkDefinition, serve } from '../core/network.js';
import type { Grant } from '../core/world.js';
import { microblogApi } from './api.js';
import { BELIEFS, UNKNOWN } from './beliefs.js';
import { faultResponses } from './error-responses.js';
import { microblogOAuth1 } from './oauth1.js';
import { microblogOAuth2 } from './oauth2.js';
import { APPEARANCE, CLIENTS } from './options.js';

/** The users lookup accepts tokens of both OAuth versions. */
export const microblog = {
  name: 'microblog',
  otherNames: ['x', 'xcom', 'twitter'],
  appearance: APPEARANCE,
  prefixes: ['microblog'],
  clients: CLIENTS,
  beliefs: BELIEFS,
  unknown: UNKNOWN,
  endpoints(world) {
    const bearers = world.credentials<Grant>();
    const { endpoints: oauth1, verifyAccess } = microblogOAuth1(world);
    const served = (endpoints: readonly Endpoint[], version?: string) =>
      serve(endpoints, { network: 'microblog', faults: faultResponses(world.clock, version), version });
    return [
      ...served(microblogOAuth2(world, bearers), '2.0'),
      ...served(oauth1, '1.0'),
      ...served(microblogApi(world, bearers, verifyAccess)),
    ];
  },
} as const satisfies NetworkDefinition;
