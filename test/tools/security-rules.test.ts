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

  /** Runs the tool with a list of rules, and with tests that have these titles or with other source. */
  function run(rules: object, tests: readonly string[] | string) {
    const list = join(folder, 'rules.json');
    const file = join(folder, 'rules.test.js');
    writeFileSync(list, JSON.stringify(rules));
    const source = (title: string) => `  it(${JSON.stringify(title)}, () => {});`;
    const content = typeof tests === 'string' ? tests : tests.map(source).join('\n');
    writeFileSync(file, `describe('tests', () => {\n${content}\n});\n`);
    const tool = ['tools/security-rules.mjs', list, '--no-config', file];
    return spawnSync(process.execPath, tool, { encoding: 'utf8' });
  }

  it('passes if every rule has a test, and prints each title once with its number of tests', () => {
    const titles = ['C1: one', 'C1: one', 'C1, T10: two', 'no rule: three'];
    const { status, stdout, stderr } = run({ C1: 'The first.', T10: 'The second.' }, titles);
    expect([status, stderr]).to.deep.equal([0, '']);
    expect(stdout.replace(/\(.*\)/g, '(file)')).to.equal(
      `C1  The first.
      2 x one  (file)
      two  (file)
T10  The second.
      two  (file)

2 rules, 3 tests.
`,
    );
  }).timeout(20_000);

  for (const [problem, rules, tests, message] of [
    [
      'a rule has no test, and names the rule',
      { C1: 'The first.', C12: 'The twelfth.' },
      ['C1: one', 'about C12: two'],
      /^The rule C12 has no test: The twelfth\.\n$/,
    ],
    [
      'a test names a rule that is not in the list, and names the test',
      { C1: 'The first.' },
      ['C1: one', 'C1, S9: two'],
      /^A test names the rule S9, which is not in .*rules\.json: C1, S9: two \(.*\)\n$/,
    ],
    ['the tests cannot be listed', {}, 'throw new Error("unreadable");', /mocha could not list the tests\./],
  ] as const) {
    it(`fails if ${problem}`, () => {
      const { status, stderr } = run(rules, tests);
      expect(status).to.equal(1);
      expect(stderr).to.match(message);
    }).timeout(20_000);
  }
});
