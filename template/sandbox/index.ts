import { type NetworkDefinition, serve } from '../../sandbox/lib/core/network.js';
import { BELIEFS, UNKNOWN } from './beliefs.js';
import { templateNetwork as play } from './oauth2.js';
import { APPEARANCE, CLIENTS } from './options.js';

export const templateNetwork = {
  name: 'template-network',
  otherNames: [],
  appearance: APPEARANCE,
  prefixes: ['template-network'],
  clients: CLIENTS,
  beliefs: BELIEFS,
  unknown: UNKNOWN,
  endpoints(world) {
    const { endpoints, faults } = play(world);
    return serve(endpoints, { network: 'template-network', faults });
  },
} as const satisfies NetworkDefinition;
