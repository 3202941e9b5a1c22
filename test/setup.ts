import nock = require('nock');

// Tests may connect only to this machine; a request to a network without an exchange fails at once.
nock.disableNetConnect();
nock.enableNetConnect(/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/);

// A busy machine may need more than the second after which mocha kills its workers: without a handler the signal ends a worker while it writes
// its coverage.
if (process.env.NODE_V8_COVERAGE !== undefined) process.once('SIGTERM', () => process.exit());
