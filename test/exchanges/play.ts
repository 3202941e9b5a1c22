import { inspect, isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { RefusedError, type Tokens } from '../../lib/index.js';
import { classOf, isOAuth1, subjects } from '../contract/strategies.js';
import { attempt, fakeRequest } from '../support/attempt.js';
import type { NamedStrategy } from '../support/login-app.js';
import { keyedLogins } from '../support/logins.js';
import type { AfterLogin, ExchangeDefinition } from '../support/network-definition.js';
import { rejectionOf } from '../support/thrown.js';
import type { AnyFunction } from '../support/verification.js';
import { type Exchange, type ExpectedError, type ExpectedSuccess, loginAround } from './exchange.js';

import nock = require('nock');

/**
 * Values that are random in every login: any code verifier of RFC 7636, in the characters that all networks accept, and any
 * state that VK ID accepts.
 */
const RANDOM_VALUES = {
  code_verifier: { value: 'CODE-VERIFIER', pattern: /^[A-Za-z0-9_-]{43,128}$/ },
  state: { value: 'STATE', pattern: /^[A-Za-z0-9_-]{32,}$/ },
} as const;

/** The time at which exchanges are played. */
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
  if (['refresh', 'revoke', 'logout'].includes(exchange.step)) return callAfterLogin(exchange, network);
  const login = loginAround(exchange, all);
  const scopes = replay(login, network);
  const result = await logIn(network, optionsOf(login));
  expectAllUsed(scopes);
  const { expected } = exchange;
  if (expected.outcome === 'success') return expectUser(result, login, network);
  expect(result.verifications).to.deep.equal([]);
  if (expected.outcome === 'error') return expectError(result.error, expected);
  expect(result).to.have.property('failure');
  expect(result.status).to.equal(expected.status);
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

/** The strategy options of a login, besides the fixed values. */
export function optionsOf(login: readonly Exchange[]): Record<string, unknown> {
  return Object.assign({}, ...login.map(({ strategy }) => strategy));
}

function expectAllUsed(scopes: readonly nock.Scope[]): void {
  expect(scopes.flatMap((scope) => scope.pendingMocks())).to.deep.equal([]);
}

/** Gives the responses to nock, each once. */
export function replay(exchanges: readonly Exchange[], network: ExchangeNetwork): nock.Scope[] {
  return nock.define(exchanges.map((exchange) => definitionOf(exchange, network)));
}

function definitionOf(exchange: Exchange, { headers }: ExchangeNetwork): nock.Definition {
  const { scope, method, path, status, rawHeaders } = exchange;
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

/** How to run the logins of one folder of exchanges, and the calls after them. */
export interface ExchangeNetwork extends Required<Omit<ExchangeDefinition, 'folder'>> {
  readonly name: string;
  readonly strategy: (options: object, verify: AnyFunction) => AfterLogin;
  /** The parameter that connects the authorization response to its login. */
  readonly key: 'state' | 'oauth_token';
  /** Headers of every request whose value is not in the exchange. */
  readonly headers: Readonly<Record<string, RegExp>>;
}

const lastOf = (login: readonly Exchange[]) => login.at(-1) as Exchange;

/** By folder: `<network>/<version>`. */
export const EXCHANGE_NETWORKS: ReadonlyMap<string, ExchangeNetwork> = new Map(
  subjects().map((subject) => {
    const { provider, version, exchanges } = subject;
    const Strategy = classOf(subject);
    const network: ExchangeNetwork = {
      addedParams: {},
      profileOf: lastOf,
      recordOf: (login, record) => record ?? lastOf(login).response,
      ...exchanges,
      name: provider,
      strategy: (options, verify) => new Strategy(options, verify) as NamedStrategy as AfterLogin,
      options: {
        ...(version !== undefined && { version }),
        callbackURL: `https://app.example/api/auth/callback/${provider}`,
        ...exchanges.options,
      },
      key: isOAuth1(subject) ? 'oauth_token' : 'state',
      // The OAuth 1.0a header contains a nonce and is not in the exchange; the request must still have one.
      headers: isOAuth1(subject) ? { authorization: /^OAuth / } : {},
    };
    return [`${provider}/${exchanges.folder}`, network];
  }),
);

/**
 * Runs a whole login through Passport, with the code or verifier of the exchanges.
 *
 * @param options - Strategy options of these exchanges besides the fixed values.
 * @returns How it ended, its state or request token, and the arguments of each call to verify.
 */
export async function logIn(network: ExchangeNetwork, options: Readonly<Record<string, unknown>>) {
  const verifications: Record<'token' | 'refreshToken' | 'params' | 'profile', unknown>[] = [];
  const strategy = network.strategy(
    strategyOptions(network, options),
    (token, refreshToken, params, profile, done) => {
      verifications.push({ token, refreshToken, params, profile });
      done(null, { name: 'USER' });
    },
  );
  const cookies = {};
  const start = await attempt(strategy, fakeRequest('/login', cookies));
  if (start.redirect === undefined) return { ...start, key: '', verifications };
  const key = new URL(start.redirect).searchParams.get(network.key) ?? '';
  const callback = new URLSearchParams({ ...network.callback, [network.key]: key });
  const ending = await attempt(strategy, fakeRequest(`/callback?${callback.toString()}`, cookies));
  return { ...ending, key, verifications };
}

type LoginResult = Awaited<ReturnType<typeof logIn>>;

function strategyOptions(network: ExchangeNetwork, options: object): object {
  // Request tokens are the same in every exchange, and a store lets each log in once. Some clients have no secret.
  return { store: keyedLogins(), ...network.options, ...options };
}

/** The fixed values that are secret, in any spelling. */
const SECRETS =
  /(CLIENT|CONSUMER|TOKEN)-SECRET|CODE-OF-LOGIN|(ACCESS|REFRESH|REQUEST|OAUTH|SERVICE|ID)-TOKEN|PIN-OF-LOGIN/i;

function expectUser(result: LoginResult, login: readonly Exchange[], network: ExchangeNetwork): void {
  if (result.error) throw result.error;
  expect(result).to.have.property('user');
  expect(result.verifications).to.have.length(1);
  const [{ token, refreshToken, params, profile } = {}] = result.verifications;

  const credentials = fieldsOf(login.find(({ step }) => step === 'token' || step === 'access-token'));
  // With OAuth 1.0a, verify gets the credentials as its first arguments alone.
  const { oauth_token: _token, oauth_token_secret: _secret, ...others } = credentials;
  expect(params).to.deep.equal({
    ...others,
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
  if (fallback === 'access-token') expect(JSON.parse(_raw)).to.deep.equal(record);
  else expect(_raw).to.equal(JSON.stringify(network.profileOf(login).response));
}

/** Expects what a call after the login resolves to: the exchange's tokens, or else `undefined`. */
function expectTokens(
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

function expectError(error: unknown, expected: ExpectedError): void {
  expect(error).to.be.instanceOf(RefusedError);
  const { outcome: _outcome, hint = '', ...members } = expected;
  expect(error).to.deep.include({ statusCode: expected.status, expose: false, ...members });
  for (const other of ['networkCode', 'networkMessage', 'requestId', 'retryAfter', 'accessTokenSpent'])
    if (!(other in members))
      expect(Reflect.get(error as object, other) || undefined, other).to.equal(undefined);
  // The network's own message may contain the words too, so look only after it.
  const { networkMessage = '' } = expected;
  const { message } = error as Error;
  const rest = message.slice(message.indexOf(networkMessage) + networkMessage.length).toLowerCase();
  expect(rest).to.include(hint.toLowerCase());
  expect(inspect(error, { depth: Infinity, showHidden: true })).not.to.match(SECRETS);
}

/** The fields of a response: JSON, or a form in OAuth 1.0a. */
function fieldsOf(exchange: Exchange | undefined): Record<string, unknown> {
  const { response } = exchange as Exchange;
  return typeof response === 'string'
    ? Object.fromEntries(new URLSearchParams(response))
    : { ...(response as object) };
}
