import { Clock } from '../../sandbox/lib/clock.js';
import type { ServedEndpoint } from '../../sandbox/lib/network.js';
import { NETWORKS } from '../../sandbox/lib/networks.js';
import { PEOPLE } from '../../sandbox/lib/people.js';
import { World } from '../../sandbox/lib/world.js';

const world = new World(new Clock(), PEOPLE, { vkIdCallback: 'flat' });

/** Every endpoint of every network. */
export const ENDPOINTS: readonly ServedEndpoint[] = NETWORKS.flatMap((network) => network.endpoints(world));
