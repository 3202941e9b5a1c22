import { expect } from 'chai';
import { brokenExchanges } from './exchanges/broken-responses.js';
import { allExchanges, type Exchange, loginAround } from './exchanges/exchange.js';
import { expectError, expectLogin, expectTokens } from './exchanges/expectations.js';
import { logIn, strategyOptions } from './exchanges/login.js';
import { EXCHANGE_NETWORKS, type ExchangeNetwork } from './exchanges/networks.js';
import { NOW, replay } from './exchanges/replay.js';
import { rejectionOf } from './support/thrown.js';

import nock = require('nock');

/** `recorded: <protocol> at <host>, <date>`, or another kind and where it says so. */
const SOURCE =
  /^(recorded: [a-z][\w. -]* at https?:\/\/[^\s/,;]+, \d{4}-\d\d-\d\d(;|$)|(recorded by others|documented( \((older page|SDK|quoted)\))?|observed|constructed): \S)/;

const exchanges = allExchanges();
const played = [...exchanges, ...brokenExchanges(exchanges)];

describe('exchanges', () => {
  const { now } = Date;

  it('each source begins with a kind that the README lists', () => {
    const others = played.filter(({ source }) => !SOURCE.test(source));
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

  for (const exchange of played) {
    it(titleOf(exchange), async () => {
      const network = EXCHANGE_NETWORKS.get(exchange.folder);
      if (network === undefined)
        throw new Error(`no network's subjects.ts names the folder ${exchange.folder}.`);
      if (isAfterLogin(exchange)) await callAfterLogin(exchange, network);
      else await logInWith(exchange, network);
    });
  }
});

async function logInWith(exchange: Exchange, network: ExchangeNetwork): Promise<void> {
  const login = loginAround(exchange, exchanges);
  const options: Record<string, unknown> = {};
  for (const { strategy } of login) Object.assign(options, strategy);
  const scopes = replay(login, network);

  const result = await logIn(network, options);

  expectAllUsed(scopes);
  expectLogin(result, exchange, login, network);
}

async function callAfterLogin(exchange: Exchange, network: ExchangeNetwork): Promise<void> {
  const { step, folder, expected, strategy: options = {} } = exchange;
  const call = network.calls[step];
  if (call === undefined) throw new Error(`The subjects.ts of ${folder} has no call ${step}.`);
  const scopes = replay([exchange], network);

  const called = call(network.strategy(strategyOptions(network, options), () => undefined));

  if (expected.outcome === 'error') expectError(await rejectionOf(called), expected);
  else expectTokens(await called, exchange, network);
  expectAllUsed(scopes);
}

function expectAllUsed(scopes: readonly nock.Scope[]): void {
  expect(scopes.flatMap((scope) => scope.pendingMocks())).to.deep.equal([]);
}

function isAfterLogin({ step }: Exchange): boolean {
  return ['refresh', 'revoke', 'logout'].includes(step);
}

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
