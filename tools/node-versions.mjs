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
const versions = versionsNamed(named).filter(
  (version) => named.length > 0 || !version.startsWith(`${line}.`),
);
const isEnd = (/** @type {string} */ version) =>
  [NODE_VERSIONS.at(0), NODE_VERSIONS.at(-1)].includes(version);
const mocha = join(ROOT, 'node_modules/mocha/bin/mocha.js');
const groups = [...(await installNodes(versions))]
  // The longest first.
  .sort(([one], [other]) => Number(isEnd(other)) - Number(isEnd(one)))
  .map(([version, node]) => {
    const tests = named.length > 0 || isEnd(version) ? SUITES.quick : SUITES.shared;
    const command = [node, mocha, ...tests, ...given.slice(split + 1)].map((part) => `'${part}'`).join(' ');
    return [
      { name: `Node ${version}`, command, env: environmentOf(node, [join(ROOT, 'node_modules/.bin')]) },
    ];
  });
// Two runs at once, because each keeps about one core busy.
conclude(await runSteps(groups, { atOnce: 2 }));
