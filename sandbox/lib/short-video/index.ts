import { type NetworkDefinition, serve } from '../core/network.js';
import { BELIEFS, UNKNOWN } from './beliefs.js';
import { FAULTS } from './error-responses.js';
import { shortVideoOAuth2 } from './oauth2.js';
import { APPEARANCE, CLIENTS } from './options.js';

export const shortVideo = {
  name: 'short-video',
  otherNames: ['tiktok'],
  appearance: APPEARANCE,
  prefixes: ['short-video'],
  clients: CLIENTS,
  beliefs: BELIEFS,
  unknown: UNKNOWN,
  endpoints: (world) => serve(shortVideoOAuth2(world), { network: 'short-video', faults: FAULTS }),
} as const satisfies NetworkDefinition;
