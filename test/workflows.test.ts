import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { partOf } from './hostility/kinds.js';

const root = join(__dirname, '..');
const github = join(root, '.github');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly uses?: string;
  readonly needs?: string | readonly string[];
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
  readonly container?: { readonly image: string };
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on: {
    readonly push?: { readonly tags?: readonly string[]; readonly branches?: readonly string[] };
    readonly schedule?: readonly { readonly cron: string }[];
  };
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Update {
  readonly 'package-ecosystem': string;
  readonly directories?: readonly string[];
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
const manifest = JSON.parse(read('package.json')) as {
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
};

describe('continuous integration', () => {
  const { test } = workflow('ci.yml').jobs;
  const majors = test?.strategy?.matrix.node ?? [];

  it('runs only .ci/run, on each version of Node', () => {
    expect(commandsOf('ci.yml')[0]).to.equal('bash .ci/run');
    expect(test?.steps?.flatMap(({ run }) => run ?? [])).to.deep.equal(['bash .ci/run']);
    expect(test?.container?.image).to.match(/^node:\$\{\{ matrix\.node \}\}-/);
  });

  it('runs on the oldest Node that engines allows, and on the versions of the other checks and of CONTRIBUTING.md', () => {
    const [, oldest] = /^>=(\d+)\./.exec(manifest.engines.node) ?? [];
    expect(Math.min(...majors)).to.equal(Number(oldest));
    const [, list = ''] = /NODE_VERSIONS = \[(.*)\]/.exec(read('test/packaging/node-binaries.mjs')) ?? [];
    expect([...list.matchAll(/'(\d+)\./g)].map(([, major]) => Number(major))).to.deep.equal(majors);
    expect(read('CONTRIBUTING.md').replaceAll('\n', ' ')).to.include(
      `runs that same script on Node ${majors.slice(0, -1).join(', ')} and ${majors.at(-1)}.`,
    );
  });

  it('ends with npm test, which measures coverage, and fails as soon as a step fails', () => {
    const script = read('.ci/run');
    expect(script.trimEnd().split('\n').at(-1)).to.equal('npm test');
    expect(script).to.match(/^set -euo pipefail$/m);
    expect(read('tools/test.mjs')).to.include("'node tools/coverage.mjs'");
  });

  it('generates a part of the hostile input, and all of it every night', () => {
    expect(read('tools/checks.mjs')).to.include("'npm run hostility -- --share 0.06'");
    expect(commandsOf('nightly.yml').at(-1)).to.equal('npm run hostility');
    expect(workflow('nightly.yml').on.schedule).to.have.length(1);
    expect(partOf(1)).to.include({ responses: 60_000, callbacks: 60_000, interleavings: 6_000 });
    expect(Object.values(partOf(1)).reduce((sum, amount) => sum + amount)).to.be.at.least(200_000);
    expect(partOf(0.06)).to.include({ responses: 3_600, callbacks: 3_600, interleavings: 360 });
  });

  it('runs for pull requests, on main and before a release', () => {
    const { on } = workflow('ci.yml');
    expect(on).to.have.all.keys('push', 'pull_request', 'workflow_call');
    expect(on.push?.branches).to.deep.equal(['main']);
    expect(workflow('release.yml').jobs.test?.uses).to.equal('./.github/workflows/ci.yml');
  });
});

describe('a release', () => {
  const { on, jobs } = workflow('release.yml');

  it('starts with a tag and publishes both packages with provenance, built after all tests', () => {
    expect(on).to.deep.equal({ push: { tags: ['v*'] } });
    expect([jobs.build?.needs, jobs.publish?.needs]).to.deep.equal(['test', 'build']);
    const published = commandsOf('release.yml')
      .at(-1)
      ?.match(/npm publish .*$/gm);
    expect(published).to.have.length(2);
    for (const command of published ?? []) {
      expect(command).to.match(
        /^npm publish "\.\/passport-social-networks(-sandbox)?-\$\{TAG#v\}\.tgz" --provenance /,
      );
    }
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

  it('publishes the documentation site after the packages, from a job that only deploys what another one built', () => {
    const { needs, environment, permissions, steps } = jobs['publish-site'] ?? {};
    expect({ needs, environment, permissions }).to.deep.equal({
      needs: ['publish', 'site'],
      environment: 'github-pages',
      permissions: { pages: 'write', 'id-token': 'write' },
    });
    expect(steps?.map(({ uses }) => uses?.replace(/@.*/, ''))).to.deep.equal(['actions/deploy-pages']);
    const { needs: first, steps: building = [] } = jobs.site ?? {};
    expect(first).to.equal('test');
    expect(building.at(-2)?.run).to.equal('npm run docs:site');
    expect(building.at(-1)?.uses).to.match(/^actions\/upload-pages-artifact@/);
    expect(building.at(-1)?.with).to.deep.equal({ path: 'tools/site/dist/site' });
  });

  it('publishes only if the version matches the tag and has a changelog entry', () => {
    const check = commandsOf('release.yml').find((command) => command.includes('CHANGELOG.md')) ?? '';
    expect(check).to.include('test "$TAG" = "v$version"');
    expect(read('CHANGELOG.md')).to.match(/^## \[/m);
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

    it(`${name} calls only scripts that package.json has`, () => {
      const called = commandsOf(name).flatMap((command) => [...command.matchAll(/npm run ([\w:-]+)/g)]);
      for (const [, script = ''] of called) expect(manifest.scripts).to.have.property(script);
    });
  }
});

describe('dependency updates', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as { updates: readonly Update[] };

  it('cover every folder with a lockfile, and the actions', () => {
    const folders = updates.flatMap((update) =>
      update['package-ecosystem'] === 'npm' ? (update.directories ?? []) : [],
    );
    expect(folders.join(' ')).to.equal('/ /bench /interop /tools/databases /tools/site');
    for (const folder of folders) {
      expect(existsSync(join(root, folder, 'package-lock.json')), folder).to.equal(true);
    }
    expect(updates.map((update) => update['package-ecosystem'])).to.include('github-actions');
  });
});
