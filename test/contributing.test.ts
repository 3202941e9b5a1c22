import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(__dirname, '..');

/** What a network needs to be compiled and tested; the rest of the repository tests other things. */
const COPIED = [
  'lib',
  'test/contract',
  'test/contract.test.ts',
  'test/remedies.test.ts',
  'test/sandbox',
  'test/security',
  'test/setup.ts',
  'test/support',
  'tools/add-network.mjs',
  'tools/coverage.mjs',
  'tools/network-template',
  'biome.json',
  'package.json',
  'tsconfig.json',
];

/** The suites in which a network has a row; what else there is of them runs with `npm test`. */
const SUITES = [
  'test/contract.test.ts',
  'test/photo-network/strategy.test.ts',
  'test/remedies.test.ts',
  'test/sandbox/people-logins.test.ts',
  ...['code-exchange', 'emails', 'identity', 'scopes'].map((name) => `test/security/${name}.test.ts`),
];

interface Outcome {
  readonly status: number | null;
  readonly output: string;
}

interface MochaReport {
  readonly stats: { readonly passes: number; readonly pending: number };
  readonly passes: readonly { readonly fullTitle: string }[];
  readonly failures: readonly { readonly fullTitle: string; readonly err: { readonly message?: string } }[];
}

describe('a fourth network, by the checklist of CONTRIBUTING.md', function () {
  this.timeout(120_000);
  let copy: string;
  let generated: Outcome;

  /** Runs a program of Node in the copy; flags of Node come before it. */
  function run(...words: string[]): Outcome {
    const program = words.findIndex((word) => !word.startsWith('--'));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      words.with(program, join(copy, words[program] ?? '')),
      {
        cwd: copy,
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1' },
        timeout: 90_000,
      },
    );
    return { status, output: stdout + stderr };
  }

  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'add-network-'));
    for (const path of COPIED) cpSync(join(root, path), join(copy, path), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    generated = run('tools/add-network.mjs', 'photo-network');
    const [line = ''] = /^export .*$/m.exec(generated.output) ?? [];
    const names = join(copy, 'lib/index.ts');
    writeFileSync(names, `${readFileSync(names, 'utf8')}${line}\n`);
    run('node_modules/@biomejs/biome/bin/biome', 'check', '--write', 'lib/index.ts');
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  it('is made by one command', () => {
    expect(generated).to.include({ status: 0 }, generated.output);
  });

  it('has a folder with the files that the house knows', () => {
    expect(readdirSync(join(copy, 'lib/photo-network')).sort()).to.deep.equal([
      'README.md',
      'endpoints.ts',
      'fields.ts',
      'index.ts',
      'options.ts',
      'profile.ts',
      'record.ts',
      'refusals.ts',
      'strategy.ts',
    ]);
    const standard = readdirSync(join(root, 'lib/short-video')).sort();
    expect(readdirSync(join(copy, 'lib/photo-network')).sort()).to.deep.equal(standard);
  });

  it('is made known in the files that the checklist lists, and in no other', () => {
    const changed = [...generated.output.matchAll(/^changed +(.+)$/gm)].map(([, file]) => file);
    const checklist =
      readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('## Add a network\n')[1] ?? '';
    const [, table = ''] = /^\| file \| .*\n\| --- .*\n((?:\|.*\n)*)/m.exec(checklist) ?? [];
    const listed = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, file]) => file);
    expect(listed).to.have.members(changed);
  });

  it('leaves no placeholder in what it makes', () => {
    const left = [...generated.output.matchAll(/^(?:made|changed) +(.+)$/gm)].filter(([, file = '']) =>
      /\{\{[\w -]+\}\}/.test(readFileSync(join(copy, file), 'utf8')),
    );
    expect(left).to.deep.equal([]);
  });

  it('compiles with the one export line in lib/index.ts', () => {
    const settings = { extends: './tsconfig.json', include: ['lib', 'test'] };
    writeFileSync(join(copy, 'tsconfig.copy.json'), JSON.stringify(settings));
    const { output } = run('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.copy.json');
    expect(output).to.equal('');
  });

  it('has the format and the manners that the linters ask for', () => {
    const files = [...generated.output.matchAll(/^(?:made|changed) +(.+\.(?:ts|mjs|json))$/gm)].map(
      ([, file = '']) => file,
    );
    const biome = run('node_modules/@biomejs/biome/bin/biome', 'ci', 'lib/index.ts', ...files);
    expect(biome.status, biome.output).to.equal(0);
    const own = ['lib/photo-network', 'lib/sandbox/photo-network', 'test/photo-network'];
    const oxlint = run('node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', ...own);
    expect(oxlint.status, oxlint.output).to.equal(0);
  });

  it('passes the contract of every strategy, and its own tests', () => {
    const { output } = run(
      '--throw-deprecation',
      '--unhandled-rejections=strict',
      'node_modules/mocha/bin/mocha.js',
      // A test that fails may leave a server open, which would keep this one waiting.
      '--exit',
      '--no-config',
      '--require=tsx/cjs',
      '--require=./test/setup.ts',
      '--timeout=20000',
      '--reporter=json',
      '--reporter-option=output=report.json',
      '--grep=PhotoNetworkStrategy|photo-network|the photo network|covers every strategy class',
      ...SUITES,
    );
    const file = join(copy, 'report.json');
    expect(existsSync(file), output).to.equal(true);
    const report = JSON.parse(readFileSync(file, 'utf8')) as MochaReport;
    const failures = report.failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.message}`);
    expect(failures.join('\n')).to.equal('');
    expect(report.stats.pending).to.equal(0);
    const titles = report.passes.map(({ fullTitle }) => fullTitle);
    expect(
      titles.filter((title) => title.startsWith('every strategy PhotoNetworkStrategy')),
    ).to.have.length.above(40);
    for (const part of ['the photo network', 'the remedies', "Every one of the sandbox's people"]) {
      expect(
        titles.filter((title) => title.startsWith(part)),
        part,
      ).to.have.length.above(0);
    }
  });

  it('is not made twice, and not under a name that can be no folder or no function', () => {
    for (const [name, problem] of [
      ['photo-network', /lib\/photo-network or lib\/sandbox\/photo-network is there already/],
      ['core', /lib\/core or lib\/sandbox\/core is there already/],
      ['PhotoNetwork', /"PhotoNetwork" is no name: lower-case letters/],
      ['../photos', /"..\/photos" is no name/],
      ['', /"" is no name/],
      ['delete', /"delete" is a word of the language/],
    ] as const) {
      const { status, output } = run('tools/add-network.mjs', name);
      expect([name, status]).to.deep.equal([name, 1]);
      expect(output).to.match(problem);
    }
  });

  it('leaves everything as it was when a place to be changed is not found', () => {
    const file = join(copy, 'lib/sandbox/server.ts');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll("|| prefix === 'social-network'", ''));
    const { status, output } = run('tools/add-network.mjs', 'song-network');
    expect(status).to.equal(1);
    expect(output).to.match(
      /lib\/sandbox\/server\.ts has 0 places that look like .*: correct registrations\.mjs/,
    );
    expect(readdirSync(join(copy, 'lib'))).to.not.include('song-network');
    expect(readFileSync(join(copy, 'lib/sandbox/network.ts'), 'utf8')).to.not.include('song-network');
  });
});

describe('the networks of this package', () => {
  it("have no address of the template's left", () => {
    for (const { name } of readdirSync(join(root, 'lib'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    )) {
      const files = readdirSync(join(root, 'lib', name)).filter((file) => file === 'endpoints.ts');
      for (const file of files) {
        expect(readFileSync(join(root, 'lib', name, file), 'utf8'), name).to.not.match(/\.example[/']/);
      }
    }
  });
});
