// One file for each entry of the packages, one for what several entries share, and two that are read on demand. Loading forty small files
// took longer than everything else that loading a strategy does.
import { readFileSync } from 'node:fs';
import { defineConfig } from 'rolldown';

/** What core requires on demand. It stays an entry of its own, and what it needs of core stays in core. */
const DEVELOPMENT = { entry: 'core/development', id: '../development.js' };
const SHARED = { name: 'core', test: /\/lib\/core\/(?!oauth1|development)/, minShareCount: 2 };
/** Apart from the entries, whose exports are public. */
const NETWORKS = {
  name: (/** @type {string} */ file) => /\/lib\/(?!core\/)([\w-]+)\/(?!index)/.exec(file)?.[1],
  minShareCount: 2,
};
/** Read where an application asks for `version: '1.0'` or for the class: passport-oauth1 takes longer to load than a network does. */
const OAUTH1 = { name: 'oauth1', test: /\/lib\/(?:core|microblog)\/oauth1/ };

export default [packageIn('.'), packageIn('sandbox'), packageIn('check')];

/** @param {string} folder - Its package.json lists the entries. */
function packageIn(folder) {
  // The commands are the files with side effects.
  const { exports, sideEffects, repository } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const built = [
    ...Object.values(exports).flatMap((entry) => entry.require?.default ?? []),
    ...[sideEffects || []].flat(),
  ];
  const entries = built
    .filter((file) => file.startsWith('./dist/'))
    .map((file) => file.replace('./dist/', '').replace('.js', ''));
  if (folder === '.') entries.push(DEVELOPMENT.entry);
  return defineConfig({
    input: Object.fromEntries(entries.map((entry) => [entry, `${folder}/lib/${entry}.ts`])),
    external: /^[^./]/,
    plugins: [
      { name: 'guides', transform: (code) => withGuideAddresses(code, repository?.url) },
      {
        name: 'development',
        resolveId: (id) => (id === DEVELOPMENT.id ? { id: './development.js', external: true } : null),
      },
      { name: 'finish', generateBundle: (_options, files) => Object.values(files).forEach(finish) },
    ],
    platform: 'node',
    // No module does anything when it is loaded, so an entry leaves out what it does not use of a room.
    treeshake: { moduleSideEffects: false },
    // The built files read like the sources: constants keep their names.
    optimization: { inlineConst: false },
    output: {
      dir: `${folder}/dist`,
      cleanDir: true,
      format: 'cjs',
      exports: 'named',
      strict: true,
      // The declarations have the documentation, where editors look for it.
      comments: { jsdoc: false },
      ...(folder === '.' && {
        codeSplitting: { includeDependenciesRecursively: false, groups: [SHARED, OAUTH1, NETWORKS] },
      }),
      chunkFileNames: ({ name, moduleIds }) => {
        if (moduleIds.some((file) => file.endsWith('/core/http/client.ts'))) return 'core/core.js';
        if (name === 'rolldown-runtime') return 'core/[name].js';
        if (name === OAUTH1.name) return 'microblog/[name].js';
        return folder === 'check' ? 'check/check.js' : '[name]/[name].js';
      },
    },
  });
}

/**
 * Guides are not in the package. Where the code leads to one, this puts the address in the repository, as soon as package.json names that.
 *
 * @param {string} code
 * @param {string} [repository] - `git+https://github.com/<owner>/<name>.git`
 */
export function withGuideAddresses(code, repository) {
  const [, url] = /^git\+(.*)\.git$/.exec(repository ?? '') ?? [];
  return url ? code.replace(/(?<=['"]|Guide: )docs\/(?=[\w-]+\.md)/g, `${url}/blob/main/docs/`) : code;
}

/** @param {import('rolldown').OutputChunk | import('rolldown').OutputAsset} file */
function finish(file) {
  if (file.type !== 'chunk') return;
  // A CommonJS export can wait until somebody reads it, and is the same then for ever.
  const strategy = 'MicroblogOAuth1Strategy';
  file.code = file.code
    .replace(
      /(const require_oauth1 = )(require\("[^"]+"\));/,
      `let oauth1;\n$1{ get ${strategy}() { return (oauth1 ??= $2).${strategy}; } };`,
    )
    .replace(
      `exports.${strategy} = require_oauth1.${strategy};`,
      `Object.defineProperty(exports, "${strategy}", { enumerable: true, get: function() { return require_oauth1.${strategy}; } });`,
    );
  // Node reads a file faster that has nothing but ASCII.
  const escaped = (/** @type {string} */ unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  file.code = file.code.replace(/[^\0-\x7F]/g, escaped);
}
