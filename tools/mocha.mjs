// The test files of each set, and `node tools/mocha.mjs SET` runs one in several processes; with `files` for a set, those that are named. Further
// arguments go to mocha. The sets follow from the folders of test/, so a new folder or file needs no entry.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** As many as cores. More would load everything once more each, and `npm test` runs two sets side by side. */
export const PROCESSES = availableParallelism();

const TESTS = join(import.meta.dirname, '../test');

/** Need a browser, a database, an installed framework, a process for each test or much time. Each has a step of its own (tools/step.mjs). */
const SEPARATE =
  /^test\/(contributing\.test\.ts|sandbox\/(pages\/browser|rehearsal)\.test\.ts|security\/foreign-pages\.test\.ts|site\/|guides\/programs\/|examples\/(accounts\.test\.ts|login\.test\.ts|cluster\.test\.ts|frameworks\/))/;
/** Everything that is not about the code in lib/. */
const AROUND =
  /^test\/(examples|guides|hostility|packaging|sandbox|support|tools|(docs|package|runner|workflows)\.test\.ts)/;
/** The longest files start first, so that no process is left with a long file at the end. */
const LONG = [
  /^test\/(exchanges\.test|contract\.test|check\/command-process|security|sandbox|hostility)/,
  /^test\/core\/(http\/(connections|deadlines)|oauth2\/(tokens\/refresh))\.test/,
  /^test\/security\/transport\.test/,
];
const lengthOf = (/** @type {string} */ file) => LONG.filter((pattern) => pattern.test(file)).length;

const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  .map((file) => `test/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.test.ts') && !SEPARATE.test(file))
  .sort((one, other) => lengthOf(other) - lengthOf(one) || (one < other ? -1 : 1));

/** The tests of lib/. They are measured for coverage. */
const covered = files.filter((file) => !AROUND.test(file));

export const SUITES = {
  all: files,
  covered,
  around: files.filter((file) => AROUND.test(file)),
  /** Those with security rules. */
  rules: [...files, 'test/security/foreign-pages.test.ts'],
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
    'test/guides/networks.test.ts',
    'test/guides/troubleshooting.test.ts',
  ],
};

if (process.argv[1] === import.meta.filename) {
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
