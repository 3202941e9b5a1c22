// Writes an .mjs and .d.mts wrapper for each entry of the CommonJS build of the packages in the given folders. It exports the same classes by name, and the factory
// as the default export. The wrappers import by name only, because a default import of a CommonJS module is `exports` in Node
// but `exports.default` in bundlers.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const require = createRequire(import.meta.url);

for (const folder of process.argv.slice(2)) {
  const { exports: entries } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  for (const entry of Object.values(entries)) wrap(join(root, folder), entry);
}

/**
 * @param {string} folder
 * @param {string | { require: { default: string }, import: { types: string, default: string } }} entry
 */
function wrap(folder, entry) {
  if (typeof entry === 'string') return;
  const commonJS = join(folder, entry.require.default);
  const specifier = `./${basename(commonJS)}`;
  const exported = require(commonJS);
  const names = Object.keys(exported).filter((name) => name !== 'default');
  const factory = names.find((name) => exported[name] === exported.default);
  const asDefault = factory === undefined ? '' : `export { ${factory} as default } from '${specifier}';\n`;
  writeFileSync(
    join(folder, entry.import.default),
    `export { ${names.join(', ')} } from '${specifier}';\n${asDefault}`,
  );
  writeFileSync(join(folder, entry.import.types), `export * from '${specifier}';\n${asDefault}`);
}
