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
import { SUITES } from './mocha.mjs';
import { conclude, ROOT, runSteps } from './run.mjs';

const given = process.argv.slice(2);
const split = given.includes('--') ? given.indexOf('--') : given.length;
const named = given.slice(0, split);
const [line = ''] = process.versions.node.split('.');
const isThis = (/** @type {string} */ version) => named.length === 0 && version.startsWith(`${line}.`);
const isWhole = (/** @type {string} */ version) =>
  named.length > 0 || [NODE_VERSIONS.at(0), NODE_VERSIONS.at(-1)].includes(version);
const nodes = await installNodes(versionsNamed(named).filter((version) => !isThis(version)));
const groups = [...nodes]
  // The longest first.
  .sort(([one], [other]) => Number(isWhole(other)) - Number(isWhole(one)))
  .map(([version, node]) => {
    const tests = isWhole(version) ? SUITES.quick : SUITES.shared;
    const words = [node, join(ROOT, 'node_modules/mocha/bin/mocha.js'), ...tests, ...given.slice(split + 1)];
    const env = environmentOf(node, [join(ROOT, 'node_modules/.bin')]);
    return [{ name: `Node ${version}`, command: words.map((word) => `'${word}'`).join(' '), env }];
  });
// Two runs at once, because each keeps about one core busy.
conclude(await runSteps(groups, { atOnce: 2 }));
