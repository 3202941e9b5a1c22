import { inspect } from 'node:util';
import { expect } from 'chai';
import { MalformedError, RefusedError, type Tokens, UnreachableError } from '../../lib/index.js';
import type { LoginResult } from './login.js';
import type { RecordedNetwork } from './networks.js';
import type { ExpectedError, ExpectedSuccess, Recording } from './recording.js';

const ERRORS = { RefusedError, MalformedError, UnreachableError };
/** The fixed values that are confidential, in any spelling of theirs. */
const SECRETS =
  /(CLIENT|CONSUMER|TOKEN)-SECRET|AUTHORIZATION-CODE|(ACCESS|REFRESH|REQUEST|OAUTH|SERVICE|ID)-TOKEN|OAUTH-VERIFIER/i;

/** Expects what a login's last exchange says of it: who was let in, which error came, or who was turned away. */
export function expectLogin(
  result: LoginResult,
  recording: Recording,
  login: readonly Recording[],
  network: RecordedNetwork,
): void {
  const { expected } = recording;
  if (expected.outcome === 'success') {
    expectPerson(result, login, network);
    return;
  }
  expect(result.verifications).to.deep.equal([]);
  expect(result.outcome).to.equal(expected.outcome);
  expect(result.status).to.equal(expected.status);
  if (expected.outcome === 'error') expectError(result.error, expected);
}

function expectPerson(result: LoginResult, login: readonly Recording[], network: RecordedNetwork): void {
  if (result.error) throw result.error;
  expect(result.outcome).to.equal('success');
  expect(result.verifications).to.have.length(1);
  const [{ token, refreshToken, params, profile } = {}] = result.verifications;

  const credentials = membersOf(login.find(({ step }) => step === 'token' || step === 'access-token'));
  expect(params).to.deep.equal({
    ...credentials,
    ...network.addedParams,
    ...(credentials.state === 'STATE' && { state: result.key }),
  });
  expect(token).to.equal(credentials.access_token ?? credentials.oauth_token);
  expect(refreshToken).to.equal(credentials.refresh_token ?? credentials.oauth_token_secret);

  const last = login.at(-1) as Recording;
  const { outcome: _outcome, fallback, record, ...mapped } = last.expected as ExpectedSuccess;
  const { _raw, _json, ...shown } = profile as { _raw: string; _json: unknown };
  expect(shown).to.deep.equal({ provider: network.name, ...mapped });
  expect(_json).to.deep.equal(record ?? network.recordOf(login));
  // Without an answer that tells who it is, the text is the record's own.
  if (fallback === 'token' || fallback === 'access-token') expect(JSON.parse(_raw)).to.deep.equal(record);
  else expect(_raw).to.equal(JSON.stringify(network.profileOf(login).response));
}

/** Expects what a call after the login resolves to: tokens where the recording names them, else nothing. */
export function expectTokens(
  result: unknown,
  { expected, response }: Recording,
  { addedParams }: RecordedNetwork,
): void {
  const { tokens: named } = expected as ExpectedSuccess;
  if (named === undefined) {
    expect(result).to.equal(undefined);
    return;
  }
  const tokens = result as Tokens;
  const { state, ...params } = tokens.params;
  const { state: echo, ...answer } = response as Record<string, unknown>;
  expect({ ...tokens, params }).to.deep.equal({
    ...named,
    expiresAt: new Date(named.expiresAt),
    params: { ...answer, ...addedParams },
  });
  // The network repeats a state that was made for this one request.
  if (echo === 'STATE') expect(state).to.match(/^[A-Za-z0-9_-]{32,}$/);
  else expect(state).to.equal(echo);
}

export function expectError(error: unknown, expected: ExpectedError): void {
  expect(error).to.be.instanceOf(ERRORS[expected.class]);
  const refused = error as RefusedError;
  expect({
    class: refused.name,
    step: refused.step,
    status: refused.status,
    statusCode: refused.statusCode,
    expose: refused.expose,
    networkCode: refused.networkCode,
    networkMessage: refused.networkMessage,
    requestId: refused.requestId,
    retryAfter: refused.retryAfter,
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
  });
  // The network's own words may have the keyword, too: the remedy comes after them.
  const { networkMessage = '', remedy = '' } = expected;
  const { message } = refused;
  expect(message.slice(message.indexOf(networkMessage) + networkMessage.length).toLowerCase()).to.include(
    remedy.toLowerCase(),
  );
  expect(inspect(error, { depth: Infinity, showHidden: true })).not.to.match(SECRETS);
}

/** The members of an answer: JSON, or in OAuth 1.0a a form. */
function membersOf(recording: Recording | undefined): Record<string, unknown> {
  const { response } = recording as Recording;
  return typeof response === 'string'
    ? Object.fromEntries(new URLSearchParams(response))
    : { ...(response as object) };
}
