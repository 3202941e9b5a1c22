// What .ci/run checks before `npm test`, two steps at a time, each with its output and duration. Expects a build.
import { conclude, runSteps } from './steps.mjs';

/** A tenth of the cases; .github/workflows/nightly.yml generates all of them. */
const HOSTILITY = 'npm run hostility -- --share 0.1';

/** The longest first. `test:consumers` uses what `test:node-versions` installs. @type {readonly (readonly [string, string])[]} */
const STEPS = [
  ['test:node-versions', 'node tools/node-versions.mjs'],
  ['test:login', 'npm run test:login'],
  ['test:consumers', 'node tools/consumers.mjs'],
  ['test:cluster', 'npm run test:cluster'],
  ['test:frameworks', 'npm run test:frameworks'],
  ['hostility', HOSTILITY],
  ['interop', 'npm run interop -- --check'],
  ['test:record', 'npm run test:record'],
  ['test:databases', 'npm run test:databases'],
  ['test:guides', 'npm run test:guides'],
  ['test:site', 'npm run test:site'],
  ['test:console', 'npm run test:console'],
];

conclude(
  await runSteps(
    STEPS.map(([name, command]) => [{ name, command, env: { npm_config_package_lock: 'true' } }]),
    { atOnce: 2, isEverythingShown: true },
  ),
);
