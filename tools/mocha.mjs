// Runs a set of test files (tools/suites.mjs) in several processes: `node tools/mocha.mjs quick`. Further arguments go to mocha.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PROCESSES, SUITES } from './suites.mjs';

const [name = '', ...options] = process.argv.slice(2);
const files = new Map(Object.entries(SUITES)).get(name);
if (files === undefined)
  throw new Error(`Unknown set "${name}". Available: ${Object.keys(SUITES).join(', ')}.`);

const mocha = join(import.meta.dirname, '../node_modules/mocha/bin/mocha.js');
const parallel = ['--parallel', '--jobs', String(PROCESSES)];
const { status } = spawnSync(process.execPath, [mocha, ...parallel, ...options, ...files], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
