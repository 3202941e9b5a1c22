import { existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { NetworkDefinition } from './support/network-definition.js';

/** The networks, as the shared tests know them: what the folders that are named as those of lib/ define. */
export const NETWORKS: readonly NetworkDefinition[] = readdirSync(join(__dirname, '../lib'))
  // The tests of coverage are compiled.
  .map((network) => join(__dirname, network, `subjects${extname(__filename)}`))
  .filter((file) => existsSync(file))
  .flatMap((file) => Object.values(require(file) as Readonly<Record<string, NetworkDefinition>>));
