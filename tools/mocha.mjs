// The test files of each set, and `node tools/mocha.mjs SET` runs one in several processes; with `files` for a set, those that are named. Further
// arguments go to mocha. The sets follow from the folders of test/, so a new folder or file needs no entry.
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { become } from './run.mjs';
import { STEPS } from './step.mjs';

/** As many as cores. More would load everything once more each, and `npm test` runs two sets side by side. */
export const PROCESSES = availableParallelism();

const TESTS = join(import.meta.dirname, '../test');
/** Files, and folders before a star. */
const separate = Object.values(STEPS).flatMap(({ files = [] }) =>
  files.map((file) => file.split('*')[0] ?? ''),
);
/** Everything that is not about the code in lib/. */
const AROUND =
  /^test\/(examples|guides|hostility|packaging|sandbox|support|tools|types|(docs|package|workflows)\.test\.ts)/;

/** The longest files start first, so that no process is left with a long file at the end. */
const LONG =
  /^test\/(check\/command-process|core\/http|security|sandbox|tools|(contract|docs|exchanges)\.test)/;

const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  .map((file) => `test/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.test.ts') && !separate.some((place) => file.startsWith(place)))
  .sort((one, other) => Number(LONG.test(other)) - Number(LONG.test(one)) || (one < other ? -1 : 1));
/** The tests of lib/. They are measured for coverage. */
const covered = files.filter((file) => !AROUND.test(file));

export const SUITES = {
  covered,
  around: files.filter((file) => AROUND.test(file)),
  /** Those with security rules. */
  rules: [
    ...files,
    'test/security/foreign-pages.test.ts',
    'test/examples/login.test.ts',
    'test/examples/cluster.test.ts',
    'test/guides/programs/deploying*.test.ts',
  ],
  /** What every strategy does in a login. */
  shared: ['test/contract.test.ts'],
  /**
   * For the time between two changes: the tests of lib/, without child processes, of the security rules only those about secrets, and the
   * guides that repeat words of lib/.
   */
  quick: [
    ...covered.filter(
      (file) =>
        file !== 'test/check/command-process.test.ts' &&
        (!file.startsWith('test/security/') || file.endsWith('/secrets.test.ts')),
    ),
    'test/guides/pages.test.ts',
  ],
};

if (process.argv[1] === import.meta.filename) {
  const [name = '', ...words] = process.argv.slice(2);
  const set = new Map(Object.entries(SUITES)).get(name) ?? [];
  if (name !== 'files') become('mocha', '--parallel', '--jobs', String(PROCESSES), ...words, ...set);
  else if (words.some((word) => word.includes('*') || existsSync(word))) become('mocha', ...words);
  else {
    console.error('Name a test file: npm run test:file -- test/microblog/strategy.test.ts');
    process.exitCode = 1;
  }
}
