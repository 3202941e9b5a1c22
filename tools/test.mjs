// `npm test`: everything that a change must pass. With `quick`: the types, and the tests that find most mistakes, for the time between two changes.
// With `ci`: what .ci/run checks besides. The last line counts the tests; a failed build, lint, type check, list of rules or coverage
// threshold counts as one failure.
import { PROCESSES } from './mocha.mjs';
import { conclude, runSteps, script } from './run.mjs';
import { STEPS } from './step.mjs';

/** @param {string} name @param {string} [words] @returns {import('./run.mjs').Step} */
function step(name, words = '') {
  return { name, command: `${STEPS[name]?.command} ${words}` };
}

const [mode = 'all'] = process.argv.slice(2);
if (mode === 'quick') {
  // One process more than cores, because some tests wait.
  const tests = { name: 'tests', command: `node tools/mocha.mjs quick --jobs=${PROCESSES + 1}` };
  conclude(await runSteps([[tests], [script('types')]], { atOnce: 2 }));
} else if (mode === 'ci') {
  // More at once than cores, because most of them wait for other programs.
  const steps = Object.entries(STEPS).flatMap(([name, { inCI }]) =>
    inCI === undefined ? [] : [[{ ...step(name, inCI), env: { npm_config_package_lock: 'true' } }]],
  );
  conclude(await runSteps(steps, { atOnce: 1 + PROCESSES, isEverythingShown: true }));
} else {
  // The tests of lib/ compile for themselves.
  const covered = [{ ...step('coverage'), name: 'tests of lib/, with coverage' }];
  const others = [
    script('build'),
    // The sandbox's command is built by now, and starts faster than from its source.
    {
      name: 'other tests',
      command: 'node tools/mocha.mjs around',
      env: { SANDBOX: 'dist/command/command.js' },
    },
    // At the end, because they keep every core busy.
    ...['lint', 'types'].map(script),
    ...['rules', 'facts', 'weight'].map((name) => step(name)),
    ...['tables', 'trace'].map((name) => step(name, '--check')),
  ];
  // Side by side, because many tests wait: for a timeout, a retry, a child process.
  conclude(await runSteps([covered, others], { atOnce: 2 }));
}
