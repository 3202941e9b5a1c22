// Runs tests on the supported versions of Node, with the installed dependencies: the quick set (tools/mocha.mjs) on the oldest and the newest,
// the logins that all strategies share on those between, and nothing on the line of the Node that runs this, where npm test runs all tests.
import { join } from 'node:path';
import { environmentOf, installNodes, NODE_VERSIONS } from '../test/packaging/node-binaries.mjs';
import { SUITES } from './mocha.mjs';
import { conclude, ROOT, runSteps } from './run.mjs';

const [line = ''] = process.versions.node.split('.');
const nodes = await installNodes(NODE_VERSIONS.filter((version) => !version.startsWith(`${line}.`)));
const groups = [...nodes]
  .map(([version, node]) => {
    const isWhole = [NODE_VERSIONS.at(0), NODE_VERSIONS.at(-1)].includes(version);
    const words = [
      node,
      join(ROOT, 'node_modules/mocha/bin/mocha.js'),
      ...SUITES[isWhole ? 'quick' : 'shared'],
    ];
    const env = environmentOf(node, [join(ROOT, 'node_modules/.bin')]);
    return [{ name: `Node ${version}`, command: words.map((word) => `'${word}'`).join(' '), env }];
  })
  // The longest first.
  .sort(([one], [other]) => (other?.command.length ?? 0) - (one?.command.length ?? 0));
// Two runs at once, because each keeps about one core busy.
conclude(await runSteps(groups, { atOnce: 2 }));
