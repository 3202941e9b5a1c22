import { inspect } from 'node:util';
import { expect } from 'chai';
import { MalformedError, RefusedError, UnreachableError } from '../lib/index.js';
import { type LoginResult, logIn } from './recordings/login.js';
import { NETWORKS, type RecordedNetwork } from './recordings/networks.js';
import {
  allRecordings,
  type ExpectedError,
  type ExpectedSuccess,
  loginAround,
  type Recording,
} from './recordings/recording.js';
import { replay } from './recordings/replay.js';

import nock = require('nock');

/** Ninety seconds before the moment in the recorded `x-rate-limit-reset`. */
const NOW = 1_762_300_710_000;
const LOGIN_STEPS = ['token', 'profile', 'request-token', 'access-token', 'lookup'];
/** Recordings that no login plays, and why. */
const NO_LOGIN: Readonly<Record<string, string>> = {
  'short-video/2/refresh': 'tokens after the login',
  'short-video/2/revoke': 'tokens after the login',
  'microblog/2.0/refresh': 'tokens after the login',
  'microblog/2.0/revoke': 'tokens after the login',
  'microblog/1.0/revoke': 'tokens after the login',
  'social-network/vk-id/token': 'VK ID',
  'social-network/vk-id/profile': 'VK ID',
  'social-network/vk-id/lookup': 'VK ID',
  'social-network/vk-id/refresh': 'tokens after the login',
  'social-network/vk-id/revoke': 'tokens after the login',
  'social-network/vk-id/logout': 'tokens after the login',
};
const ERRORS = { RefusedError, MalformedError, UnreachableError };
/** The fixed values that are confidential, in any spelling of theirs. */
const SECRETS =
  /(CLIENT|CONSUMER|TOKEN)-SECRET|AUTHORIZATION-CODE|(ACCESS|REFRESH|REQUEST|OAUTH)-TOKEN|OAUTH-VERIFIER/i;

const recordings = allRecordings();
const played = recordings.filter(({ folder, step }) => folder in NETWORKS && LOGIN_STEPS.includes(step));

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

  for (const recording of played) {
    it(titleOf(recording), async () => {
      const network = NETWORKS[recording.folder] as RecordedNetwork;
      const exchanges = loginAround(recording, recordings);
      const options: Record<string, unknown> = {};
      for (const { strategy } of exchanges) Object.assign(options, strategy);
      const scopes = replay(exchanges, network);

      const result = await logIn(network, options);

      expect(scopes.flatMap((scope) => scope.pendingMocks())).to.deep.equal([]);
      const { expected } = recording;
      if (expected.outcome === 'success') expectSuccess(result, exchanges, network);
      else if (expected.outcome === 'error') expectError(result, expected);
      else {
        expect({ outcome: result.outcome, status: result.status }).to.deep.equal({ ...expected });
        expect(result.verifications).to.deep.equal([]);
      }
    });
  }

  it('each recording is part of a login, or of the steps that are known to be none', () => {
    const others = recordings.filter((recording) => !played.includes(recording));
    const steps = new Set(others.map(({ folder, step }) => `${folder}/${step}`));
    expect([...steps].sort()).to.deep.equal(Object.keys(NO_LOGIN).sort());
  });
});

function titleOf({ name, expected }: Recording): string {
  if (expected.outcome === 'error') return `${name} ends the login in a ${expected.class}`;
  if (expected.outcome === 'failure') return `${name} turns the person away`;
  return `${name} lets the person in${expected.fallback ? `, by way of the ${expected.fallback}` : ''}`;
}

function expectSuccess(result: LoginResult, exchanges: readonly Recording[], network: RecordedNetwork): void {
  if (result.error) throw result.error;
  expect(result.outcome).to.equal('success');
  expect(result.verifications).to.have.length(1);
  const [{ token, refreshToken, params, profile } = {}] = result.verifications;

  const credentials = membersOf(exchanges.find(({ step }) => step === 'token' || step === 'access-token'));
  expect(params).to.deep.equal(credentials);
  expect(token).to.equal(credentials.access_token ?? credentials.oauth_token);
  expect(refreshToken).to.equal(credentials.refresh_token ?? credentials.oauth_token_secret);

  const last = exchanges.at(-1) as Recording;
  const { outcome: _outcome, fallback, record, ...mapped } = last.expected as ExpectedSuccess;
  const { _raw, _json, ...shown } = profile as { _raw: string; _json: unknown };
  expect(shown).to.deep.equal({ provider: network.name, ...mapped });
  expect(_json).to.deep.equal(record ?? network.recordOf(last.response as object));
  // Without an answer that tells who it is, the text is the record's own.
  if (fallback) expect(JSON.parse(_raw)).to.deep.equal(record);
  else expect(_raw).to.equal(JSON.stringify(last.response));
}

function expectError({ error, status, verifications }: LoginResult, expected: ExpectedError): void {
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
  expect(status).to.equal(expected.status);
  expect(verifications).to.deep.equal([]);
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
