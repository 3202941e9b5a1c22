// Breaks lib/ and check/lib of the last commit in small ways, one at a time, and prints which breaks no test finds: *survivors*.
//
//   npm run step -- mutants --count 300 --seed "$(git rev-parse HEAD)"
//   npm run step -- mutants --count 40 --file lib/core/login   after a change there
//
// The seed draws the same breaks again wherever the lines are the same, so a run can be repeated after mending. 300 take half an hour to an hour
// on two cores. Each survivor is one of three: a hole (write the test that fails with the break), equivalent (the code does the same; if it can be
// left out, leave it out) or harmless (nobody can tell the difference, for example in how much memory a buffer takes at first).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseAst } from 'rolldown/parseAst';
import { run } from '../test/packaging/process.mjs';
import { SUITES } from './mocha.mjs';
import { ROOT } from './run.mjs';

/** One small break of a file: the text between two offsets, and what stands there instead. @typedef {{ start: number, end: number, replacement: string }} Mutation */

/** Several times what a step takes. A break can make the tests hang, which finds it. */
const TIMEOUT_MILLISECONDS = 300_000;
/** @type {Readonly<Record<string, readonly string[]>>} */
const OPERATORS = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '&': ['|'],
  '&&': ['||'],
  '||': ['&&'],
};
const OPPOSITES = 'startsWith endsWith, some every, min max'.split(', ').map((pair) => pair.split(' '));
/** Methods that return what they are called on, changed. */
const CHANGES = /^(toLowerCase|toUpperCase|trim|slice|filter|sort|reverse|replace|replaceAll)$/;
/** Types and imports do not run; these few nodes of TypeScript have code inside. */
const SKIPPED = /^(Import(?!Expr)|ExportAll|TS(?!As|Satisfies|NonNull|ParameterProperty))/;
const LEFT_OUT = /^(Expression|Throw|Return|Continue|Break)Statement$/;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    /** Only files whose path contains this. */
    file: { type: 'string', default: '' },
  },
});
const git = (/** @type {string[]} */ ...words) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' });
const folder = mkdtempSync(join(tmpdir(), 'passport-social-networks-mutants-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const files = git('ls-files', 'lib', 'check/lib').split('\n');
const all = files.filter((file) => file.endsWith('.ts') && file.includes(values.file)).flatMap(mutantsOf);
const waiting = all.sort((one, other) => (one.rank < other.rank ? -1 : 1)).slice(0, Number(values.count));
const commit = git('rev-parse', '--short', 'HEAD').trim();
console.log(`${waiting.length} of ${all.length} mutants, seed ${values.seed}, commit ${commit}`);
/** @type {Record<string, number>} */
const counts = {};
await Promise.all(Array.from({ length: Number(values.jobs) }, (_, index) => work(join(folder, `${index}`))));
const summary = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`);
console.log(summary.join(', '));

/** The rank is the same for the same seed, whatever changes around a mutant. @param {string} file */
function mutantsOf(file) {
  const source = git('show', `HEAD:${file}`);
  const oneLine = (/** @type {string} */ text) => text.replace(/\s+/g, ' ').trim().slice(0, 100);
  const ast = parseAst(source, { lang: 'ts', preserveParens: true });
  return mutationsIn(ast, source).map((mutation) => {
    const { start, end, replacement } = mutation;
    const line = source.slice(0, start).split('\n').length;
    const change = `\`${oneLine(source.slice(start, end))}\` -> \`${oneLine(replacement)}\``;
    const text = `${change} in: ${oneLine(source.split('\n')[line - 1] ?? '')}`;
    const rank = createHash('sha256').update(`${values.seed} ${file} ${text}`).digest('hex');
    return { ...mutation, file, line, text, rank };
  });
}

/**
 * Types, imports and sentences (strings with a blank, and templates) are left alone: the first two do not run, and a reworded message is no mistake.
 *
 * @param {any} node - Of the syntax tree, or a list of nodes.
 * @param {string} source
 * @returns {Mutation[]}
 */
function mutationsIn(node, source) {
  if (SKIPPED.test(node.type)) return [];
  const inside = Object.values(node).flatMap((child) =>
    child !== null && typeof child === 'object' ? mutationsIn(child, source) : [],
  );
  return [...mutationsAt(node, source), ...inside];
}

