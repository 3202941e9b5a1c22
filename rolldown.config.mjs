// One file for each entry of the packages, and one for what several entries share. Loading forty small files took longer than everything
// else that loading a strategy does.
import { defineConfig } from 'rolldown';

const ENTRIES = [
  'index',
  'short-video/index',
  'microblog/index',
  'social-network/index',
  'sandbox/index',
  'sandbox/command',
];

export default defineConfig({
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, `lib/${entry}.ts`])),
  external: /^[^./]/,
  platform: 'node',
  // No module does anything when it is loaded, so an entry leaves out what it does not use of a room.
  treeshake: { moduleSideEffects: false },
  // The built files read like the sources: constants keep their names.
  optimization: { inlineConst: false },
  output: {
    dir: 'dist',
    format: 'cjs',
    exports: 'named',
    strict: true,
    chunkFileNames: ({ moduleIds }) =>
      moduleIds.some((file) => file.endsWith('/core/http/client.ts')) ? 'core/core.js' : '[name]/[name].js',
  },
});
