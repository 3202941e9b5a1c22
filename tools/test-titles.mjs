import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Lists the tests that mocha would run, without running them. Mocha reports to a file, because test modules may print while they load.
 *
 * @param {readonly string[]} mochaArguments
 * @returns {{ title: string, file?: string }[]}
 */
export function testsOf(mochaArguments) {
  const folder = mkdtempSync(join(tmpdir(), 'test-titles-'));
  const output = join(folder, 'tests.json');
  try {
    const mocha = join(import.meta.dirname, '../node_modules/mocha/bin/mocha.js');
    const options = ['--dry-run', '--reporter', 'json', '--reporter-option', `output=${output}`];
    const { status, stderr } = spawnSync(process.execPath, [mocha, ...options, ...mochaArguments], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    if (status !== 0) throw new Error(`mocha could not list the tests.\n${stderr}`);
    return JSON.parse(readFileSync(output, 'utf8')).tests;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
