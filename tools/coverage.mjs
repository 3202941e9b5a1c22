// Measures the coverage of lib/ on compiled code, because code that a TypeScript loader adds would count as uncovered
// branches. Excludes the tests of built files and documentation.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';

const SUITES = [
  'core',
  'contract',
  'microblog',
  'exchanges',
  'security',
  'short-video',
  'social-network',
  'tokens',
];

rmSync('build', { recursive: true, force: true });
run('tsc', '-p', 'tsconfig.coverage.json');
cpSync('test/exchanges', 'build/test/exchanges', {
  recursive: true,
  filter: (file) => !file.endsWith('.ts'),
});
run(
  'c8',
  'mocha',
  '--no-config',
  '--require=./build/test/setup.js',
  '--reporter=dot',
  '--timeout=20000',
  ...SUITES.flatMap((suite) => [`build/test/${suite}.test.js`, `build/test/${suite}/**/*.test.js`]),
);

/** @param {string[]} command */
function run(...command) {
  const { status } = spawnSync('npx', ['--no-install', ...command], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
