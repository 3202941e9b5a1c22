// Runs tests on the supported versions of Node, with the installed dependencies: the quick set (tools/mocha.mjs) on the oldest and the newest,
// the logins that all strategies share on those between, and nothing on the line of the Node that runs this, where npm test runs all tests.
// `node tools/node-versions.mjs 22 24` runs the quick set on these versions; arguments after -- go to mocha.
import { join } from 'node:path';
import {
  environmentOf,
  installNodes,
  NODE_VERSIONS,
  versionsNamed,
} from '../test/packaging/node-binaries.mjs';
import { run } from '../test/packaging/process.mjs';
import { SUITES } from './mocha.mjs';

const ROOT = join(import.meta.dirname, '..');

const given = process.argv.slice(2);
const split = given.includes('--') ? given.indexOf('--') : given.length;
const named = given.slice(0, split);
const [line = ''] = process.versions.node.split('.');
const versions = versionsNamed(named).filter(
  (version) => named.length > 0 || !version.startsWith(`${line}.`),
);
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(signal, () => process.exit(1));

const nodes = [...(await installNodes(versions))];
const mocha = join(ROOT, 'node_modules/mocha/bin/mocha.js');
const ends = [NODE_VERSIONS.at(0), NODE_VERSIONS.at(-1)];
// The longest first.
nodes.sort(([one], [other]) => Number(ends.includes(other)) - Number(ends.includes(one)));
/** @type {Map<string, string>} */
const summary = new Map();

/** Runs the tests on one version after another until none are left. */
async function work() {
  for (let next = nodes.shift(); next !== undefined; next = nodes.shift()) {
    const [version, node] = next;
    const tests = named.length > 0 || ends.includes(version) ? SUITES.quick : SUITES.shared;
    const command = [node, mocha, ...tests, ...given.slice(split + 1)].map((part) => `'${part}'`).join(' ');
    const env = environmentOf(node, [join(ROOT, 'node_modules/.bin')]);
    const { output, status, seconds } = await run(command, { cwd: ROOT, env, timeout: 600_000 });
    const count = output.match(/^\d+ passed, \d+ failed.*$/m)?.[0] ?? `exit ${status}`;
    summary.set(version, `${count}, ${seconds.toFixed(0)} s`);
    if (status === 0) continue;
    process.exitCode = 1;
    console.log(`\nNode ${version}\n${output.slice(-20_000)}`);
  }
}

// Two runs at once, because each keeps about one core busy.
await Promise.all([work(), work()]);
for (const version of versions) console.log(`Node ${version}: ${summary.get(version)}`);
