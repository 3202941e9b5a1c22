// `npm run step -- NAME` runs a step that has no script of its own in package.json; without a name, it lists them. Words after the name go to
// the step's command.
import { spawnSync } from 'node:child_process';
import { PATH, ROOT } from './run.mjs';

/**
 * @typedef {object} Command
 * @property {string} what
 * @property {string} command
 * @property {boolean} [needsBuild] - Run by its name, it builds first; `npm test` and .ci/run have built.
 * @property {string} [inCI] - Further words in .ci/run, which runs only steps that have them.
 */

const own = (/** @type {string} */ folder) => `npm ci --prefix ${folder} --no-audit --no-fund`;
const packages = ['.', 'sandbox', 'check'].map(
  (folder) => `attw --pack ${folder} --profile strict && publint --strict ${folder}`,
);

/** In the order in which .ci/run begins them: the longest first, but consumers after node-versions, which installs Node for both. @type {Readonly<Record<string, Command>>} */
export const STEPS = {
  'node-versions': {
    what: 'the quick tests on the oldest and newest Node, logins on the others',
    command: 'node tools/node-versions.mjs',
    needsBuild: true,
    inCI: '',
  },
  login: {
    what: 'the login example in Chromium, with PostgreSQL and Redis',
    command: 'mocha test/examples/login.test.ts',
    inCI: '',
  },
  frameworks: {
    what: "every framework's example, and a fourth network",
    command: "mocha 'test/examples/frameworks/*.test.ts' test/contributing.test.ts",
    inCI: '',
  },
  consumers: {
    what: 'the packed packages in small projects, on four versions of Node; with names, these projects',
    command: 'node tools/consumers.mjs',
    needsBuild: true,
    inCI: '',
  },
  cluster: {
    what: 'kills processes while users log in, with nginx, PostgreSQL and Redis',
    command: 'mocha test/examples/cluster.test.ts',
    inCI: '',
  },
  hostility: {
    what: 'generated hostile input; a failure prints how to repeat it',
    command: 'tsx test/hostility/main.ts',
    // All of it every night: .github/workflows/nightly.yml.
    inCI: '--share 0.04',
  },
  interop: {
    what: 'clients of others at the sandbox, the strategies at servers of others; writes the tables',
    command: `${own('interop')} && npm start --prefix interop --`,
    inCI: '--check',
  },
  'bench-short': {
    what: 'the benchmark in short rounds; fails if a client cannot log in',
    command: `${own('bench')} && tsc --noEmit -p bench && npm start --prefix bench -- --quick --only=deployed,anonymous,latency,flight,tabs`,
    needsBuild: true,
    inCI: '',
  },
  accounts: {
    what: 'the accounts example, on SQLite and PostgreSQL',
    command: 'mocha test/examples/accounts.test.ts',
    inCI: '',
  },
  rehearsal: {
    what: 'rehearse at applications with one mistake each',
    command: 'mocha test/sandbox/rehearsal.test.ts',
    inCI: '',
  },
  guides: {
    what: 'the programs of the guides, each in a process of its own',
    command: "mocha --parallel --jobs 2 'test/guides/programs/*.test.ts'",
    inCI: '',
  },
  browsers: {
    what: "the sandbox's pages, and pages that force logins, in Chromium",
    command: 'mocha test/sandbox/pages/browser.test.ts test/security/foreign-pages.test.ts',
    inCI: '',
  },
  watch: {
    what: 'a test file, again at every change',
    command: 'mocha --watch --watch-files lib,sandbox/lib,check/lib,test',
  },
  mocha: {
    what: 'some of the tests: --grep "a part of a title"',
    command: 'node tools/mocha.mjs all',
  },
  coverage: { what: 'the tests of lib/ and check/, with coverage', command: 'node tools/coverage.mjs' },
  rules: { what: 'the security rules, and the tests of each', command: 'node tools/security-rules.mjs' },
  tables: {
    what: 'writes the tables of the guides that follow from lib/; with --check, fails if one is stale',
    command: 'node --import tsx tools/tables.mjs',
  },
  facts: {
    what: 'draws twenty facts, by a seed if you name one, and fails if one stands in two hand-written places',
    command: 'node tools/facts.mjs',
  },
  weight: {
    what: 'files and lines by room; with a commit, then and now; fails above the ceilings',
    command: 'node tools/weight.mjs',
  },
  trace: {
    what: 'what one login walks through; with --list, where; with --check, fails above the limits',
    command: 'node --import tsx tools/trace-login.mjs',
  },
  'add-network': {
    what: 'begins a network: its name, as in photo-network',
    command: 'node tools/add-network.mjs',
  },
  record: { what: 'turns one real login into exchanges of the tests', command: 'tsx tools/record/main.ts' },
  package: { what: 'the packed packages, by attw and publint', command: packages.join(' && ') },
  site: {
    what: 'guides and API reference as one site, in tools/site/dist/site; fails if a public name is undocumented',
    command: `${own('tools/site')} --ignore-scripts && npm run --prefix tools/site build`,
  },
  'site-tests': {
    what: "the site's links, search and accessibility in Chromium, after the step site",
    command: "mocha 'test/site/*.test.ts'",
  },
  mutants: {
    what: 'breaks lib/ in small ways, and prints which breaks no test finds (tools/mutants/README.md)',
    command: 'node tools/mutants/main.mjs',
  },
  bench: {
    what: 'what a login costs; writes the tables of bench/README.md',
    command: `${own('bench')} && npm start --prefix bench --`,
    needsBuild: true,
  },
  peers: {
    what: 'the questions to other packages; writes their table',
    command: `${own('bench')} && npm run --prefix bench peers --`,
    needsBuild: true,
  },
};

if (process.argv[1] === import.meta.filename) {
  const [name = '', ...words] = process.argv.slice(2);
  const step = Object.hasOwn(STEPS, name) ? STEPS[name] : undefined;
  if (step) {
    const command = `${step.needsBuild ? 'npm run build && ' : ''}${step.command} "$@"`;
    const env = { ...process.env, PATH };
    const { status } = spawnSync('sh', ['-c', command, 'sh', ...words], { cwd: ROOT, env, stdio: 'inherit' });
    process.exitCode = status ?? 1;
  } else {
    if (name !== '') console.error(`There is no step "${name}".\n`);
    for (const [known, { what, inCI }] of Object.entries(STEPS))
      console.log(`${inCI === undefined ? ' ' : '*'} ${known.padEnd(14)} ${what}`);
    console.log('\nnpm run step -- NAME. Those with * are in .ci/run.');
    process.exitCode = name === '' ? 0 : 1;
  }
}
