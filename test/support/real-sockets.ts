import dns = require('node:dns');

import { mock } from 'node:test';
import { closesAfterEach } from './cleanup.js';

import nock = require('nock');

/** Disables nock for this `describe`, whose tests use their own servers on real sockets. @returns What closes a server after its test. */
export function realSockets(): ReturnType<typeof closesAfterEach> {
  before(() => nock.restore());
  after(() => {
    if (!nock.isActive()) nock.activate();
  });
  return closesAfterEach();
}

/** Gives every host name these addresses, until it is closed. */
export function resolving(...addresses: readonly string[]) {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const { mock: lookup } = mock.method(dns, 'lookup', (...given: unknown[]) =>
    (given.at(-1) as (error: null, all: typeof found) => void)(null, found),
  );
  return { close: () => lookup.restore(), count: () => lookup.callCount() };
}
