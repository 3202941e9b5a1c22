import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from './support/cleanup.js';

const root = join(__dirname, '..');

/** What compiling and testing a network needs. */
const COPIED = [
  'lib',
  'sandbox/lib',
  'sandbox/package.json',
  'check/lib',
  'check/package.json',
  'test',
  'docs',
  'template',
  'tools/add-network.mjs',
  'tools/esm-wrappers.mjs',
  'biome.json',
  'package.json',
  'rolldown.config.mjs',
  'tsconfig.json',
];

/** Suites that run for every network, and show what a network's own folder can break. The others run with `npm test`. */
const SUITES = [
  'contract',
  'contract/*',
  'core/oauth2/*',
  'core/oauth2/tokens/*',
  'exchanges',
  'sandbox/faults',
]
  .concat(['code-exchange', 'identity', 'pending-logins', 'secrets'].map((name) => `security/${name}`))
  .map((name) => `test/${name}.test.ts`);

/** The lists to which the command adds the network. */
const LISTS = ['lib/index.ts', 'sandbox/lib/networks.ts', 'package.json'];

const BIOME = 'node_modules/@biomejs/biome/bin/biome';

interface MochaReport {
  readonly stats: { readonly pending: number };
  readonly passes: readonly { readonly fullTitle: string }[];
  readonly failures: readonly { readonly fullTitle: string; readonly err: { readonly message?: string } }[];
}

describe('a fourth network, made with the checklist of MAINTAINING.md', function () {
  this.timeout(120_000);
  const copy = temporaryFolder();
  let generated: { readonly status: number | null; readonly output: string };
  let made: readonly string[];

  /** Runs a Node program in the copy; Node's own flags come first. */
  function run(...words: string[]) {
    const program = words.findIndex((word) => !word.startsWith('--'));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      words.with(program, join(copy, words[program] ?? '')),
      { cwd: copy, env: { ...process.env, NO_COLOR: '1' }, timeout: 90_000, encoding: 'utf8' },
    );
    return { status, output: stdout + stderr };
  }

  function expectSuccess(...words: string[]): void {
    const { status, output } = run(...words);
    expect(status, output).to.equal(0);
  }

  before(() => {
    for (const path of COPIED) cpSync(join(root, path), join(copy, path), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    generated = run('tools/add-network.mjs', 'photo-network');
    made = [...generated.output.matchAll(/^made +(.+)$/gm)].map(([, file = '']) => file);
  });

  it('is made by one command, which adds it to three lists and changes nothing else', () => {
    expect(generated.status, generated.output).to.equal(0);
    const files = ['lib', 'sandbox/lib', 'test'].flatMap(filesIn).concat('package.json');
    const changed = files.filter(
      (file) => readFileSync(join(root, file), 'utf8') !== readFileSync(join(copy, file), 'utf8'),
    );
    expect(changed).to.have.members(LISTS);
  });

  it('has its own name everywhere, at most 1,700 lines, and no fact of another network', () => {
    const others =
      /template.network|short.?video|tiktok|microblog|twitter|\bx\.com|social.?network\b(?!s)|\bvk\b/i;
    const texts = made.map((file) => readFileSync(join(copy, file), 'utf8'));
    const named = texts.flatMap((text) =>
      text.split('\n').filter((line) => others.test(line.replaceAll('passport-social-networks', ''))),
    );
    expect(named).to.deep.equal([]);
    expect(texts.join('').split('\n').length).to.be.within(500, 1_700);
  });

  it('compiles', () => {
    const include = ['lib', 'sandbox/lib', 'test/photo-network', 'test/contract.test.ts'];
    writeFileSync(join(copy, 'tsconfig.copy.json'), JSON.stringify({ extends: './tsconfig.json', include }));
    expectSuccess('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.copy.json');
  });

  it('passes the formatter and the linters', () => {
    expectSuccess(BIOME, 'ci', ...LISTS, ...made.filter((file) => !file.endsWith('.md')));
    const own = ['lib/photo-network', 'sandbox/lib/photo-network', 'test/photo-network'];
    expectSuccess('node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', ...own);
  });

  it('is in the build, for require and import', () => {
    expectSuccess('node_modules/rolldown/bin/cli.mjs', '--config');
    expectSuccess('tools/esm-wrappers.mjs', '.');
    const code = `
      import { createRequire } from 'node:module';
      import { PhotoNetworkStrategy } from 'passport-social-networks';
      import photoNetwork, { Strategy } from 'passport-social-networks/photo-network';
      const required = createRequire(import.meta.url)('passport-social-networks/photo-network');
      const strategy = photoNetwork({ clientID: 'a', clientSecret: 'b' }, () => {});
      const isOne = photoNetwork === required.default && Strategy === required.Strategy;
      console.log([isOne, Strategy === PhotoNetworkStrategy, strategy instanceof Strategy].join());`;
    writeFileSync(join(copy, 'consumer.mjs'), code);
    expect(run('consumer.mjs').output).to.equal('true,true,true\n');
  });

  it('passes the contract tests of every strategy, and its own tests', () => {
    const { output } = run(
      '--throw-deprecation',
      '--unhandled-rejections=strict',
      'node_modules/mocha/bin/mocha.js',
      // A failing test may leave a server open, and this test would wait for it.
      '--exit',
      '--no-config',
      '--require=tsx/cjs',
      '--require=./test/setup.ts',
      '--timeout=20000',
      '--reporter=json',
      '--reporter-option=output=report.json',
      '--grep=PhotoNetworkStrategy|photo-network|covers every',
      ...SUITES,
    );
    expect(readdirSync(copy), output).to.include('report.json');
    const report = JSON.parse(readFileSync(join(copy, 'report.json'), 'utf8')) as MochaReport;
    const failures = report.failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.message}`);
    expect(failures.join('\n')).to.equal('');
    expect(report.stats.pending).to.equal(0);
    for (const [part, least] of [
      ['every strategy PhotoNetworkStrategy', 40],
      ['what a login reveals PhotoNetworkStrategy', 7],
      ['exchanges photo-network', 13],
      ["Every one of the sandbox's people", 1],
    ] as const) {
      const passed = report.passes.filter(({ fullTitle }) => fullTitle.startsWith(part));
      expect(passed.length, part).to.be.at.least(least);
    }
  });

  it('is not generated twice, or under a name that cannot be a folder; a fifth one can follow', () => {
    for (const [name, status, message] of [
      ['photo-network', 1, /lib\/photo-network already exists/],
      ['core', 1, /lib\/core already exists/],
      ['PhotoNetwork', 1, /"PhotoNetwork" is not a valid name: use lower-case letters/],
      ['../photos', 1, /"..\/photos" is not a valid name/],
      ['', 1, /"" is not a valid name/],
      ['song-contest', 0, /^made +lib\/song-contest\/facts.ts$/m],
    ] as const) {
      const outcome = run('tools/add-network.mjs', name);
      expect([name, outcome.status]).to.deep.equal([name, status]);
      expect(outcome.output).to.match(message);
    }
  });
});

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name).slice(root.length + 1));
}

describe('the networks of this package', () => {
  it('have no URL of the template left', () => {
    const files = filesIn('lib').filter((file) => file.endsWith('/facts.ts'));
    expect(files).to.have.length.above(2);
    for (const file of files) expect(readFileSync(join(root, file), 'utf8')).to.not.include('.invalid/');
  });
});
