// `npm test`: everything that a change must pass. One run of the tests, which measures the coverage of lib/ too. The last line
// counts the tests; a failed build, lint, type check, list of rules or coverage threshold counts as one failure.
import { conclude, runSteps } from './steps.mjs';

// The tests of lib/ compile for themselves.
const covered = [{ name: 'tests of lib/, with coverage', command: 'node tools/coverage.mjs' }];
const others = [
  { name: 'build', command: 'npm run build' },
  { name: 'lint', command: 'npm run lint' },
  { name: 'types', command: 'npm run types' },
  { name: 'rules', command: 'npm run rules' },
  { name: 'weight', command: 'npm run weight' },
  { name: 'other tests', command: 'node tools/mocha.mjs around' },
];
// Side by side, because many tests wait: for a timeout, a retry, a child process.
conclude(await runSteps([covered, others], { atOnce: 2 }));
