import type { Faults } from './faults.js';
import type { ServedEndpoint } from './network.js';
import type { RequestLog } from './request-log.js';
import type { World } from './world.js';

/** What a sandbox is made of. */
export interface ServerParts {
  readonly world: World;
  readonly endpoints: readonly ServedEndpoint[];
  readonly faults: Faults;
  readonly log: RequestLog;
}