/** @param {any} node @param {string} source @returns {Mutation[]} */
function mutationsAt(node, source) {
  const { type, operator, value, argument, test, object, left } = node;
  const text = (/** @type {Mutation} */ place) => source.slice(place.start, place.end);
  /** @param {{ start: number, end: number }} place @param {string[]} replacements */
  const at = ({ start, end }, ...replacements) =>
    replacements.map((replacement) => ({ start, end, replacement }));
  if (LEFT_OUT.test(type)) return at(node, ';');
  if (type === 'AwaitExpression' || (type === 'UnaryExpression' && operator === '!'))
    return at(node, text(argument));
  if (operator === '??') return at(node, text(left), text(node.right));
  if (/^(Binary|Logical)/.test(type)) {
    const start = source.indexOf(operator, left.end);
    return at({ start, end: start + operator.length }, ...(OPERATORS[operator] ?? []));
  }
  if (/^(If|Conditional)/.test(type)) return at(test, 'true', 'false');
  if (type === 'WhileStatement') return at(test, 'false');
  if (type === 'Literal') {
    if (typeof value === 'boolean') return at(node, String(!value));
    if (typeof value === 'number') return at(node, String(value + 1));
    if (typeof value === 'string' && !/\s/.test(value))
      return at(node, `${text(node)[0]}x${text(node).slice(1)}`);
    return node.regex ? at(node, ...brokenPatterns(node.regex)) : [];
  }
  if (type === 'ArrayExpression' || type === 'ObjectExpression') {
    /** @type {Mutation[]} */
    const members = (node.elements ?? node.properties).filter(Boolean);
    // Each is left out, with what separates it from the next.
    return members.flatMap(({ start, end }, index) =>
      at({ start, end: members[index + 1]?.start ?? end }, ''),
    );
  }
  if (type === 'MemberExpression' && node.optional)
    return at({ start: object.end, end: object.end + 2 }, node.computed ? '' : '.');
  const method = type === 'CallExpression' && !node.callee.computed ? node.callee.property : undefined;
  const pair = OPPOSITES.find((names) => names.includes(method?.name)) ?? [];
  const opposite = pair.find((name) => name !== method.name);
  if (opposite) return at(method, opposite);
  return CHANGES.test(method?.name) ? at(node, text(node.callee.object)) : [];
}

/** Each anchor, the first quantifier that repeats, or a flag is left out. @param {{ pattern: string, flags: string }} regex */
function brokenPatterns({ pattern, flags }) {
  const shorter = [/^\^/, /(?<!\\)\$$/, /(?<=[\])a-z])\+/].map((part) => pattern.replace(part, ''));
  return [
    ...shorter.filter((one) => one !== '' && one !== pattern).map((one) => `/${one}/${flags}`),
    ...flags.split('').map((flag) => `/${pattern}/${flags.replace(flag, '')}`),
  ];
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
    const { outcome, seconds } = await test(clone, file);
    writeFileSync(join(clone, file), source);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    console.log(`${outcome}, ${seconds.toFixed(0)} s: ${file}:${line} ${text}`);
  }
}

/** Goes through the checks, those that find a mutant soonest first, until one fails. @param {string} clone @param {string} file */
async function test(clone, file) {
  const near = dirname(file).replace('check/lib', 'lib/check').replace('lib', 'test');
  const mocha = 'node_modules/.bin/mocha --exit --bail';
  const own = SUITES.covered.filter((test) => /^[./]/.test(test.replace(near, '')));
  const others = SUITES.covered.filter((test) => !own.includes(test));
  let seconds = 0;
  for (const [outcome, command] of /** @type {const} */ ([
    ['found', `${mocha} ${[...own, 'test/contract.test.ts'].join(' ')}`],
    ['found by types', 'npm run --silent build'],
    ['found', `${mocha} --parallel --jobs 2 ${others.join(' ')}`],
    ['found', `${mocha} --parallel --jobs 2 ${SUITES.around.join(' ')}`],
  ])) {
    const { status, output, ...took } = await run(command, { cwd: clone, timeout: TIMEOUT_MILLISECONDS });
    seconds += took.seconds;
    if (status !== 0) return { outcome, seconds, output: `${command}\n${output.slice(-5_000)}` };
  }
  return { outcome: 'SURVIVED', seconds, output: '' };
}
