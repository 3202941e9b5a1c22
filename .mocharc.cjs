// tools/coverage.mjs runs compiled tests.
const isCompiled = process.env.TESTS === 'compiled';

module.exports = {
  require: isCompiled ? ['./build/test/setup.js'] : ['tsx/cjs', './test/setup.ts'],
  reporter: './test/reporter.cjs',
  'node-option': ['throw-deprecation', 'unhandled-rejections=strict'],
  timeout: 20_000,
};
