// `npm run step -- NAME` runs a step that has no script of its own in package.json; without a name, it lists them. Words after the name go to
// the step's command.
import { become } from './run.mjs';

/**
 * `files`: tests that are in no other set. `needsBuild`: run by its name, it builds first; `npm test` and .ci/run have built. `inCI`: further words
 * in .ci/run, which runs only steps that have them.
 *
 * @typedef {{ what: string, command: string, files?: readonly string[], needsBuild?: boolean, inCI?: string }} Command
 */

const CI = { inCI: '' };
const BUILT = { needsBuild: true };
const BUILT_CI = { ...BUILT, ...CI };
/** @param {string} what @param {string} command @param {Partial<Command>} [more] @returns {Command} */
const step = (what, command, more) => ({ what, command, ...more });
/** Tests that need a browser, a database, an installed framework, a process for each or much time. @param {string} what @param {...string} files @returns {Command} */
const tests = (what, ...files) => ({ what, files, command: `mocha '${files.join("' '")}'`, ...CI });
const rehearsals = tests(
  'rehearse at applications with one mistake each',
  'test/sandbox/rehearsal/*.test.ts',
);
/** In a folder with packages of its own. @param {string} folder @param {string} command */
const within = (folder, command) => `npm ci --prefix ${folder} --no-audit --no-fund && ${command}`;
// Without scripts, because packing would build again, while other steps read what is built.
const packages = ['.', 'sandbox', 'check'].map(
  (folder) =>
    `export npm_config_ignore_scripts=true && attw --pack ${folder} --profile strict && publint --strict ${folder}`,
);

/** In the order in which .ci/run begins them: the longest first, and consumers before node-versions, because it installs Node for both. @type {Readonly<Record<string, Command>>} */
export const STEPS = {
  consumers: step('the packed packages in projects, or in those named', 'node tools/consumers.mjs', BUILT_CI),
  frameworks: tests(
    "frameworks' examples, and a fourth network",
    'test/examples/frameworks/*.test.ts',
    'test/contributing.test.ts',
  ),
  rehearsal: { ...rehearsals, command: `${rehearsals.command} --parallel --jobs 3` },
  'node-versions': step('quick tests on other versions of Node', 'node tools/test.mjs nodes', BUILT_CI),
  login: tests('the login example', 'test/examples/login*.test.ts', 'test/examples/accounts.test.ts'),
  cluster: tests('kills processes while users log in', 'test/examples/cluster.test.ts'),
  // All of it every night: .github/workflows/nightly.yml.
  hostility: step('generated hostile input', 'mocha test/hostility/hostility.test.ts --share=1', {
    inCI: '--share=0.04',
  }),
  interop: step(
    'clients and servers of others; writes the tables',
    within('interop', 'npm start --prefix interop --'),
    { inCI: '--check' },
  ),
  'bench-short': step(
    'the benchmark in short rounds',
    within(
      'bench',
      'tsc --noEmit -p bench && npm start --prefix bench -- --quick --only=deployed,anonymous,latency,flight',
    ),
    BUILT_CI,
  ),
  guides: tests('the programs of the guides', 'test/guides/programs/*.test.ts'),
  browsers: tests(
    "the sandbox's pages, and pages that force logins, in Chromium",
    'test/sandbox/pages/browser.test.ts',
    'test/security/foreign-pages.test.ts',
  ),
  package: step('the packed packages, by attw and publint', packages.join(' && '), BUILT_CI),
  coverage: step('the tests of lib/ and check/, with coverage', 'node tools/coverage.mjs'),
  rules: step(
    'the security rules, and the tests of each',
    'node tools/mocha.mjs rules --no-parallel --dry-run --reporter ./tools/security-rules.cjs',
  ),
  tables: step('writes the tables of the guides that follow from lib/', 'node --import tsx tools/tables.mjs'),
  facts: step('fails if a fact of a network stands in two hand-written places', 'node tools/facts.mjs'),
  weight: step('files and lines by room; fails above the ceilings', 'node tools/weight.mjs'),
  trace: step('what one login walks through; with --list, where', 'node --import tsx tools/trace-login.mjs'),
  'add-network': step('begins a network: its name, as in photo-network', 'node tools/add-network.mjs'),
  record: step('turns one real login into exchanges of the tests', 'tsx tools/record.ts'),
  site: step(
    'guides and API reference as one site, in tools/site/dist/site',
    within('tools/site --ignore-scripts', 'npm run --prefix tools/site build'),
  ),
  'site-tests': step('the built site, in Chromium', 'mocha test/site/site.test.ts', {
    files: ['test/site/'],
  }),
  mutants: step('breaks the file after --mutate; prints what no quick test finds', 'stryker run'),
  bench: step('what a login costs; writes its tables', within('bench', 'npm start --prefix bench --'), BUILT),
  peers: step('questions to other packages', within('bench', 'npm run --prefix bench peers --'), BUILT),
};

if (process.argv[1] === import.meta.filename) {
  const [name = '', ...words] = process.argv.slice(2);
  const found = Object.hasOwn(STEPS, name) ? STEPS[name] : undefined;
  if (found) {
    const command = `${found.needsBuild ? 'npm run build && ' : ''}${found.command} "$@"`;
    become('sh', '-c', command, 'sh', ...words);
  } else {
    if (name !== '') console.error(`There is no step "${name}".\n`);
    for (const [known, { what, inCI }] of Object.entries(STEPS))
      console.log(`${inCI === undefined ? ' ' : '*'} ${known.padEnd(14)} ${what}`);
    console.log('\nnpm run step -- NAME. Those with * are in .ci/run.');
    process.exitCode = name === '' ? 0 : 1;
  }
}
