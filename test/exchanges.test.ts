import { expect } from 'chai';
import { expectError, expectLogin, expectTokens } from './exchanges/expectations.js';
import { logIn, strategyOptions } from './exchanges/login.js';
import { NETWORKS, type RecordedNetwork } from './exchanges/networks.js';
import { allRecordings, loginAround, type Recording } from './exchanges/recording.js';
import { replay } from './exchanges/replay.js';
import { rejectionOf } from './support/thrown.js';

import nock = require('nock');

/** Ninety seconds before the time in the recorded `x-rate-limit-reset`. */
const NOW = 1_762_300_710_000;

const recordings = allRecordings();

describe('recordings', () => {
  const { now } = Date;

  before(() => {
    Date.now = () => NOW;
  });
  after(() => {
    Date.now = now;
  });
  afterEach(() => {
    nock.cleanAll();
  });

  for (const recording of recordings) {
    it(titleOf(recording), async () => {
      const network = NETWORKS[recording.folder];
      if (network === undefined) throw new Error(`networks.ts has no entry for ${recording.folder}.`);
      if (isAfterLogin(recording)) await callAfterLogin(recording, network);
      else await logInWith(recording, network);
    });
  }
});

async function logInWith(recording: Recording, network: RecordedNetwork): Promise<void> {
  const login = loginAround(recording, recordings);
  const options: Record<string, unknown> = {};
  for (const { strategy } of login) Object.assign(options, strategy);
  const scopes = replay(login, network);

  const result = await logIn(network, options);

  expectAllUsed(scopes);
  expectLogin(result, recording, login, network);
}

async function callAfterLogin(recording: Recording, network: RecordedNetwork): Promise<void> {
  const { step, folder, expected, strategy: options = {} } = recording;
  const call = network.calls[step];
  if (call === undefined) throw new Error(`networks.ts has no call ${step} for ${folder}.`);
  const scopes = replay([recording], network);

  const called = call(network.strategy(strategyOptions(network, options), () => undefined));

  if (expected.outcome === 'error') expectError(await rejectionOf(called), expected);
  else expectTokens(await called, recording, network);
  expectAllUsed(scopes);
}

function expectAllUsed(scopes: readonly nock.Scope[]): void {
  expect(scopes.flatMap((scope) => scope.pendingMocks())).to.deep.equal([]);
}

function isAfterLogin({ step }: Recording): boolean {
  return ['refresh', 'revoke', 'logout'].includes(step);
}

function titleOf(recording: Recording): string {
  const { name, expected } = recording;
  if (expected.outcome === 'failure') return `${name} rejects the user`;
  if (isAfterLogin(recording)) {
    if (expected.outcome === 'error') return `${name} rejects with ${expected.class}`;
    return expected.tokens ? `${name} resolves to new tokens` : `${name} invalidates the token`;
  }
  if (expected.outcome === 'error') return `${name} ends the login in ${expected.class}`;
  return `${name} logs the user in${expected.fallback ? `, with the ${expected.fallback} as fallback` : ''}`;
}
