// Runs the tests on each supported version of Node, with the installed dependencies. `node tools/node-versions.mjs 22 24` takes only
// some of the versions; what follows -- goes to mocha.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf, installNodes, versionsNamed } from '../test/packaging/node-binaries.mjs';
import { run } from '../test/packaging/process.mjs';

const ROOT = join(import.meta.dirname, '..');

const given = process.argv.slice(2);
const split = given.includes('--') ? given.indexOf('--') : given.length;
const versions = versionsNamed(given.slice(0, split));
const folder = mkdtempSync(join(tmpdir(), 'passport-social-networks-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(signal, () => process.exit(1));

const nodes = await installNodes(folder, versions);
const mocha = [join(ROOT, 'node_modules/mocha/bin/mocha.js'), ...given.slice(split + 1)];
const summary = [];
for (const [version, node] of nodes) {
  console.log(`\nNode ${version}`);
  const command = [node, ...mocha].map((part) => `'${part}'`).join(' ');
  const env = environmentOf(node, [join(ROOT, 'node_modules/.bin')]);
  const { output, status, seconds } = await run(command, { cwd: ROOT, env, timeout: 600_000, show: true });
  const count = output.match(/^\d+ passed, \d+ failed.*$/m)?.[0] ?? `exit ${status}`;
  summary.push(`Node ${version}: ${count}, ${seconds.toFixed(0)} s`);
  if (status !== 0) process.exitCode = 1;
}
console.log(`\n${summary.join('\n')}`);
