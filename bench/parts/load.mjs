// A program: loads one module and prints the time and memory that it took. It imports as little as possible, because a module of Node that
// is already loaded costs the measured package nothing.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { folder, specifier, isModule } = JSON.parse(process.argv[2] ?? '{}');
const require = createRequire(join(folder, 'from.cjs'));
const address = isModule ? pathToFileURL(require.resolve(specifier)).href : '';
globalThis.gc?.();
const before = process.memoryUsage();
const begin = performance.now();
if (isModule) await import(address);
else require(specifier);
const milliseconds = performance.now() - begin;
globalThis.gc?.();
const after = process.memoryUsage();
process.stdout.write(
  JSON.stringify({ milliseconds, heap: after.heapUsed - before.heapUsed, rss: after.rss - before.rss }),
);
