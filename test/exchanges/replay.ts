import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from './exchange.js';
import type { ExchangeNetwork } from './networks.js';

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
    rawHeaders,
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
