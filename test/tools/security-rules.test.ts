import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

describe('the list of security rules', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rules-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the tool with a list of rules and with tests that have these titles. */
  function run(rules: object, titles: readonly string[]) {
    const list = join(folder, 'rules.json');
    const file = join(folder, 'rules.test.js');
    writeFileSync(list, JSON.stringify(rules));
    const tests = titles.map((title) => `it(${JSON.stringify(title)}, () => {});`);
    writeFileSync(file, `describe('tests', () => {\n${tests.join('\n')}\n});\n`);
    const tool = ['tools/security-rules.mjs', list, '--no-config', file];
    return spawnSync(process.execPath, tool, { encoding: 'utf8' });
  }

  it('passes if every rule has a test, and prints each title once with its number of tests', () => {
    const { status, stdout, stderr } = run({ C1: 'The first.', T10: 'The second.' }, [
      'C1: one',
      'C1: one',
      'C1, T10: two',
      'no rule: three',
    ]);
    expect([status, stderr]).to.deep.equal([0, '']);
    const lines = stdout.split('\n').map((line) => line.replace(/\(.*\)/, '(file)'));
    expect(lines).to.deep.equal([
      'C1  The first.',
      '      2 x one  (file)',
      '      two  (file)',
      'T10  The second.',
      '      two  (file)',
      '',
      '2 rules, 3 tests.',
      '',
    ]);
  }).timeout(20_000);

  it('fails if a rule has no test, and names the rule', () => {
    const { status, stderr } = run({ C1: 'The first.', C12: 'The twelfth.' }, ['C1: one', 'about C12: two']);
    expect([status, stderr]).to.deep.equal([1, 'The rule C12 has no test: The twelfth.\n']);
  }).timeout(20_000);

  it('fails if a test names a rule that is not in the list, and names the test', () => {
    const { status, stderr } = run({ C1: 'The first.' }, ['C1: one', 'C1, S9: two']);
    expect(status).to.equal(1);
    expect(stderr).to.match(
      /^A test names the rule S9, which is not in .*rules\.json: C1, S9: two \(.*\)\n$/,
    );
  }).timeout(20_000);

  it('fails if the tests cannot be listed', () => {
    const list = join(folder, 'rules.json');
    const file = join(folder, 'broken.test.js');
    writeFileSync(list, '{}');
    writeFileSync(file, 'throw new Error("unreadable");');
    const tool = ['tools/security-rules.mjs', list, '--no-config', file];
    const { status, stderr } = spawnSync(process.execPath, tool, { encoding: 'utf8' });
    expect(status).to.equal(1);
    expect(stderr).to.include('mocha could not list the tests.');
  }).timeout(20_000);
});
