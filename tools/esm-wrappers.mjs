// Completes the CommonJS build of the packages in the given folders. Each entry gets an .mjs and .d.mts wrapper, which exports the same classes
// by name, and the factory as the default export. The wrappers import by name only, because a default import of a CommonJS module is `exports`
// in Node but `exports.default` in bundlers. Declarations that no entry needs are removed.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

for (const name of process.argv.slice(2)) {
  const folder = join(import.meta.dirname, '..', name);
  const { exports: entries } = require(join(folder, 'package.json'));
  for (const entry of Object.values(entries)) if (typeof entry !== 'string') wrap(folder, entry);
  removeUnneeded(folder, JSON.stringify(entries).match(/[^"]+\.d\.ts/g) ?? []);
}

/** @param {string} folder @param {{ require: { default: string }, import: { types: string, default: string } }} entry */
function wrap(folder, entry) {
  const commonJS = join(folder, entry.require.default);
  const specifier = `./${basename(commonJS)}`;
  const exported = require(commonJS);
  const names = Object.keys(exported).filter((name) => name !== 'default');
  const factory = names.find((name) => exported[name] === exported.default);
  const asDefault = factory === undefined ? '' : `export { ${factory} as default } from '${specifier}';\n`;
  const all = `export { ${names.join(', ')} } from '${specifier}';\n`;
  writeFileSync(join(folder, entry.import.default), `${all}${asDefault}`);
  writeFileSync(join(folder, entry.import.types), `export * from '${specifier}';\n${asDefault}`);
}

/** Removes the declarations to which no import leads from those of the entries. @param {string} folder @param {readonly string[]} entries */
function removeUnneeded(folder, entries) {
  const needed = new Set(entries.map((file) => join(folder, file)).filter((file) => existsSync(file)));
  // The set grows while it is read.
  for (const file of needed) {
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from |import\(?)["'](\.[^"']+)\.js["']/g))
      needed.add(join(dirname(file), `${path}.d.ts`));
  }
  for (const file of readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, 'dist', file);
    if (file.endsWith('.d.ts') && !needed.has(path)) rmSync(path);
  }
}
