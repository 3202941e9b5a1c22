// Breaks lib/ and check/lib of the last commit in small ways, one at a time, and prints which breaks no test finds: *survivors*.
//
//   npm run step -- mutants --count 300 --seed "$(git rev-parse HEAD)"
//   npm run step -- mutants --count 40 --file lib/core/login   after a change there
//
// The seed draws the same breaks again wherever the lines are the same. Each survivor is one of three: a hole (write the test that fails with the break), equivalent (the code does the same; if it can be
// left out, leave it out) or harmless (nobody can tell the difference, for example in how much memory a buffer takes at first).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { run } from '../test/packaging/process.mjs';
import { PROCESSES, SUITES } from './mocha.mjs';
import { ROOT } from './run.mjs';

/** Several times what a step takes. A break can make the tests hang, which finds it. */
const TIMEOUT_MILLISECONDS = 300_000;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    /** Only files whose path contains this. */
    file: { type: 'string', default: '' },
  },
});
const git = (/** @type {string[]} */ ...words) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' });
const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const files = git('ls-files', 'lib', 'check/lib').split('\n');
const chosen = files.filter((file) => file.endsWith('.ts') && file.includes(values.file));
const all = (await Promise.all(chosen.map(mutantsOf))).flat();
const waiting = all.sort((one, other) => (one.rank < other.rank ? -1 : 1)).slice(0, Number(values.count));
console.log(`${waiting.length} of ${all.length} mutants, seed ${values.seed}`);
/** @type {Record<string, number>} */
const counts = {};
await Promise.all(Array.from({ length: PROCESSES }, (_, index) => work(join(folder, `${index}`))));
console.log(counts);

/** Stryker's, without sentences, because a reworded message is no mistake. The rank is the same for the same seed, whatever changes around a mutant. @param {string} file */
async function mutantsOf(file) {
  const source = git('show', `HEAD:${file}`);
  const lines = source.split('\n');
  const offsetOf = (/** @type {{ line: number, column: number }} */ { line, column }) =>
    lines.slice(0, line).join('\n').length + Number(line > 0) + column;
  const oneLine = (/** @type {string} */ text) => text.replace(/\s+/g, ' ').trim().slice(0, 100);
  const instrumenter = new Instrumenter(
    /** @type {never} */ ({ debug() {}, info() {}, isDebugEnabled() {} }),
  );
  const { mutants } = await instrumenter.instrument([{ name: file, mutate: true, content: source }], {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  });
  return mutants.flatMap(({ location, mutatorName, replacement }) => {
    const [start, end] = [offsetOf(location.start), offsetOf(location.end)];
    const old = source.slice(start, end);
    if (mutatorName === 'StringLiteral' && /\s/.test(old)) return [];
    const change = `\`${oneLine(old)}\` -> \`${oneLine(replacement)}\``;
    const text = `${change} in: ${oneLine(lines[location.start.line] ?? '')}`;
    const rank = createHash('sha256').update(`${values.seed} ${file} ${text}`).digest('hex');
    return { start, end, replacement, file, line: location.start.line + 1, text, rank };
  });
}

/** Tests one mutant after another in a clone of its own. @param {string} clone */
async function work(clone) {
  git('clone', '--quiet', ROOT, clone);
  cpSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  // Tests that fail without a break would find every one.
  const { outcome, output } = await test(clone, 'lib/core/profile.ts');
  if (outcome !== 'SURVIVED') throw new Error(`The tests fail without a mutant.\n${output}`);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { file, line, text, start, end, replacement } = next;
    const source = readFileSync(join(clone, file), 'utf8');
    writeFileSync(join(clone, file), source.slice(0, start) + replacement + source.slice(end));
    const { outcome } = await test(clone, file);
    writeFileSync(join(clone, file), source);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    console.log(`${outcome}: ${file}:${line} ${text}`);
  }
}

/** Goes through the checks, those that find a mutant soonest first, until one fails. @param {string} clone @param {string} file */
async function test(clone, file) {
  const near = dirname(file).replace('check/lib', 'lib/check').replace('lib', 'test');
  const mocha = 'node_modules/.bin/mocha --exit --bail';
  const own = SUITES.covered.filter((test) => /^[./]/.test(test.replace(near, '')));
  const others = SUITES.covered.filter((test) => !own.includes(test));
  for (const [outcome, command] of /** @type {const} */ ([
    ['found', `${mocha} ${[...own, 'test/contract.test.ts'].join(' ')}`],
    ['found by types', 'npm run --silent build'],
    ['found', `${mocha} --parallel --jobs 2 ${others.join(' ')}`],
    ['found', `${mocha} --parallel --jobs 2 ${SUITES.around.join(' ')}`],
  ])) {
    const { status, output } = await run(command, { cwd: clone, timeout: TIMEOUT_MILLISECONDS });
    if (status !== 0) return { outcome, output: `${command}\n${output.slice(-5_000)}` };
  }
  return { outcome: 'SURVIVED', output: '' };
}
