import nock = require('nock');

// Tests may connect only to this machine; a request to a network without an exchange fails at once.
nock.disableNetConnect();
nock.enableNetConnect(/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/);
