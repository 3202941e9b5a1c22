// Runs the tests of lib/ and check/ and measures their coverage, on compiled code, because code that a TypeScript loader adds would count as
// uncovered branches.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { PROCESSES, SUITES } from './mocha.mjs';
import { become } from './run.mjs';

for (const folder of ['lib', 'sandbox', 'check', 'test'])
  rmSync(`build/${folder}`, { recursive: true, force: true });
// `npm run types` checks the types.
become('tsc', '-p', 'tsconfig.coverage.json', '--noCheck');
// What the tests read besides code: exchanges, and the networks' README files.
for (const folder of ['lib', 'test', 'docs'])
  cpSync(folder, `build/${folder}`, { recursive: true, filter: (file) => !file.endsWith('.ts') });
// The check's own package, so that it finds the strategies that were compiled beside it, and not dist/.
mkdirSync('build/node_modules/passport-social-networks', { recursive: true });
writeFileSync(
  'build/node_modules/passport-social-networks/internal.js',
  "module.exports = require('../../lib/internal.js');\n",
);
writeFileSync('build/check/package.json', '{}\n');
process.env.TESTS = 'compiled';
const tests = SUITES.covered.map((file) => `build/${file.replace(/\.ts$/, '.js')}`);
become('c8', 'mocha', '--parallel', `--jobs=${PROCESSES}`, ...tests);
