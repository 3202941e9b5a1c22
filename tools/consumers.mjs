// Installs the packed packages into the consumer projects (test/packaging/consumers), runs each project's logins on each
// supported version of Node, and prints the results. `node tools/consumers.mjs jest vitest` selects projects.
//
// A project's script `start` is a row of the results, and so is each script `start:NAME`. `build` runs before all of them, `build:NAME`
// before its own. `nodes` in its package.json says on which versions of Node the rows run: "newest", "oldest and newest", or all without it.
// `tree` names the project whose files it has, apart from its own.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf, installNodes, NODE_VERSIONS } from '../test/packaging/node-binaries.mjs';
import { run } from '../test/packaging/process.mjs';

/** @typedef {{ node: string, command: string, output: string, line: string }} Failure - `node` is a version; empty if the failure applies to all. */
/** @typedef {{ name: string, versions: readonly string[], failures: Failure[] }} Row */
/** @typedef {{ rows: Row[], seconds: number }} Result */

const ROOT = join(import.meta.dirname, '..');
const CONSUMERS = join(ROOT, 'test/packaging/consumers');
const AT_ONCE = 2;
/** Matches the line that names the failure, in the output of Node, npm, TypeScript and this tool's timeout. */
const FAILURE = /^\s*(\[?\w*Error\b.*:|npm error|Not done)|\berror TS\d+:/;

const began = Date.now();
const folder = mkdtempSync(join(tmpdir(), 'passport-social-networks-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(signal, () => process.exit(1));

const names = consumersNamed(process.argv.slice(2));
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
  return wanted.length > 0 ? wanted : all;
}

/** Packs the strategies and the sandbox, as they are built. Callers build first, because the tests use the same files. */
async function pack() {
  if (!existsSync(join(ROOT, 'dist/index.js'))) throw new Error('dist/ is missing. Run npm run build first.');
  const { output, status } = await run(`npm pack . ./sandbox --ignore-scripts --pack-destination ${folder}`, {
    cwd: ROOT,
  });
  const files = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  if (status !== 0 || files.length !== 2) throw new Error(`npm pack failed:\n${output}`);
  return files.map((file) => join(folder, file));
}

/**
 * @param {string[]} consumers
 * @returns {Promise<Result[]>} In the order of the names.
 */
async function checkAll(consumers) {
  /** @type {Map<string, Result>} */
  const done = new Map();
  const waiting = [...consumers];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        const result = await check(name);
        const isGreen = result.rows.every(({ failures }) => failures.length === 0);
        console.log(`${isGreen ? 'ok' : 'FAILED'}  ${name}, ${result.seconds.toFixed(0)} s`);
        done.set(name, result);
      }
    }),
  );
  return consumers.flatMap((name) => done.get(name) ?? []);
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
  cpSync(join(CONSUMERS, name), cwd, { recursive: true });
  const {
    scripts,
    nodes: chosen = 'all',
    tree,
  } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
  if (tree !== undefined) cpSync(join(CONSUMERS, tree), cwd, { recursive: true, force: false });
  const starts = Object.keys(scripts).filter((script) => /^start(:|$)/.test(script));
  const versions = versionsOf(chosen);
  const broken = await firstFailure(cwd, [
    `npm install --prefer-offline ${tarballs.join(' ')}`,
    scripts.build,
  ]);
  /** @type {Row[]} */
  const rows = [];
  const nodes = await installing;
  for (const script of starts) {
    const [, suffix = ''] = script.split('start');
    const build = suffix === '' ? undefined : scripts[`build${suffix}`];
    const failures = broken.length > 0 ? broken : await firstFailure(cwd, [build]);
    const row = { name: name + suffix.replace(':', ' '), versions, failures: [...failures] };
    rows.push(row);
    if (failures.length > 0) continue;
    for (const version of versions) {
      const env = environmentOf(nodes.get(version) ?? '', [join(cwd, 'node_modules/.bin')]);
      const { output, status } = await run(scripts[script], { cwd, env });
      // Only a row that is run by Node has a version that is known here.
      const line = problemOf(
        output,
        status,
        chosen === 'newest' ? ' logged in: ' : `v${version} logged in: `,
      );
      if (line !== undefined) row.failures.push({ node: version, command: scripts[script], output, line });
    }
  }
  return { rows, seconds: (Date.now() - start) / 1000 };
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
    const { output, status } = await run(command, { cwd, env });
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
