import { build } from 'esbuild';

await build({
  entryPoints: ['program.js'],
  bundle: true,
  platform: 'node',
  format: 'esm',
  outfile: 'out/esbuild.mjs',
  logLevel: 'warning',
  // CommonJS modules in the bundle call `require` for Node's own modules, and an ES module has none.
  banner: { js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);" },
});
