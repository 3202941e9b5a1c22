// Breaks lib/ in many small ways, one at a time, and prints which breaks no test finds:
// `npm run step -- mutants --count 300 --seed 7`. README.md in this folder says how to read the result.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { run } from '../../test/packaging/process.mjs';
import { SUITES } from '../mocha.mjs';
import { mutationsOf } from './mutations.mjs';

/** @typedef {import('./mutations.mjs').Mutation & { file: string, line: number, text: string }} Mutant - `text` is the change in words. */

const ROOT = join(import.meta.dirname, '../..');
/** Several times what a step takes. A break can make the tests hang, which finds it. */
const TIMEOUT_MILLISECONDS = 300_000;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    /** Any text, for example the name of a commit. */
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    /** Only files whose path contains this. */
    file: { type: 'string', default: '' },
  },
});

const git = (/** @type {string[]} */ ...options) =>
  execFileSync('git', options, { cwd: ROOT, encoding: 'utf8' });
const folder = mkdtempSync(join(tmpdir(), 'passport-social-networks-mutants-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(signal, () => process.exit(1));

const files = git('ls-files', 'lib', 'check/lib')
  .split('\n')
  .filter((file) => file.endsWith('.ts') && file.includes(values.file));
const all = files.flatMap((file) => {
  const source = git('show', `HEAD:${file}`);
  return mutationsOf(file, source).map((mutation) => ({ file, ...mutation, ...described(mutation, source) }));
});
const chosen = drawn(all, Number(values.count), values.seed);
console.log(
  `${chosen.length} of ${all.length} mutants, seed ${values.seed}, commit ${git('rev-parse', '--short', 'HEAD').trim()}`,
);

/** @type {Record<string, number>} */
const counts = {};
const waiting = [...chosen.entries()];
await Promise.all(
  Array.from({ length: Number(values.jobs) }, (_, index) => work(join(folder, String(index)))),
);
console.log(
  Object.entries(counts)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', '),
);

/**
 * Tests one mutant after another in a clone of its own.
 *
 * @param {string} clone
 */
async function work(clone) {
  git('clone', '--quiet', ROOT, clone);
  cpSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  await expectGreen(clone);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [number, mutant] = next;
    const path = join(clone, mutant.file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(path, source.slice(0, mutant.start) + mutant.replacement + source.slice(mutant.end));
    const { outcome, seconds } = await test(clone, mutant.file);
    writeFileSync(path, source);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    console.log(
      `${number + 1} ${outcome}, ${seconds.toFixed(0)} s: ${mutant.file}:${mutant.line} ${mutant.text}`,
    );
  }
}

/** Tests that fail without a break would find every one. @param {string} clone */
async function expectGreen(clone) {
  for (const { command } of stepsFor('lib/core/profile.ts')) {
    const { status, output } = await run(command, { cwd: clone, timeout: TIMEOUT_MILLISECONDS });
    if (status !== 0) throw new Error(`Fails without a mutant: ${command}\n${output.slice(-5_000)}`);
  }
}

/**
 * @param {string} clone
 * @param {string} file
 */
async function test(clone, file) {
  let seconds = 0;
  for (const { outcome, command } of stepsFor(file)) {
    const result = await run(command, { cwd: clone, timeout: TIMEOUT_MILLISECONDS });
    seconds += result.seconds;
    if (result.status !== 0) return { outcome, seconds };
  }
  return { outcome: 'SURVIVED', seconds };
}

/**
 * The checks of a mutant, those that find it soonest first.
 *
 * @param {string} file
 */
function stepsFor(file) {
  const folder = dirname(file).replace('check/lib', 'lib/check').replace('lib', 'test');
  const near = SUITES.covered.filter((test) => test.startsWith(`${folder}/`));
  const mocha = 'node_modules/.bin/mocha --exit --bail';
  return [
    { outcome: 'found', command: `${mocha} ${[...near, 'test/contract.test.ts'].join(' ')}` },
    { outcome: 'found by types', command: 'npm run --silent build' },
    {
      outcome: 'found',
      command: `${mocha} --parallel --jobs 2 ${SUITES.covered.filter((test) => !near.includes(test)).join(' ')}`,
    },
    { outcome: 'found', command: `${mocha} --parallel --jobs 2 ${SUITES.around.join(' ')}` },
  ];
}

/**
 * Draws the same mutants for the same seed, whatever their number, and whatever changes around them.
 *
 * @param {readonly Mutant[]} mutants
 * @param {number} count
 * @param {string} seed
 */
function drawn(mutants, count, seed) {
  const rank = (/** @type {Mutant} */ { file, text }) =>
    createHash('sha256').update(`${seed} ${file} ${text}`).digest('hex');
  return mutants
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
    .sort((one, other) => one.rank.localeCompare(other.rank))
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

/**
 * @param {import('./mutations.mjs').Mutation} mutation
 * @param {string} source
 */
function described({ start, end, replacement }, source) {
  const oneLine = (/** @type {string} */ text) => text.replace(/\s+/g, ' ').slice(0, 100);
  const line = source.slice(0, start).split('\n').length;
  const lineText = source.split('\n')[line - 1]?.trim() ?? '';
  const text = `\`${oneLine(source.slice(start, end))}\` -> \`${oneLine(replacement)}\` in: ${oneLine(lineText)}`;
  return { line, text };
}
