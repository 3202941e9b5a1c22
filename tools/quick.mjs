// `npm run quick`: the type check, and the tests that find most mistakes (tools/suites.mjs), for the time between two changes.
import { conclude, runSteps, script } from './steps.mjs';
import { PROCESSES } from './suites.mjs';

// One process more than cores, because some tests wait.
const tests = { name: 'tests', command: `node tools/mocha.mjs quick --jobs=${PROCESSES + 1}` };
conclude(await runSteps([[tests], [script('types')]], { atOnce: 2 }));
