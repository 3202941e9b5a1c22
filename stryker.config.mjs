// Breaks code in small ways, one at a time: `npm run step -- mutants --mutate lib/core/login/flow.ts`, or `...flow.ts:100-140`. A break that survives
// is one of three: a hole (write the test that fails with it), equivalent (the code does the same; if it can be left out, leave it out) or harmless.
export default {
  testRunner: 'command',
  commandRunner: { command: 'node tools/mocha.mjs quick --bail' },
  mutate: ['lib/**/*.ts', 'check/lib/**/*.ts'],
  // Copies would find the packages of the workspace here, where nothing is broken.
  inPlace: true,
  // They would come back without their modes.
  ignorePatterns: ['*/bin'],
  concurrency: 1,
  reporters: ['clear-text'],
  tempDirName: 'build/stryker',
};
