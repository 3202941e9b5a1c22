// Bundles the strategies' modules into one file for each entry point and one for shared code. Reading forty small files took
// longer than the rest of loading a strategy. The sandbox is not bundled.
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { transform } from 'esbuild';
import { rollup } from 'rollup';

const root = dirname(import.meta.dirname);
const SOURCES = join(root, 'lib');
const BUILT = join(root, 'dist');
const ENTRIES = ['index', 'short-video/index', 'microblog/index', 'social-network/index'];

const bundle = await rollup({
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(SOURCES, `${entry}.ts`)])),
  external: (specifier) => !specifier.startsWith('.') && !specifier.startsWith(SOURCES),
  plugins: [{ name: 'typescript', resolveId: typescriptFile, transform: withoutTypes }],
  onLog(_level, { message }) {
    throw new Error(message);
  },
});
const { output } = await bundle.write({
  dir: BUILT,
  format: 'cjs',
  exports: 'named',
  // Name the shared chunk after the folder of its last module.
  chunkFileNames: ({ moduleIds }) => `${relative(SOURCES, dirname(moduleIds.at(-1) ?? SOURCES))}/shared.js`,
  hoistTransitiveImports: false,
});

const written = new Set(output.map(({ fileName }) => fileName));
for (const file of readdirSync(BUILT, { recursive: true, encoding: 'utf8' })) {
  const isModule = file.endsWith('.js') && !file.startsWith('sandbox/');
  if (isModule && !written.has(file)) rmSync(join(BUILT, file));
}

/**
 * @param {string} specifier As in the source: `./file.js`
 * @param {string | undefined} importer
 */
function typescriptFile(specifier, importer) {
  if (importer === undefined || !specifier.startsWith('.')) return null;
  return join(dirname(importer), specifier.replace(/\.js$/, '.ts'));
}

/** @param {string} code @param {string} file */
async function withoutTypes(code, file) {
  const { code: script } = await transform(code, {
    loader: 'ts',
    format: 'esm',
    target: 'es2022',
    sourcefile: relative(root, file),
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: false, useDefineForClassFields: true } },
  });
  return { code: script, map: null };
}
