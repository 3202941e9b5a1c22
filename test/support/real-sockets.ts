import nock = require('nock');

/** Takes nock out of the way of this `describe`: its tests talk to servers of their own, over real sockets. */
export function realSockets(): void {
  before(() => nock.restore());
  after(() => {
    if (!nock.isActive()) nock.activate();
  });
}
