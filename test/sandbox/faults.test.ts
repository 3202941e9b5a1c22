import { expect } from 'chai';
import { startSandbox } from '../../sandbox/lib/index.js';
import { NETWORKS } from '../../sandbox/lib/networks.js';
import { rejectionOf } from '../support/thrown.js';
import { OAuth2Client, ShortVideoClient, VkIdClient } from './clients.js';
import { eachSandbox, get, post, postJson, rows, withSandbox } from './requests.js';

/** The versions of all networks, in the order of the message. */
const VERSIONS = [...new Set(NETWORKS.flatMap(({ versions }) => [...versions]))];
const HANG = { kind: 'hang' } as const;
const BUSY = { kind: 'answer', status: 503 } as const;

describe('A fault of the sandbox', () => {
  const sandbox = eachSandbox();

  const lookup = async (from = sandbox) => (await get(from.options('microblog').profileURL)).status;
  const classicToken = async () => (await post(sandbox.options('social-network').tokenURL, {})).status;
  const vkIdToken = async () =>
    (await post(sandbox.options('social-network', { version: '2.1' }).tokenURL, {})).status;

  it('applies until it is removed', async () => {
    const remove = sandbox.fault({ network: 'microblog', endpoint: 'users lookup', fault: BUSY });
    expect([await lookup(), await lookup()]).to.deep.equal([503, 503]);
    remove();
    expect(await lookup()).to.equal(401);
    remove();
    expect(await lookup()).to.equal(401);
  });

  it('applies to the given number of requests', async () => {
    sandbox.fault({ endpoint: 'users lookup', fault: BUSY, times: 2 });
    expect([await lookup(), await lookup(), await lookup()]).to.deep.equal([503, 503, 401]);
  });

  it('can be set from the start', () =>
    withSandbox({ faults: [{ endpoint: 'users lookup', fault: BUSY }] }, async (other) => {
      expect(await lookup(other)).to.equal(503);
    }));

  it('is removed by a reset, like all others', async () => {
    sandbox.fault({ endpoint: 'users lookup', fault: BUSY });
    sandbox.fault({ endpoint: 'token', fault: BUSY });
    sandbox.reset();
    expect([await lookup(), await classicToken()]).to.deep.equal([401, 401]);
  });

  it('applies only to the network and version that it names', async () => {
    sandbox.fault({ network: 'social-network', version: '2.1', endpoint: 'token', fault: BUSY });
    expect([await vkIdToken(), await classicToken()]).to.deep.equal([503, 401]);
  });

  it('applies to every network with the endpoint, unless it names one', async () => {
    sandbox.fault({ endpoint: 'token', fault: BUSY });
    const { status } = await post(sandbox.options('microblog').tokenURL, {});
    expect([await vkIdToken(), await classicToken(), status]).to.deep.equal([503, 503, 503]);
  });

  it('is overridden by a later one for the same endpoint, and applies again afterwards', async () => {
    sandbox.fault({ endpoint: 'users lookup', fault: BUSY });
    sandbox.fault({ endpoint: 'users lookup', fault: { kind: 'answer', status: 418 }, times: 1 });
    expect([await lookup(), await lookup()]).to.deep.equal([418, 503]);
  });

  it('does not change when the object passed in is changed', async () => {
    const fault = { kind: 'answer' as const, status: 503 };
    sandbox.fault({ endpoint: 'users lookup', fault });
    fault.status = 200;
    expect(await lookup()).to.equal(503);
  });

  it('is logged with the request that it applied to', async () => {
    sandbox.fault({ endpoint: 'users lookup', fault: { kind: 'rate-limit' } });
    await lookup();
    const refused = { fault: 'rate-limit', refused: 'too many requests' };
    expect(sandbox.requests().at(-1)).to.include({ endpoint: 'users lookup', status: 429, ...refused });
  });

  it('"expired-code" does not apply to refreshes, nor "revoked-token" to code exchanges', async () => {
    const client = new ShortVideoClient(sandbox);
    sandbox.fault({ network: 'short-video', endpoint: 'token', fault: { kind: 'revoked-token' } });
    const { refreshToken } = await client.tokens('alice');
    expect((await client.refresh(refreshToken)).json).to.include({ error: 'invalid_grant' });
    sandbox.reset();
    const tokens = await client.tokens('alice');
    sandbox.fault({ network: 'short-video', endpoint: 'token', fault: { kind: 'expired-code' } });
    expect((await client.refresh(tokens.refreshToken)).json).to.include({ token_type: 'Bearer' });
    expect((await client.exchange(await client.code())).json).to.include({ error: 'invalid_grant' });
  });

  it('"expired-code" does not apply to a refresh in a JSON body', async () => {
    const { refreshToken } = await new OAuth2Client(sandbox).tokens();
    sandbox.fault({ network: 'microblog', endpoint: 'token', fault: { kind: 'expired-code' } });
    const reply = await new OAuth2Client(sandbox, 'confidential', postJson).refresh(refreshToken);
    expect(reply.json).to.include({ token_type: 'bearer' });
  });

  it('applies to authorization pages too', async () => {
    sandbox.fault({ network: 'social-network', version: '2.1', endpoint: 'authorization', fault: BUSY });
    expect((await get(new VkIdClient(sandbox).authorization())).status).to.equal(503);
  });

  const KINDS =
    'answer, delay, hang, reset, cut, drip, huge, wrong-type, redirect, malformed, rate-limit, expired-code, revoked-token';

  for (const [rule = '', message] of rows(String.raw`
    {"network":"fax"} | unknown network "fax" (known: ${NETWORKS.map(({ name }) => name).join(', ')})
    {"network":"short-video","endpoint":"users.get"} | unknown endpoint "users.get" at short-video (known: authorization, token, revocation, profile)
    {"network":"microblog","version":"1.0"} | unknown endpoint "token" at microblog 1.0 (known: request token, authorization, access token, revocation, users lookup, verify credentials)
    {"version":"3.0"} | unknown version "3.0" (known: ${VERSIONS.join(', ')})
    {"verison":"1.0"}                       | unknown property "verison": did you mean version?
    {"time":2}                              | unknown property "time": did you mean times?
    {"times":0}                             | times must be an integer, 1 or more
    {"fault":{"kind":"fire"}}               | unknown fault "fire" (known: ${KINDS})
    {"fault":null}                          | unknown fault undefined (known: ${KINDS})
    {"fault":{"kind":"answer","status":99}} | status of "answer" must be an HTTP status from 200 to 599
    {"fault":{"kind":"answer","status":200,"body":7}} | body of "answer" must be a string, or an object to send as JSON
    {"fault":{"kind":"answer","status":200,"headers":{"x-a":"b\r\nx-c: d"}}} | headers of "answer" must be an object of header names and string values
    {"fault":{"kind":"delay"}}              | milliseconds of "delay" must be an integer from 0 to 2147483647
    {"fault":{"kind":"huge","bytes":1e9}}   | bytes of "huge" must be an integer from 20 to 100000000
    {"fault":{"kind":"redirect","location":"/there"}} | location of "redirect" must be an absolute URL
    {"fault":{"kind":"hang","seconds":3}}   | unknown property "seconds" of "hang" (known: none)
    {"fault":{"kind":"cut","at":3}}         | unknown property "at" of "cut" (known: bytes)
    {"endpoint":"profile","fault":{"kind":"expired-code"}} | "profile" takes no code or request token, so "expired-code" cannot apply
    {"endpoint":"access token","fault":{"kind":"revoked-token"}} | "access token" takes no access or refresh token, so "revoked-token" cannot apply`)) {
    it(`is rejected: ${rule}`, () => {
      const add = () => sandbox.fault({ endpoint: 'token', fault: HANG, ...JSON.parse(rule) });
      expect(add).to.throw(TypeError).with.property('message', `sandbox.fault: ${message}`);
    });
  }

  it('that is invalid keeps the sandbox from starting', async () => {
    const faults = [{ endpoint: 'nowhere', fault: HANG }];
    expect(await rejectionOf(startSandbox({ faults })))
      .to.be.instanceOf(TypeError)
      .with.property('message')
      .that.includes('"nowhere"');
  });
});
