// Installs the packed packages into the consumer projects (test/packaging/consumers), runs each project's logins on each
// supported version of Node, and prints the results. `node tools/consumers.mjs jest vitest` selects projects.
//
// A project's script `start` is a row of the results, and so is each script `start:NAME`. `build` runs before all of them, `build:NAME`
// before its own. `nodes` in its package.json says on which versions of Node the rows run: "newest", "oldest and newest", or all without it;
// or an object says it for each row and the others. `tree` names the project whose files it has, `example` the example whose `src` it has, and
// `guide` the pages whose files in TypeScript and JavaScript it has, apart from its own. A project that is `byName` runs only if it is selected.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf, installNodes, NODE_VERSIONS } from '../test/packaging/node-binaries.mjs';
import { run as runAtOnce } from '../test/packaging/process.mjs';

/** @typedef {{ node: string, command: string, output: string, line: string }} Failure - `node` is a version; empty if the failure applies to all. */
/** @typedef {{ name: string, versions: readonly string[], failures: Failure[] }} Row */
/** @typedef {{ rows: Row[], seconds: number }} Result */

const ROOT = join(import.meta.dirname, '..');
const CONSUMERS = join(ROOT, 'test/packaging/consumers');
/** Commands that run at the same time. */
const AT_ONCE = Math.max(2, availableParallelism());
/** Program -> what the line of a login begins with; other rows print the version of Node. */
const RUNTIMES = new Map([
  ['bun', 'Bun '],
  ['deno', 'Deno '],
]);
/** Matches the line that names the failure, in the output of Node, npm, TypeScript and this tool's timeout. */
const FAILURE = /^\s*(\[?\w*Error\b.*:|npm error|Not done)|\berror TS\d+:/;

/** @type {Set<Promise<void>>} */
const running = new Set();
const began = Date.now();
const folder = mkdtempSync(join(tmpdir(), 'passport-social-networks-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(signal, () => process.exit(1));

const names = consumersNamed(process.argv.slice(2));
cpSync(CONSUMERS, folder, { recursive: true });
const tarballs = await pack();
/** Needed only when the first project is installed and compiled. */
const installing = installNodes();
const rows = (await checkAll(names)).flatMap((result) => result.rows);
report(rows);
if (rows.some(({ failures }) => failures.length > 0)) process.exitCode = 1;

/** @param {string[]} wanted - Empty for all. */
function consumersNamed(wanted) {
  const all = readdirSync(CONSUMERS);
  const unknown = wanted.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`Unknown consumer ${unknown}. Available: ${all.join(', ')}.`);
  if (wanted.length > 0) return wanted;
  return all.filter(
    (name) => !readFileSync(join(CONSUMERS, name, 'package.json'), 'utf8').includes('"byName": true'),
  );
}

/** Packs the packages, as they are built. Callers build first, because the tests use the same files. */
async function pack() {
  if (!existsSync(join(ROOT, 'dist/index.js'))) throw new Error('dist/ is missing. Run npm run build first.');
  const { output, status } = await run(
    `npm pack . ./sandbox ./check --ignore-scripts --pack-destination ${folder}`,
    {
      cwd: ROOT,
    },
  );
  const files = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  if (status !== 0 || files.length !== 3) throw new Error(`npm pack failed:\n${output}`);
  return files.map((file) => join(folder, file));
}

/**
 * @param {string[]} consumers
 * @returns {Promise<Result[]>} In the order of the names.
 */
function checkAll(consumers) {
  return Promise.all(
    consumers.map(async (name) => {
      const result = await check(name);
      const isGreen = result.rows.every(({ failures }) => failures.length === 0);
      console.log(`${isGreen ? 'ok' : 'FAILED'}  ${name}, ${result.seconds.toFixed(0)} s`);
      return result;
    }),
  );
}

/**
 * Installs and compiles a consumer once, then runs its rows on every version of Node that they need.
 *
 * @param {string} name
 * @returns {Promise<Result>}
 */
async function check(name) {
  const start = Date.now();
  const cwd = join(folder, name);
  const { scripts, nodes, tree, example, guide } = JSON.parse(
    readFileSync(join(cwd, 'package.json'), 'utf8'),
  );
  if (tree !== undefined) cpSync(join(CONSUMERS, tree), cwd, { recursive: true, force: false });
  if (example !== undefined)
    cpSync(join(ROOT, 'examples', example, 'src'), join(cwd, 'src'), { recursive: true });
  for (const page of guide ?? []) writeGuide(page, cwd);
  const broken = await firstFailure(cwd, [
    `npm install --prefer-offline ${tarballs.join(' ')}`,
    scripts.build,
  ]);
  const starts = Object.keys(scripts).filter((script) => /^start(:|$)/.test(script));
  const rows = await Promise.all(
    starts.map(async (script) => {
      const [, row = ''] = script.split('start:');
      const chosen = (typeof nodes === 'object' ? (nodes[row] ?? nodes.others) : nodes) ?? 'all';
      const versions = versionsOf(chosen);
      const failures = broken.length > 0 ? broken : await firstFailure(cwd, [scripts[`build:${row}`]]);
      if (failures.length === 0) {
        failures.push(...(await failuresOn(versions, cwd, scripts[script])));
      }
      return { name: `${name} ${row}`.trim(), versions, failures };
    }),
  );
  return { rows, seconds: (Date.now() - start) / 1000 };
}

/**
 * Writes the files that a page shows where it says that they go.
 *
 * @param {string} page
 * @param {string} cwd
 */
function writeGuide(page, cwd) {
  const blocks = readFileSync(join(ROOT, page), 'utf8').matchAll(
    /^```(?:typescript|js(?: alone)?)\n(.*?)^```$/gms,
  );
  for (const [, code = ''] of blocks) {
    const [, name] = /^\/\/ (\S+)\n/.exec(code) ?? [];
    if (name === undefined || name.startsWith('examples/')) continue; // a quotation
    const folder = join(cwd, name.includes('spec') ? 'test' : 'src');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), code, { flag: 'wx' });
  }
}

