// Prints every security rule with the tests that prove it, and fails when a rule has none, or when a test names a rule that is
// not in the list. A test proves the rules at the front of its title: `C2, C18: a copy of it is 403 after its use`.
//
// Usage: node tools/security-rules.mjs [list of rules] [mocha's arguments ...]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const [list = 'test/security/rules.json', ...mochaArguments] = process.argv.slice(2);
const FRONT = /^([CTOS]\d+(?:, [CTOS]\d+)*): (.+)/s;

/** @type {Record<string, string>} */
const rules = JSON.parse(readFileSync(list, 'utf8'));
const tests = collectTests();

/** Rule -> title with file -> over how many subjects. @type {Map<string, Map<string, number>>} */
const proofs = new Map(Object.keys(rules).map((rule) => [rule, new Map()]));
/** @type {string[]} */
const problems = [];

for (const { title, file = '' } of tests) {
  const [, front = '', text = ''] = FRONT.exec(title) ?? [];
  for (const rule of front === '' ? [] : front.split(', ')) {
    const known = proofs.get(rule);
    const line = `${text}  (${relative(process.cwd(), file)})`;
    if (known) known.set(line, (known.get(line) ?? 0) + 1);
    else
      problems.push(
        `A test names the rule ${rule}, which is not in ${list}: ${title} (${relative('', file)})`,
      );
  }
}

for (const [rule, lines] of proofs) {
  console.log(`${rule}  ${rules[rule]}`);
  for (const [line, subjects] of lines) console.log(`      ${subjects > 1 ? `${subjects} x ` : ''}${line}`);
  if (lines.size === 0) problems.push(`The rule ${rule} has no test: ${rules[rule]}`);
}
console.log(`\n${proofs.size} rules, ${tests.filter(({ title }) => FRONT.test(title)).length} tests.`);
for (const problem of new Set(problems)) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/**
 * Every test that mocha would run. It is asked into a file: what the tests' modules print while they load must not get into
 * the answer.
 *
 * @returns {{ title: string, file?: string }[]}
 */
function collectTests() {
  const folder = mkdtempSync(join(tmpdir(), 'security-rules-'));
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
