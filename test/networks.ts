import { microblog } from './microblog/subjects.js';
import { shortVideo } from './short-video/subjects.js';
import { socialNetwork } from './social-network/subjects.js';
import type { NetworkDefinition } from './support/network-definition.js';

/** The networks, as the shared tests know them. The only list of networks in the tests. */
export const NETWORKS: readonly NetworkDefinition[] = [shortVideo, microblog, socialNetwork];
