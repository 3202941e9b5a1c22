const { reporters } = require('mocha');

/** Mocha's list of failures, and as the very last line a plain count. */
module.exports = class CountReporter extends reporters.Dot {
  /**
   * @param {import('mocha').Runner} runner
   * @param {import('mocha').MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options);
    const { stats } = this;
    process.once('exit', () => {
      const skipped = stats.pending > 0 ? `, ${stats.pending} skipped` : '';
      process.stdout.write(`${stats.passes} passed, ${stats.failures} failed${skipped}\n`);
    });
  }
};
