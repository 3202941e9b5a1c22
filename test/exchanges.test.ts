import { expect } from 'chai';
import { allExchanges } from './exchanges/exchange.js';
import { NOW, playExchange } from './exchanges/play.js';

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
    const { name, expected } = exchange;
    const end = expected.outcome === 'error' ? 'RefusedError' : expected.outcome;
    it(`${name} ends in ${end}`, () => playExchange(exchange, exchanges));
  }
});
