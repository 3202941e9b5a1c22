// `node typescript.js build 5.4` does the compilations of a row, `node typescript.js start 5.4` logs in with each result.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';

/** Module resolution -> the compiler's options. The file's own format follows from the package's type, except for `commonjs`. */
const RESOLUTIONS = {
  node10: { module: 'commonjs', moduleResolution: 'node10' },
  node16: { module: 'node16' },
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};

/**
 * A compilation. The first of the `files` logs in; the others are only compiled.
 *
 * @typedef {{ row: string, resolution: keyof typeof RESOLUTIONS, version?: string, files?: string[], options?: object }} Compilation
 */
const FILES = ['login.ts', 'declarations.ts'];

/**
 * The oldest version of TypeScript with the least and the most of package.json that it reads, the newest with each module resolution that it has, and
 * the others with one.
 *
 * @type {readonly Compilation[]}
 */
const COMPILATIONS = [
  { row: '5.4', resolution: 'node10' },
  { row: '5.4', resolution: 'nodenext' },
  { row: '5.9', resolution: 'node16' },
  { row: '6', resolution: 'node10', options: { ignoreDeprecations: '6.0' } },
  { row: '7', resolution: 'node16' },
  { row: '7', resolution: 'nodenext' },
  { row: '7', resolution: 'bundler' },
  {
    row: 'node10-no-interop',
    version: '5.9',
    resolution: 'node10',
    files: ['no-interop.ts'],
    options: { esModuleInterop: false },
  },
  { row: 'nodenext', version: '7', resolution: 'nodenext', files: ['nodenext-commonjs.cts'] },
  {
    row: 'jest',
    version: '5.9',
    resolution: 'node10',
    files: ['jest.spec.ts'],
    options: { types: ['node', 'jest'] },
  },
];

const [, , step = '', wanted = ''] = process.argv;
for (const compilation of COMPILATIONS.filter(({ row }) => row === wanted)) {
  const { row, resolution, version = row, files = FILES, options } = compilation;
  const out = `out/${row}/${resolution}`;
  if (step === 'start') {
    node(`${out}/${files[0]?.replace(/ts$/, 'js')}`);
    continue;
  }
  // ts-jest reads the same file, and compiles by itself.
  const settings = `tsconfig.${FILES === files ? `${row}-${resolution}` : row}.json`;
  const compilerOptions = { ...RESOLUTIONS[resolution], ...options, outDir: out };
  writeFileSync(settings, JSON.stringify({ extends: './tsconfig.consumer.json', compilerOptions, files }));
  mkdirSync(out, { recursive: true });
  const type = resolution === 'node10' ? 'commonjs' : 'module';
  writeFileSync(`${out}/package.json`, JSON.stringify({ type }));
  if (row !== 'jest')
    node(`node_modules/typescript${version === '5.9' ? '' : `-${version}`}/bin/tsc -p ${settings}`);
}

/** @param {string} words */
function node(words) {
  const { status } = spawnSync(process.execPath, words.split(' '), { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`Error: node ${words}`);
    process.exit(1);
  }
}
