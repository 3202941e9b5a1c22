// Runs a set of test files (tools/suites.mjs) in several processes: `node tools/mocha.mjs quick`; with `files`, those that are named.
// Further arguments go to mocha.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROCESSES, SUITES } from './suites.mjs';

const [name = '', ...options] = process.argv.slice(2);
const parallel = ['--parallel', '--jobs', String(PROCESSES)];
if (name === 'files') {
  const tests = options.filter(
    (file) => file.endsWith('.test.ts') && (file.includes('*') || existsSync(file)),
  );
  if (tests.length > 0) runMocha(options);
  else fail('Name a test file: npm run test:file -- test/microblog/strategy.test.ts');
} else {
  const files = new Map(Object.entries(SUITES)).get(name);
  if (files) runMocha([...parallel, ...options, ...files]);
  else fail(`Unknown set "${name}". Available: ${Object.keys(SUITES).join(', ')}.`);
}

/** @param {readonly string[]} options */
function runMocha(options) {
  const mocha = join(import.meta.dirname, '../node_modules/mocha/bin/mocha.js');
  const { status } = spawnSync(process.execPath, [mocha, ...options], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

/** @param {string} reason */
function fail(reason) {
  console.error(reason);
  process.exitCode = 1;
}
