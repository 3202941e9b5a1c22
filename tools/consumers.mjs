// Installs the packed packages into the consumer projects (test/packaging/consumers), and runs each project's logins on each supported version of
// Node. `node tools/consumers.mjs jest vitest` selects projects.
//
// A project's script `start` is a login, and so is each script `start:NAME`. `build` runs before all of them, `build:NAME` before its own. `nodes`
// in its package.json says on which versions of Node they run: "newest", "oldest and newest", or all without it; or an object says it for each name
// and the others. `tree` names the project whose files it has, `example` the example whose `src` it has, and `guide` the pages whose files in
// TypeScript and JavaScript it has, apart from its own. A project that is `byName` runs only if it is selected.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf, installNodes, NODE_VERSIONS } from '../test/packaging/node-binaries.mjs';
import { PROCESSES } from './mocha.mjs';
import { ROOT, runSteps } from './run.mjs';

/** @typedef {import('./run.mjs').Step} Step */

const CONSUMERS = join(ROOT, 'test/packaging/consumers');
/** What a package.json says -> the versions of Node. @type {Readonly<Record<string, readonly string[]>>} */
const VERSIONS = {
  all: NODE_VERSIONS,
  newest: NODE_VERSIONS.slice(-1),
  'oldest and newest': [...NODE_VERSIONS.slice(0, 1), ...NODE_VERSIONS.slice(-1)],
};
/** Programs in place of Node, and what the line of a login begins with; Node's has its version. @type {Readonly<Record<string, string>>} */
const RUNTIMES = { bun: 'Bun ', deno: 'Deno ' };

const folder = mkdtempSync(join(tmpdir(), 'passport-social-networks-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const consumers = consumersNamed(process.argv.slice(2));
const nodes = await installNodes();
const pack = `npm pack . ./sandbox ./check --ignore-scripts --pack-destination ${folder}`;
const logins = consumers.flatMap(loginsOf);
const packing = [[{ name: 'pack', command: pack }]];
let failed = 0;
for (const groupsOf of [() => packing, () => consumers.map(preparationOf), () => logins])
  if (failed === 0) ({ failed } = await runSteps(groupsOf(), { atOnce: PROCESSES }));
console.log(`\n${consumers.length} consumers, ${logins.length} rows, ${failed} failed`);
process.exitCode = Number(failed > 0);

/** @param {string[]} wanted - Empty for all that are not `byName`. */
function consumersNamed(wanted) {
  const all = readdirSync(CONSUMERS).map((name) => {
    const cwd = join(folder, name);
    cpSync(join(CONSUMERS, name), cwd, { recursive: true });
    return { ...JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')), name, cwd };
  });
  const names = all.map(({ name }) => name);
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`Unknown consumer ${unknown}. Available: ${names.join(', ')}.`);
  return all.filter(({ name, byName }) => (wanted.length > 0 ? wanted.includes(name) : !byName));
}

/** Installs and compiles a consumer. @param {any} consumer @returns {Step[]} */
function preparationOf({ name, cwd, scripts, tree, example, guide = [] }) {
  if (tree !== undefined) cpSync(join(CONSUMERS, tree), cwd, { recursive: true, force: false });
  if (example !== undefined)
    cpSync(join(ROOT, 'examples', example, 'src'), join(cwd, 'src'), { recursive: true });
  for (const page of guide) writeGuide(page, cwd);
  const tarballs = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  const install = `npm install --prefer-offline ${tarballs.map((file) => join(folder, file)).join(' ')}`;
  const commands = [install, scripts.build ?? []].flat();
  return commands.map((command) => stepOf(`${name}, ${command.split(' ', 2).join(' ')}`, command, cwd));
}

/** @param {any} consumer @returns {Step[][]} The logins of each row: one for each version of Node, after its build. */
function loginsOf({ name, cwd, scripts, nodes: chosen = 'all' }) {
  const starts = Object.keys(scripts).filter((script) => /^start(:|$)/.test(script));
  return starts.map((script) => {
    const [, row = ''] = script.split('start:');
    const title = `${name} ${row}`.trim();
    const versions = VERSIONS[typeof chosen === 'object' ? (chosen[row] ?? chosen.others) : chosen];
    if (versions === undefined) throw new Error(`${title}: unknown versions of Node.`);
    const build = scripts[`build:${row}`];
    const command = scripts[script];
    const runtime = RUNTIMES[command.split(' ', 1)[0]];
    return [
      ...(build ? [stepOf(`${title}, build`, build, cwd)] : []),
      ...versions.map((version) => ({
        ...stepOf(`${title}, Node ${version}`, command, cwd, nodes.get(version) ?? ''),
        mustPrint: runtime ?? `v${version} logged in: `,
      })),
    ];
  });
}

/** @param {string} name @param {string} command @param {string} cwd @param {string} [node] @returns {Step} */
function stepOf(name, command, cwd, node = process.execPath) {
  const env = environmentOf(node, [join(cwd, 'node_modules/.bin')]);
  return { name, command, cwd, env, mustPrint: '', isNeeded: true };
}

/** Writes the files that a page shows where it says that they go. @param {string} page @param {string} cwd */
function writeGuide(page, cwd) {
  const text = readFileSync(join(ROOT, page), 'utf8');
  for (const [, code = ''] of text.matchAll(/^```(?:typescript|js(?: alone)?)\n(.*?)^```$/gms)) {
    const [, name] = /^\/\/ (\S+)\n/.exec(code) ?? [];
    if (name === undefined || name.startsWith('examples/')) continue; // a quotation
    const target = join(cwd, name.includes('spec') ? 'test' : 'src');
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, name), code, { flag: 'wx' });
  }
}
