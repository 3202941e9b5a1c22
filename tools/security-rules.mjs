// Prints every security rule with the tests that cover it. Fails if a rule has no tests, or a test names an unknown rule. A test
// covers the rules at the start of its title: `C2, C18: a replayed authorization response is 403`.
//
// Usage: node tools/security-rules.mjs [mocha's arguments ...]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { SUITES } from './mocha.mjs';

const LIST = 'test/security/README.md';
const given = process.argv.slice(2);
const mochaArguments = given.length > 0 ? given : SUITES.rules;
const RULE_PREFIX = /^([CEKOST]\d+(?:, [CEKOST]\d+)*): (.+)/s;

/** Rule -> what it says. */
const rules = new Map(
  Array.from(
    readFileSync(LIST, 'utf8').matchAll(/^\| ([CEKOST]\d+) (.+?) \|/gm),
    ([, rule = '', says = '']) => [rule, says],
  ),
);
const tests = testsOf(mochaArguments);

/** Rule -> test title with file -> number of tests with that title. @type {Map<string, Map<string, number>>} */
const coverage = new Map([...rules.keys()].map((rule) => [rule, new Map()]));
/** @type {string[]} */
const problems = [];

for (const { title, file = '' } of tests) {
  const [, ids = '', text = ''] = RULE_PREFIX.exec(title) ?? [];
  for (const rule of ids === '' ? [] : ids.split(', ')) {
    const known = coverage.get(rule);
    const line = `${text}  (${relative(process.cwd(), file)})`;
    if (known) known.set(line, (known.get(line) ?? 0) + 1);
    else
      problems.push(
        `A test names the rule ${rule}, which is not in ${LIST}: ${title} (${relative('', file)})`,
      );
  }
}

for (const [rule, lines] of coverage) {
  console.log(`${rule}  ${rules.get(rule)}`);
  for (const [line, count] of lines) console.log(`      ${count > 1 ? `${count} x ` : ''}${line}`);
  if (lines.size === 0) problems.push(`The rule ${rule} has no test: ${rules.get(rule)}`);
}
console.log(
  `\n${coverage.size} rules, ${tests.filter(({ title }) => RULE_PREFIX.test(title)).length} tests.`,
);
for (const problem of new Set(problems)) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/**
 * Lists the tests that mocha would run, without running them. Mocha reports to a file, because test modules may print while they load.
 *
 * @param {readonly string[]} mochaArguments
 * @returns {{ title: string, file?: string }[]}
 */
function testsOf(mochaArguments) {
  const folder = mkdtempSync(join(tmpdir(), 'test-titles-'));
  const output = join(folder, 'tests.json');
  try {
    const mocha = join(import.meta.dirname, '../node_modules/mocha/bin/mocha.js');
    const options = ['--dry-run', '--reporter', 'json', '--reporter-option', `output=${output}`];
    const { status, stderr } = spawnSync(process.execPath, [mocha, ...options, ...mochaArguments], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    if (status !== 0) throw new Error(`mocha could not list the tests.\n${stderr}`);
    return JSON.parse(readFileSync(output, 'utf8')).tests;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
