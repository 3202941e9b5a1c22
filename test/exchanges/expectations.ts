import { inspect } from 'node:util';
import { expect } from 'chai';
import { MalformedError, RefusedError, type Tokens, UnreachableError } from '../../lib/index.js';
import type { Exchange, ExpectedError, ExpectedSuccess } from './exchange.js';
import type { LoginResult } from './login.js';
import type { ExchangeNetwork } from './networks.js';

const ERRORS = { RefusedError, MalformedError, UnreachableError };
/** The fixed values that are secret, in any spelling. */
const SECRETS =
  /(CLIENT|CONSUMER|TOKEN)-SECRET|CODE-OF-LOGIN|(ACCESS|REFRESH|REQUEST|OAUTH|SERVICE|ID)-TOKEN|PIN-OF-LOGIN/i;

/** Expects the outcome that the exchange names: a user, an error or a failure. */
export function expectLogin(
  result: LoginResult,
  exchange: Exchange,
  login: readonly Exchange[],
  network: ExchangeNetwork,
): void {
  const { expected } = exchange;
  if (expected.outcome === 'success') {
    expectUser(result, login, network);
    return;
  }
  expect(result.verifications).to.deep.equal([]);
  expect(result.outcome).to.equal(expected.outcome);
  expect(result.status).to.equal(expected.status);
  if (expected.outcome === 'error') expectError(result.error, expected);
}

function expectUser(result: LoginResult, login: readonly Exchange[], network: ExchangeNetwork): void {
  if (result.error) throw result.error;
  expect(result.outcome).to.equal('success');
  expect(result.verifications).to.have.length(1);
  const [{ token, refreshToken, params, profile } = {}] = result.verifications;

  const credentials = fieldsOf(login.find(({ step }) => step === 'token' || step === 'access-token'));
  expect(params).to.deep.equal({
    ...credentials,
    ...network.addedParams,
    ...(credentials.state === 'STATE' && { state: result.key }),
  });
  expect(token).to.equal(credentials.access_token ?? credentials.oauth_token);
  expect(refreshToken).to.equal(credentials.refresh_token ?? credentials.oauth_token_secret);

  const last = login.at(-1) as Exchange;
  const { outcome: _outcome, fallback, record, ...mapped } = last.expected as ExpectedSuccess;
  const { _raw, _json, ...shown } = profile as { _raw: string; _json: unknown };
  expect(shown).to.deep.equal({ provider: network.name, ...mapped });
  expect(_json).to.deep.equal(network.recordOf(login, record));
  // No profile response was used, so `_raw` is the JSON of the record itself.
  if (fallback === 'token' || fallback === 'access-token') expect(JSON.parse(_raw)).to.deep.equal(record);
  else expect(_raw).to.equal(JSON.stringify(network.profileOf(login).response));
}

/** Expects what a call after the login resolves to: the exchange's tokens, or else `undefined`. */
export function expectTokens(
  result: unknown,
  { expected, response }: Exchange,
  { addedParams }: ExchangeNetwork,
): void {
  const { tokens: named } = expected as ExpectedSuccess;
  if (named === undefined) {
    expect(result).to.equal(undefined);
    return;
  }
  const tokens = result as Tokens;
  const { state, ...params } = tokens.params;
  const { state: echo, ...body } = response as Record<string, unknown>;
  expect({ ...tokens, params }).to.deep.equal({
    ...named,
    expiresAt: new Date(named.expiresAt),
    params: { ...body, ...addedParams },
  });
  // The network echoes a state that was made for this request.
  if (echo === 'STATE') expect(state).to.match(/^[A-Za-z0-9_-]{32,}$/);
  else expect(state).to.equal(echo);
}

export function expectError(error: unknown, expected: ExpectedError): void {
  expect(error).to.be.instanceOf(ERRORS[expected.class]);
  const details = error as RefusedError;
  expect({
    class: details.name,
    step: details.step,
    status: details.status,
    statusCode: details.statusCode,
    expose: details.expose,
    networkCode: details.networkCode,
    networkMessage: details.networkMessage,
    requestId: details.requestId,
    retryAfter: details.retryAfter,
    accessTokenSpent: details.accessTokenSpent ?? false,
  }).to.deep.equal({
    class: expected.class,
    step: expected.step,
    status: expected.status,
    statusCode: expected.status,
    expose: false,
    networkCode: expected.networkCode,
    networkMessage: expected.networkMessage,
    requestId: expected.requestId,
    retryAfter: expected.retryAfter,
    accessTokenSpent: expected.accessTokenSpent ?? false,
  });
  if (expected.code !== undefined) expect(details.code).to.equal(expected.code);
  // The network's own message may contain the words too, so look only after it.
  const { networkMessage = '', hint = [] } = expected;
  const { message } = details;
  const rest = message.slice(message.indexOf(networkMessage) + networkMessage.length).toLowerCase();
  for (const words of [hint].flat()) expect(rest).to.include(words.toLowerCase());
  expect(inspect(error, { depth: Infinity, showHidden: true })).not.to.match(SECRETS);
}

/** The fields of a response: JSON, or a form in OAuth 1.0a. */
function fieldsOf(exchange: Exchange | undefined): Record<string, unknown> {
  const { response } = exchange as Exchange;
  return typeof response === 'string'
    ? Object.fromEntries(new URLSearchParams(response))
    : { ...(response as object) };
}
