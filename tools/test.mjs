// `npm test`: everything that a change must pass. With `quick`: the types, and the tests that find most mistakes, for the time between two changes.
// With `ci`: what .ci/run checks besides. With `nodes`: the quick tests on the oldest and the newest supported Node, the logins that all strategies
// share on those between, and nothing on the line of the Node that runs this. The last line counts the tests; a failed build, lint, type check, list of rules or coverage
// threshold counts as one failure.
import { join } from 'node:path';
import { environmentOf, installNodes, NODE_VERSIONS } from '../test/packaging/node-binaries.mjs';
import { PROCESSES, SUITES } from './mocha.mjs';
import { conclude, ROOT, runSteps } from './run.mjs';
import { STEPS } from './step.mjs';

/** A script of package.json. @param {string} name */
const script = (name) => ({ name, command: `npm run --silent ${name}` });
/** @param {string} name @param {string} [words] */
const step = (name, words = '') => ({ name, command: `${STEPS[name]?.command} ${words}` });

const [mode = 'all'] = process.argv.slice(2);
if (mode === 'quick') {
  // One process more than cores, because some tests wait.
  const tests = { name: 'tests', command: `node tools/mocha.mjs quick --jobs=${PROCESSES + 1}` };
  conclude(await runSteps([[tests], [script('types')]], { atOnce: 2 }));
} else if (mode === 'nodes') {
  const [line = ''] = process.versions.node.split('.');
  const nodes = await installNodes(NODE_VERSIONS.filter((version) => !version.startsWith(`${line}.`)));
  const groups = [...nodes].map(([version, node]) => {
    const isWhole = [NODE_VERSIONS.at(0), NODE_VERSIONS.at(-1)].includes(version);
    const files = SUITES[isWhole ? 'quick' : 'shared'].join(' ');
    const env = environmentOf(node, [join(ROOT, 'node_modules/.bin')]);
    return [{ name: `Node ${version}`, command: `mocha ${files}`, env }];
  });
  // The longest first.
  conclude(await runSteps(groups.reverse(), { atOnce: PROCESSES }));
} else if (mode === 'ci') {
  const steps = Object.entries(STEPS).flatMap(([name, { inCI }]) =>
    inCI === undefined ? [] : [[{ ...step(name, inCI), env: { npm_config_package_lock: 'true' } }]],
  );
  // More at once than cores, because most of them wait for other programs.
  conclude(await runSteps(steps, { atOnce: 1 + PROCESSES, isEverythingShown: true }));
} else {
  // The tests of lib/ compile for themselves.
  const covered = [{ ...step('coverage'), name: 'tests of lib/, with coverage' }];
  // The sandbox's command is built by now, and starts faster than from its source.
  const env = { SANDBOX: 'dist/command/command.js' };
  const others = [
    script('build'),
    { name: 'other tests', command: 'node tools/mocha.mjs around', env },
    // At the end, because they keep every core busy.
    ...['lint', 'types'].map(script),
    ...['rules', 'facts', 'weight'].map((name) => step(name)),
    ...['tables', 'trace'].map((name) => step(name, '--check')),
  ];
  // Side by side, because many tests wait: for a timeout, a retry, a child process.
  conclude(await runSteps([covered, others], { atOnce: 2 }));
}
