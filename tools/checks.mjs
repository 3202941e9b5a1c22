// What .ci/run checks before `npm test`, three steps at a time on two cores, because most of them wait for other programs, each with its
// output and duration. Expects a build.
import { availableParallelism } from 'node:os';
import { conclude, runSteps } from './steps.mjs';

/** Four in a hundred of the cases; .github/workflows/nightly.yml generates all of them. */
const HOSTILITY = 'npm run hostility -- --share 0.04';

/** The longest first, but `test:consumers` after `test:node-versions`, which installs the versions of Node for both. @type {readonly (readonly [string, string])[]} */
const STEPS = [
  ['test:node-versions', 'node tools/node-versions.mjs'],
  ['test:login', 'npm run test:login'],
  ['test:frameworks', 'npm run test:frameworks'],
  ['test:consumers', 'node tools/consumers.mjs'],
  ['test:cluster', 'npm run test:cluster'],
  ['hostility', HOSTILITY],
  ['interop', 'npm run interop -- --check'],
  ['test:bench', 'npm run test:bench'],
  ['test:record', 'npm run test:record'],
  ['test:accounts', 'npm run test:accounts'],
  ['test:rehearsal', 'npm run test:rehearsal'],
  ['test:guides', 'npm run test:guides'],
  ['test:browsers', 'npm run test:browsers'],
];

conclude(
  await runSteps(
    STEPS.map(([name, command]) => [{ name, command, env: { npm_config_package_lock: 'true' } }]),
    { atOnce: 1 + availableParallelism(), isEverythingShown: true },
  ),
);
