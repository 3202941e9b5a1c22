// `node versions.js build 5.4` compiles with one version of TypeScript: the oldest and the newest with each module resolution that they
// have, the others with one.
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

/** @typedef {keyof typeof RESOLUTIONS} Resolution */
/** @type {Readonly<Record<string, readonly Resolution[]>>} */
const CHOSEN = {
  5.4: ['node10', 'node16', 'nodenext', 'bundler'],
  5.6: ['bundler'],
  5.9: ['node16'],
  6: ['node10'],
  // It has no node10.
  7: ['node16', 'nodenext', 'bundler'],
};
/** @type {Readonly<Record<string, string>>} */
const FURTHER_OPTIONS = { 6: ' --ignoreDeprecations 6.0' };

const [, , step = '', version = ''] = process.argv;
for (const name of CHOSEN[version] ?? []) {
  const { options, type } = RESOLUTIONS[name];
  const out = `out/${version}/${name}`;
  if (step === 'start') {
    node(`${out}/login.js`);
  } else {
    node(
      `node_modules/typescript-${version}/bin/tsc -p tsconfig.consumer.json --outDir ${out} ${options}${FURTHER_OPTIONS[version] ?? ''}`,
    );
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
