import nock = require('nock');

// Tests talk to this machine only; a request to a network without a recording fails at once.
nock.disableNetConnect();
nock.enableNetConnect(/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/);
