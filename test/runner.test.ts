import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

const ROOT = join(__dirname, '..');
const MOCHA = join(ROOT, 'node_modules/mocha/bin/mocha.js');

describe('a test run', function () {
  this.timeout(30_000);
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'runner-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs files of tests with the settings of .mocharc.json, by default as `npm test` does. */
  function run(sources: readonly string[], options = ['--parallel', '--jobs=2']) {
    const files = sources.map((source, index) => {
      const file = join(folder, `${index}.test.cjs`);
      writeFileSync(file, source);
      return file;
    });
    const { stdout, status } = spawnSync(process.execPath, [MOCHA, ...options, ...files], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    return { output: stdout, lastLine: stdout.trimEnd().split('\n').at(-1), status };
  }

  const MIXED = ["it('d', () => { throw new Error('a reason'); });", "it('e', () => {}); it('f');"];

  it('in one process ends with the count of all files, with skipped tests, and shows failures', () => {
    const { output, lastLine, status } = run(MIXED, []);
    expect([lastLine, status]).to.deep.equal(['1 passed, 1 failed, 1 skipped', 1]);
    expect(output).to.include('Error: a reason');
  });

  it('in several processes does so too, and fails a test that asks another machine, uses something deprecated or leaves a rejected promise unhandled', () => {
    const { output, lastLine, status } = run([
      ...MIXED,
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

  it('fails if a test ends its process', () => {
    const { status } = run(["it('a', () => { process.exit(7); });", "it('b', () => {});"]);
    expect(status).to.not.equal(0);
  });
});
