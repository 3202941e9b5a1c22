// Runs the tests on compiled code and measures what of lib/ they reach: what a loader adds on the way from TypeScript would
// count as branches that nobody takes. Tests of built files and pages are left out.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';

const SUITES = [
  'core',
  'contract',
  'microblog',
  'recordings',
  'security',
  'short-video',
  'social-network',
  'tokens',
  'vk-id',
];

rmSync('build', { recursive: true, force: true });
run('tsc', '-p', 'tsconfig.coverage.json');
cpSync('test/recordings', 'build/test/recordings', {
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
