import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { rejectionOf } from '../support/thrown.js';
import { type Exchange, loginAround } from './exchange.js';
import { expectError, expectLogin, expectTokens } from './expectations.js';
import { logIn, strategyOptions } from './login.js';
import { EXCHANGE_NETWORKS, type ExchangeNetwork } from './networks.js';

import nock = require('nock');

/**
 * Values that are random in every login: any code verifier of RFC 7636, in the characters that all networks accept, and any
 * state that VK ID accepts.
 */
const RANDOM_VALUES = {
  code_verifier: { value: 'CODE-VERIFIER', pattern: /^[A-Za-z0-9_-]{43,128}$/ },
  state: { value: 'STATE', pattern: /^[A-Za-z0-9_-]{32,}$/ },
} as const;
const RETRIED_STATUSES = [502, 503, 504];

/** The time at which exchanges are played: ninety seconds before the time in `x-rate-limit-reset`. */
export const NOW = 1_762_300_710_000;

/**
 * Plays an exchange as part of a whole login, or of the call after one that it belongs to. Fails unless every exchange was used, and the outcome
 * is the expected one.
 *
 * @param all - The exchanges to take the rest of the login from.
 */
export async function playExchange(exchange: Exchange, all: readonly Exchange[]): Promise<void> {
  const network = EXCHANGE_NETWORKS.get(exchange.folder);
  if (!network) throw new Error(`no network's subjects.ts names the folder ${exchange.folder}.`);
  if (isAfterLogin(exchange)) return callAfterLogin(exchange, network);
  const login = loginAround(exchange, all);
  const scopes = replay(login, network);
  const result = await logIn(network, optionsOf(login));
  expectAllUsed(scopes);
  expectLogin(result, exchange, login, network);
}

async function callAfterLogin(exchange: Exchange, network: ExchangeNetwork): Promise<void> {
  const { step, folder, expected } = exchange;
  const call = network.calls[step];
  if (call === undefined) throw new Error(`The subjects.ts of ${folder} has no call ${step}.`);
  const scopes = replay([exchange], network);
  const called = call(network.strategy(strategyOptions(network, optionsOf([exchange])), () => undefined));
  if (expected.outcome === 'error') expectError(await rejectionOf(called), expected);
  else expectTokens(await called, exchange, network);
  expectAllUsed(scopes);
}

/** Whether an exchange belongs to a call after the login. */
export function isAfterLogin({ step }: Exchange): boolean {
  return ['refresh', 'revoke', 'logout'].includes(step);
}

/** The strategy options of a login, besides the fixed values. */
export function optionsOf(login: readonly Exchange[]): Record<string, unknown> {
  return Object.assign({}, ...login.map(({ strategy }) => strategy));
}

function expectAllUsed(scopes: readonly nock.Scope[]): void {
  expect(scopes.flatMap((scope) => scope.pendingMocks())).to.deep.equal([]);
}

/** Gives the responses to nock, each exactly as often as the strategy should request it. */
export function replay(exchanges: readonly Exchange[], network: ExchangeNetwork): nock.Scope[] {
  return nock.define(
    exchanges.flatMap((exchange) => {
      const isRetried = exchange.method === 'GET' && RETRIED_STATUSES.includes(exchange.status);
      return Array.from({ length: isRetried ? 1 + network.retries : 1 }, () =>
        definitionOf(exchange, network),
      );
    }),
  );
}

function definitionOf(exchange: Exchange, { headers }: ExchangeNetwork): nock.Definition {
  const { scope, method, path, status, rawHeaders, badheaders } = exchange;
  return {
    scope,
    method,
    path,
    status,
    response: responseOf(exchange) as object,
    // A form needs a length, or chunks, as the networks send it.
    rawHeaders: { 'transfer-encoding': 'chunked', ...rawHeaders },
    body: (sent: unknown) => isExpectedBody(sent, exchange.body),
    reqheaders: { ...exchange.reqheaders, ...headers } as Record<string, string>,
    ...(badheaders && { badheaders }),
  };
}

/** The response; if it echoes the state of the request, with the state that was sent. */
function responseOf({ response }: Exchange): unknown {
  if (!echoesState(response)) return response;
  return (_path: string, body: string) => ({ ...response, state: new URLSearchParams(body).get('state') });
}

function echoesState(response: Exchange['response']): response is { state: string } {
  return typeof response === 'object' && 'state' in response && response.state === RANDOM_VALUES.state.value;
}

/** Whether a form has exactly the expected fields; without expected fields, the request must have no body. */
function isExpectedBody(sent: unknown, expected: Exchange['body']): boolean {
  if (expected === undefined) return sent === '';
  const form = { ...(sent as Record<string, string>) };
  for (const [name, { value, pattern }] of Object.entries(RANDOM_VALUES)) {
    if (expected[name] === value && pattern.test(form[name] ?? '')) form[name] = value;
  }
  return isDeepStrictEqual(form, { ...expected });
}
