import { expect } from 'chai';
import { type Sandbox, type SandboxFaultRule, startSandbox } from '../../lib/sandbox/index.js';
import { get, post } from './requests.js';
import { ShortVideoClient } from './short-video/client.js';
import { VkIdClient } from './social-network/vk-id-client.js';

const HANG = { kind: 'hang' } as const;
const BUSY = { kind: 'answer', status: 503 } as const;

describe('A fault of the sandbox', () => {
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = await startSandbox();
  });

  afterEach(() => sandbox.close());

  const lookup = async (from = sandbox) => (await get(from.options('microblog').profileURL)).status;
  const classicToken = async () => (await post(sandbox.options('social-network').tokenURL, {})).status;
  const vkIdToken = async () =>
    (await post(sandbox.options('social-network', { version: '2.1' }).tokenURL, {})).status;

  it('strikes until it is lifted', async () => {
    const lift = sandbox.fault({ network: 'microblog', endpoint: 'users lookup', fault: BUSY });
    expect([await lookup(), await lookup()]).to.deep.equal([503, 503]);
    lift();
    expect(await lookup()).to.equal(401);
    lift();
    expect(await lookup()).to.equal(401);
  });

  it('strikes as many requests as it says', async () => {
    sandbox.fault({ endpoint: 'users lookup', fault: BUSY, times: 2 });
    expect([await lookup(), await lookup(), await lookup()]).to.deep.equal([503, 503, 401]);
  });

  it('can be there from the start', async () => {
    const other = await startSandbox({ faults: [{ endpoint: 'users lookup', fault: BUSY }] });
    expect(await lookup(other)).to.equal(503);
    await other.close();
  });

  it('is lifted by a reset, with all others', async () => {
    sandbox.fault({ endpoint: 'users lookup', fault: BUSY });
    sandbox.fault({ endpoint: 'token', fault: BUSY });
    sandbox.reset();
    expect([await lookup(), await classicToken()]).to.deep.equal([401, 401]);
  });

  it('strikes the network and version that it names, and no other', async () => {
    sandbox.fault({ network: 'social-network', version: '2.1', endpoint: 'token', fault: BUSY });
    expect([await vkIdToken(), await classicToken()]).to.deep.equal([503, 401]);
  });

  it('strikes every network that has the endpoint, unless it names one', async () => {
    sandbox.fault({ endpoint: 'token', fault: BUSY });
    const { tokenURL } = sandbox.options('microblog');
    expect([await vkIdToken(), await classicToken(), (await post(tokenURL, {})).status]).to.deep.equal([
      503, 503, 503,
    ]);
  });

  it('gives way to a later one for the same endpoint, and comes back after it', async () => {
    sandbox.fault({ endpoint: 'users lookup', fault: BUSY });
    sandbox.fault({ endpoint: 'users lookup', fault: { kind: 'answer', status: 418 }, times: 1 });
    expect([await lookup(), await lookup()]).to.deep.equal([418, 503]);
  });

  it('is not changed by whoever changes the object that described it', async () => {
    const fault = { kind: 'answer' as const, status: 503 };
    sandbox.fault({ endpoint: 'users lookup', fault });
    fault.status = 200;
    expect(await lookup()).to.equal(503);
  });

  it('is noted with the request that it struck', async () => {
    sandbox.fault({ endpoint: 'users lookup', fault: { kind: 'rate-limit' } });
    await lookup();
    expect(sandbox.requests().at(-1)).to.include({
      endpoint: 'users lookup',
      status: 429,
      fault: 'rate-limit',
      refused: 'too many requests',
    });
  });

  it('"expired-code" lets refreshes through, and "revoked-token" exchanges', async () => {
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

  it('strikes authorization pages, too', async () => {
    sandbox.fault({ network: 'social-network', version: '2.1', endpoint: 'authorization', fault: BUSY });
    expect((await get(new VkIdClient(sandbox).authorization())).status).to.equal(503);
  });

  const refused: readonly (readonly [rule: object, message: string])[] = [
    [
      { network: 'fax', endpoint: 'token', fault: HANG },
      'there is no network "fax"; there are short-video, microblog, social-network',
    ],
    [
      { network: 'short-video', endpoint: 'users.get', fault: HANG },
      'there is no endpoint "users.get" at short-video; there are authorization, token, revocation, profile',
    ],
    [
      { network: 'microblog', version: '1.0', endpoint: 'token', fault: HANG },
      'there is no endpoint "token" at microblog 1.0; there are request token, authorization, access token, revocation, users lookup, verify credentials',
    ],
    [
      { version: '3.0', endpoint: 'token', fault: HANG },
      'there is no version "3.0"; there are 1.0, 2.0, 2.1',
    ],
    [{ endpoint: 'token', fault: HANG, times: 0 }, 'times takes a number of requests, 1 or more'],
    [
      { endpoint: 'token', fault: { kind: 'fire' } },
      'there is no fault "fire"; there are answer, delay, hang, reset, cut, drip, huge, wrong-type, redirect, malformed, rate-limit, expired-code, revoked-token',
    ],
    [
      { endpoint: 'token' },
      'there is no fault undefined; there are answer, delay, hang, reset, cut, drip, huge, wrong-type, redirect, malformed, rate-limit, expired-code, revoked-token',
    ],
    [
      { endpoint: 'token', fault: { kind: 'answer', status: 99 } },
      'status of "answer" takes an HTTP status from 200 to 599',
    ],
    [
      { endpoint: 'token', fault: { kind: 'answer', status: 200, body: 7 } },
      'body of "answer" takes text, or an object to be sent as JSON',
    ],
    [
      { endpoint: 'token', fault: { kind: 'answer', status: 200, headers: { 'x-a': 'b\r\nx-c: d' } } },
      'headers of "answer" takes an object of header names and texts',
    ],
    [
      { endpoint: 'token', fault: { kind: 'delay' } },
      'milliseconds of "delay" takes milliseconds, zero or more',
    ],
    [
      { endpoint: 'token', fault: { kind: 'huge', bytes: 1e9 } },
      'bytes of "huge" takes a number of bytes from 20 to 100000000',
    ],
    [
      { endpoint: 'token', fault: { kind: 'redirect', location: '/there' } },
      'location of "redirect" takes an absolute address',
    ],
    [
      { endpoint: 'token', fault: { kind: 'hang', seconds: 3 } },
      '"hang" takes no "seconds"; it takes nothing',
    ],
    [{ endpoint: 'token', fault: { kind: 'cut', at: 3 } }, '"cut" takes no "at"; it takes bytes'],
    [
      { endpoint: 'profile', fault: { kind: 'expired-code' } },
      'nothing is exchanged at "profile", so no code can have expired there',
    ],
    [
      { endpoint: 'access token', fault: { kind: 'revoked-token' } },
      'no token is sent to "access token", so none can have been revoked',
    ],
  ];

  for (const [rule, message] of refused) {
    it(`cannot be ${JSON.stringify(rule)}`, () => {
      const add = () => sandbox.fault(rule as SandboxFaultRule);
      expect(add).to.throw(TypeError).with.property('message', `sandbox.fault: ${message}`);
    });
  }

  it('that cannot be keeps a sandbox from starting', async () => {
    const faults = [{ endpoint: 'nowhere', fault: HANG }];
    const error: unknown = await startSandbox({ faults }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(TypeError).with.property('message').that.includes('"nowhere"');
  });
});
