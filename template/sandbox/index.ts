import { optionsOf } from '../../sandbox/lib/core/clients.js';
import { type NetworkDefinition, serve } from '../../sandbox/lib/core/network.js';
import { BELIEFS, UNKNOWN } from './beliefs.js';
import { identify, templateNetwork as play } from './oauth2.js';
import { APPEARANCE, CLIENTS, type TemplateNetworkStrategyOptions } from './options.js';

export const templateNetwork = {
  name: 'template-network',
  appearance: APPEARANCE,
  versions: [],
  prefixes: ['template-network'],
  clients: CLIENTS,
  options: optionsOf<TemplateNetworkStrategyOptions>('template-network', CLIENTS),
  beliefs: BELIEFS,
  unknown: UNKNOWN,
  identify,
  endpoints(world) {
    const { endpoints, faults } = play(world);
    return serve('template-network', endpoints, faults);
  },
} as const satisfies NetworkDefinition;
