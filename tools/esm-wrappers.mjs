// Writes an .mjs and .d.mts beside each entry of the CommonJS build, so that `import` sees the same classes as
// `require()` under the names it expects, and a factory as the default export.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const require = createRequire(import.meta.url);
const { exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

for (const entry of Object.values(entries)) {
  if (typeof entry === 'string') continue;
  const commonJS = join(root, entry.require.default);
  const names = Object.keys(require(commonJS)).filter((name) => name !== 'default');
  const hasDefault = 'default' in require(commonJS);
  const specifier = `./${commonJS.split('/').at(-1)}`;
  writeFileSync(
    join(root, entry.import.default),
    [
      `import commonJS from '${specifier}';`,
      `export const { ${names.join(', ')} } = commonJS;`,
      ...(hasDefault ? ['export default commonJS.default;'] : []),
      '',
    ].join('\n'),
  );
  writeFileSync(
    join(root, entry.import.types),
    [
      `export * from '${specifier}';`,
      ...(hasDefault ? [`import commonJS from '${specifier}';`, 'export default commonJS.default;'] : []),
      '',
    ].join('\n'),
  );
}
