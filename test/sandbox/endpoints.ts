import type { ServedEndpoint } from '../../sandbox/lib/core/network.js';
import { PEOPLE } from '../../sandbox/lib/core/people.js';
import { Clock, World } from '../../sandbox/lib/core/world.js';
import { NETWORKS } from '../../sandbox/lib/networks.js';

const world = new World(new Clock(), PEOPLE, { vkIdCallback: 'flat' });

/** Every endpoint of every network. */
export const ENDPOINTS: readonly ServedEndpoint[] = NETWORKS.flatMap((network) => network.endpoints(world));
