import { expect } from 'chai';
import { allExchanges, type Exchange } from './exchanges/exchange.js';
import { isAfterLogin, NOW, playExchange } from './exchanges/play.js';

import nock = require('nock');

/** `recorded: <protocol> at <host>, <date>`, or another kind and where it says so. */
const SOURCE =
  /^(recorded: [a-z][\w. -]* at https?:\/\/[^\s/,;]+, \d{4}-\d\d-\d\d(;|$)|(recorded by others|documented( \((older page|SDK|quoted)\))?|observed|constructed): \S)/;

const exchanges = allExchanges();

describe('exchanges', () => {
  const { now } = Date;

  it('each source begins with a kind that the README lists', () => {
    const others = exchanges.filter(({ source }) => !SOURCE.test(source));
    expect(others.map(({ name, source }) => `${name}: ${source}`)).to.deep.equal([]);
  });

  before(() => {
    Date.now = () => NOW;
  });
  after(() => {
    Date.now = now;
  });
  afterEach(() => {
    nock.cleanAll();
  });

  for (const exchange of exchanges) {
    it(titleOf(exchange), () => playExchange(exchange, exchanges));
  }
});

function titleOf(exchange: Exchange): string {
  const { name, expected } = exchange;
  if (expected.outcome === 'failure') return `${name} rejects the user`;
  if (isAfterLogin(exchange)) {
    if (expected.outcome === 'error') return `${name} rejects with ${expected.class}`;
    return expected.tokens ? `${name} resolves to new tokens` : `${name} invalidates the token`;
  }
  if (expected.outcome === 'error') return `${name} ends the login in ${expected.class}`;
  return `${name} logs the user in${expected.fallback ? `, with the ${expected.fallback} as fallback` : ''}`;
}
