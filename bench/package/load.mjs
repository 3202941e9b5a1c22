// Loads one module in a process of its own, and prints what it took. Arguments: the folder to load from, the specifier, and
// `import` or `require`.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder = '', specifier = '', way] = process.argv.slice(2);
const from = join(folder, 'from.cjs');
const require = createRequire(from);
const address = way === 'import' ? pathToFileURL(require.resolve(specifier)).href : '';
globalThis.gc?.();
const before = process.memoryUsage();
const begin = performance.now();
if (way === 'import') await import(address);
else require(specifier);
const milliseconds = performance.now() - begin;
globalThis.gc?.();
const after = process.memoryUsage();
process.stdout.write(
  JSON.stringify({ milliseconds, heap: after.heapUsed - before.heapUsed, rss: after.rss - before.rss }),
);
