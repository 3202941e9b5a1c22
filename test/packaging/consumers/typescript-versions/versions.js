// `node versions.js build 5.4` compiles with one version of TypeScript, once for each module resolution that it has.
// `node versions.js start 5.4` logs in with each result.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

/** Module resolution -> the compiler's options, and what Node takes the result for. */
const RESOLUTIONS = {
  node10: { options: '--module commonjs --moduleResolution node10', type: 'commonjs' },
  node16: { options: '--module node16', type: 'module' },
  nodenext: { options: '--module nodenext', type: 'module' },
  bundler: { options: '--module esnext --moduleResolution bundler', type: 'module' },
};

/** @type {Readonly<Record<string, Readonly<Record<string, string>>>>} The options of a version that differ, by module resolution. */
const SPECIAL = {
  6: { node10: `${RESOLUTIONS.node10.options} --ignoreDeprecations 6.0` },
  // TypeScript 7 has no node10.
  7: { node10: '' },
};

const [, , step = '', version = ''] = process.argv;
for (const [name, { options, type }] of Object.entries(RESOLUTIONS)) {
  const chosen = SPECIAL[version]?.[name] ?? options;
  if (chosen === '') continue;
  const out = `out/${version}/${name}`;
  if (step === 'start') {
    node(`${out}/login.js`);
  } else {
    node(`node_modules/typescript-${version}/bin/tsc -p tsconfig.consumer.json --outDir ${out} ${chosen}`);
    writeFileSync(`${out}/package.json`, JSON.stringify({ type }));
  }
}

/** @param {string} words */
function node(words) {
  const { status } = spawnSync(process.execPath, words.split(' '), { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`Error: node ${words}`);
    process.exit(1);
  }
}