/**
 * Runs a row.
 *
 * @param {readonly string[]} versions - Of Node.
 * @param {string} cwd
 * @param {string} command
 * @returns {Promise<Failure[]>}
 */
async function failuresOn(versions, cwd, command) {
  const nodes = await installing;
  const runs = versions.map(async (node) => {
    const env = environmentOf(nodes.get(node) ?? '', [join(cwd, 'node_modules/.bin')]);
    const { output, status } = await run(command, { cwd, env });
    const runtime = RUNTIMES.get(command.split(' ', 1)[0] ?? '') ?? `v${node} logged in: `;
    const line = problemOf(output, status, runtime);
    return line === undefined ? [] : [{ node, command, output, line }];
  });
  return (await Promise.all(runs)).flat();
}

/** @type {typeof runAtOnce} */
async function run(...command) {
  while (running.size >= AT_ONCE) await Promise.race(running);
  const result = runAtOnce(...command);
  const ended = result.then(() => {});
  running.add(ended);
  return result.finally(() => running.delete(ended));
}

/** @param {string} chosen - What a project's package.json says. */
function versionsOf(chosen) {
  if (chosen === 'all') return NODE_VERSIONS;
  if (chosen === 'newest') return NODE_VERSIONS.slice(-1);
  if (chosen === 'oldest and newest') return [...NODE_VERSIONS.slice(0, 1), ...NODE_VERSIONS.slice(-1)];
  throw new Error(`Unknown versions of Node: ${chosen}.`);
}

/**
 * @param {string} cwd
 * @param {(string | undefined)[]} commands
 * @returns {Promise<Failure[]>}
 */
async function firstFailure(cwd, commands) {
  const env = environmentOf(process.execPath, [join(cwd, 'node_modules/.bin')]);
  for (const command of commands) {
    if (command === undefined) continue;
    const { output, status } = await run(command, { cwd, env, timeout: 300_000 });
    const line = problemOf(output, status);
    if (line !== undefined) return [{ node: '', command, output, line }];
  }
  return [];
}

/**
 * Finds the problem with a finished command.
 *
 * @param {string} output
 * @param {number | null} status
 * @param {string} expected - Text that the output must contain.
 */
function problemOf(output, status, expected = '') {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  if (status !== 0) return lines.find((line) => FAILURE.test(line)) ?? lines[0] ?? `exit ${status}`;
  // Users of this package would see Node's warnings in their logs.
  const warning = lines.find((line) => /^\(node:\d+\)/.test(line));
  if (warning !== undefined) return warning;
  if (!output.includes(expected)) return `"${expected}" was not printed`;
  return undefined;
}

/** @param {Row[]} finished */
function report(finished) {
  const width = Math.max(...finished.map(({ name }) => name.length));
  console.log(`\n${''.padEnd(width)}  ${NODE_VERSIONS.map((version) => version.padEnd(9)).join('')}`);
  for (const { name, versions, failures } of finished) {
    const cells = NODE_VERSIONS.map((version) => {
      if (!versions.includes(version)) return ''.padEnd(9);
      const isRed = failures.some(({ node }) => node === '' || node === version);
      return (isRed ? 'FAILED' : 'green').padEnd(9);
    });
    console.log(`${name.padEnd(width)}  ${cells.join('')}`.trimEnd());
    for (const { node, line } of failures)
      console.log(`${''.padEnd(width)}  ${node}${node && ': '}${line.trim()}`);
  }
  for (const { name, failures } of finished) {
    for (const { node, command, output } of failures) {
      console.log(
        `\n--- ${[name, node && `Node ${node}`, command].filter(Boolean).join(', ')}\n${output.trim()}`,
      );
    }
  }
  console.log(
    `\n${names.length} consumers, ${finished.length} rows, ${((Date.now() - began) / 1000).toFixed(0)} s`,
  );
}
