// `npm test`: everything that a change must pass. One run of the tests, which measures the coverage of lib/ too. The last line
// counts the tests; a failed build, lint, type check, list of rules or coverage threshold counts as one failure.
import { conclude, runSteps, script } from './steps.mjs';

// The tests of lib/ compile for themselves.
const covered = [{ name: 'tests of lib/, with coverage', command: 'node tools/coverage.mjs' }];
const others = [
  script('build'),
  // The sandbox's command is built by now, and starts faster than from its source.
  {
    name: 'other tests',
    command: 'node tools/mocha.mjs around',
    env: { SANDBOX: 'dist/command/command.js' },
  },
  // At the end, because they keep every core busy.
  ...['lint', 'types', 'rules', 'weight'].map(script),
  { name: 'tables', command: 'node --import tsx tools/tables.mjs --check' },
  { name: 'trace', command: 'node --import tsx tools/trace-login.mjs --check' },
];
// Side by side, because many tests wait: for a timeout, a retry, a child process.
conclude(await runSteps([covered, others], { atOnce: 2 }));
