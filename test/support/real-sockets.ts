import nock = require('nock');

/** Disables nock for this `describe`, whose tests use their own servers on real sockets. */
export function realSockets(): void {
  before(() => nock.restore());
  after(() => {
    if (!nock.isActive()) nock.activate();
  });
}
