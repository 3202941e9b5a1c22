// `npm run quick`: the type check, and the tests that find most mistakes (tools/suites.mjs), for the time between two changes.
import { conclude, runSteps } from './steps.mjs';

const types = { name: 'types', command: 'npm run types' };
const tests = { name: 'tests', command: 'node tools/mocha.mjs quick' };
conclude(await runSteps([[tests], [types]], { atOnce: 2 }));
