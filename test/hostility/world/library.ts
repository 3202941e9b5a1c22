import { dirname, sep } from 'node:path';
import type * as lib from '../../../lib/index.js';

/** What the library exports. */
export type Library = typeof lib;

/**
 * Loads the library once more. Its module-level state (the default store, the replay guards) is not shared with any
 * other copy, as if it ran in a process of its own.
 */
export function anotherLibrary(): Library {
  const entry = require.resolve('../../../lib/index.js');
  const isOfLibrary = (file: string) => file.startsWith(dirname(entry) + sep);
  const loaded = Object.entries(require.cache).filter(([file]) => isOfLibrary(file));
  const forget = () => {
    for (const file of Object.keys(require.cache).filter(isOfLibrary)) delete require.cache[file];
  };
  forget();
  try {
    return require(entry) as Library;
  } finally {
    forget();
    Object.assign(require.cache, Object.fromEntries(loaded));
  }
}
