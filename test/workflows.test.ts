import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { temporaryFolder } from './support/cleanup.js';

const root = join(__dirname, '..');
const github = join(root, '.github');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly uses?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function workflow(name: string): Workflow {
  return parse(read(`.github/workflows/${name}`)) as Workflow;
}

const jobsOf = (name: string): readonly Job[] => Object.values(workflow(name).jobs);
const stepsOf = (name: string): readonly Step[] => jobsOf(name).flatMap(({ steps = [] }) => steps);
const commandsOf = (name: string): string[] => stepsOf(name).flatMap(({ run }) => run ?? []);
const WORKFLOWS = readdirSync(join(github, 'workflows'));
const { engines } = JSON.parse(read('package.json')) as { readonly engines: { readonly node: string } };

describe('continuous integration', () => {
  const { test } = workflow('ci.yml').jobs;
  const majors = test?.strategy?.matrix.node ?? [];

  it('runs on the oldest Node that engines allows, and on the versions of the other checks', () => {
    const [, oldest] = /^>=(\d+)\./.exec(engines.node) ?? [];
    expect(Math.min(...majors)).to.equal(Number(oldest));
    const [, list = ''] = /NODE_VERSIONS = \[(.*)\]/.exec(read('test/packaging/node-binaries.mjs')) ?? [];
    expect([...list.matchAll(/'(\d+)\./g)].map(([, major]) => Number(major))).to.deep.equal(majors);
  });

  it('generates all hostile input and rehearses all protocols every night, and runs the package tests that run by name', () => {
    const byName = readdirSync(join(root, 'test/packaging/consumers')).filter((name) =>
      read(`test/packaging/consumers/${name}/package.json`).includes('"byName": true'),
    );
    expect(commandsOf('nightly.yml').filter((command) => !command.startsWith('npm ci'))).to.deep.equal([
      'npm run step -- hostility',
      'npm run test:file -- test/examples/frameworks/rehearsal.test.ts',
      `npm run step -- consumers ${byName.join(' ')}`,
    ]);
  });
});

describe('a release', () => {
  const folder = temporaryFolder();
  const { jobs } = workflow('release.yml');

  it('is refused for a tag whose commit is not on main', () => {
    const { steps = [] } = jobs.build ?? {};
    const check = steps.find(({ run }) => run?.includes('$GITHUB_SHA'))?.run ?? '';
    expect(steps.find(({ uses }) => uses?.startsWith('actions/checkout'))?.with).to.include({
      'fetch-depth': 0,
    });
    const [upstream, clone] = ['upstream', 'clone'].map((name) => join(folder, name)) as [string, string];
    const git = (at: string, ...words: string[]) =>
      execFileSync('git', ['-C', at, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], {
        encoding: 'utf8',
      }).trim();
    const commit = (message: string) => {
      git(upstream, 'commit', '-q', '--allow-empty', '-m', message);
      return git(upstream, 'rev-parse', 'HEAD');
    };
    execFileSync('git', ['init', '-q', '-b', 'main', upstream]);
    const [earlier, latest] = [commit('first'), commit('second')];
    git(upstream, 'checkout', '-q', '-b', 'elsewhere', earlier);
    const elsewhere = commit('elsewhere');
    git(upstream, 'tag', '-a', '-m', 'x', 'v1', latest);
    execFileSync('git', ['clone', '-q', upstream, clone], { stdio: 'ignore' });
    const isAccepted = (GITHUB_SHA: string) =>
      spawnSync('bash', ['-e', '-c', check], { cwd: clone, env: { ...process.env, GITHUB_SHA } }).status ===
      0;
    expect([earlier, latest, 'v1', elsewhere, 'nothing'].map(isAccepted)).to.deep.equal([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('has an ID token only in the jobs that publish, which run no code of the repository and need no npm token', () => {
    expect(jobs.publish?.permissions).to.deep.equal({ 'id-token': 'write' });
    const { publish: _publish, 'publish-site': _site, ...others } = jobs;
    for (const { permissions } of Object.values(others)) expect(permissions).to.equal(undefined);
    const { steps = [] } = jobs.publish ?? {};
    expect(steps.map(({ uses }) => uses?.replace(/@.*/, ''))).to.deep.equal([
      'actions/setup-node',
      'actions/download-artifact',
      undefined,
    ]);
    for (const line of steps.at(-1)?.run?.trim().split('\n') ?? [])
      expect(line).to.match(/^npm publish .* --ignore-scripts$/);
    expect(read('.github/workflows/release.yml')).to.not.match(/secrets\./);
    for (const name of WORKFLOWS.filter((file) => file !== 'release.yml'))
      expect(read(`.github/workflows/${name}`)).to.not.match(/id-token|secrets\./);
  });
});

describe('every workflow', () => {
  for (const name of WORKFLOWS) {
    it(`${name} has only read permission, a timeout, and no credentials in its checkout`, () => {
      expect(workflow(name).permissions).to.deep.equal({ contents: 'read' });
      for (const job of jobsOf(name).filter(({ uses }) => uses === undefined)) {
        expect(job['timeout-minutes']).to.be.within(1, 60);
      }
      const checkouts = stepsOf(name).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
      for (const checkout of checkouts) expect(checkout.with).to.include({ 'persist-credentials': false });
    });

    it(`${name} pins actions by the full commit hash, with the version in a comment`, () => {
      const actions = [...read(`.github/workflows/${name}`).matchAll(/uses: (?!\.\/)(.+)$/gm)].map(
        ([, use]) => use,
      );
      expect(actions).to.have.length.above(0);
      for (const use of actions) expect(use).to.match(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    });
  }
});

const MOCHA = join(root, 'node_modules/mocha/bin/mocha.js');

describe('a test run', function () {
  this.timeout(30_000);
  const folder = temporaryFolder();

  /** Runs files of tests with the settings of .mocharc.cjs, as `npm test` does. */
  function run(sources: readonly string[]) {
    const files = sources.map((source, index) => {
      const file = join(folder, `${index}.test.cjs`);
      writeFileSync(file, source);
      return file;
    });
    const { stdout, status } = spawnSync(process.execPath, [MOCHA, '--parallel', '--jobs=2', ...files], {
      cwd: root,
      encoding: 'utf8',
    });
    return { output: stdout, lastLine: stdout.trimEnd().split('\n').at(-1), status };
  }

  it('ends with the count of all files, with skipped tests, and fails a test that asks another machine, uses something deprecated or leaves a rejected promise unhandled', () => {
    const { output, lastLine, status } = run([
      "it('d', () => { throw new Error('a reason'); });",
      "it('e', () => {}); it('f');",
      "it('a', (done) => { require('node:http').get('http://network.example/').on('error', done); });",
      "it('b', (done) => { process.emitWarning('a deprecation', 'DeprecationWarning'); });",
      "it('c', (done) => { Promise.reject(new Error('a rejection')); });",
    ]);
    expect([lastLine, status]).to.deep.equal(['1 passed, 4 failed, 1 skipped', 4]);
    expect(output).to.include('Error: a reason');
    expect(output).to.include('Disallowed net connect for "network.example:80/"');
    expect(output).to.include('DeprecationWarning: a deprecation');
    expect(output).to.include('Error: a rejection');
  });
});
