import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { bearer, type Fields, get, postJson, type Reply, reasonOf, urlWith } from '../requests.js';
import { ClassicClient } from './classic-client.js';
import { VkIdClient } from './vk-id-client.js';

describe("The sandbox's social network, users.get errors", () => {
  let sandbox: Sandbox;
  let client: ClassicClient;
  let usersGet: string;

  before(async () => {
    sandbox = await startSandbox();
    client = new ClassicClient(sandbox);
    usersGet = sandbox.options('social-network').profileURL;
  });

  after(() => sandbox.close());

  function expectError(
    reply: Reply,
    error_code: number,
    error_msg: string,
    sent: Fields,
    reason = error_msg,
  ): void {
    const request_params = Object.entries({ oauth: '1', method: 'users.get', ...sent }).map(
      ([key, value]) => ({
        key,
        value,
      }),
    );
    expect(reply.status).to.equal(200);
    expect(reply.json).to.deep.equal({ error: { error_code, error_msg, request_params } });
    expect(reasonOf(sandbox)).to.equal(reason);
  }

  it('rejects a request without v with HTTP 200, and repeats its parameters, even the token', async () => {
    const sent = { access_token: await client.accessToken() };
    const message = 'Invalid request: v (version) is required';
    expectError(await get(urlWith(usersGet, sent)), 8, message, sent, 'v is missing or below 5.81');
  });

  for (const v of ['5.80', '5.0', '4.99', 'latest']) {
    it(`rejects the version ${v}`, async () => {
      const message =
        'Invalid request: versions below 5.81 are deprecated. Version param should be passed as "v".';
      const reply = await get(urlWith(usersGet, { v }), bearer(await client.accessToken()));
      expectError(reply, 8, message, { v }, 'v is missing or below 5.81');
    });
  }

  it('rejects a request without a token', async () => {
    const message = 'User authorization failed: no access_token passed.';
    expectError(
      await get(urlWith(usersGet, { v: '5.126' })),
      5,
      message,
      { v: '5.126' },
      'no access_token passed',
    );
  });

  it('rejects an unknown token', async () => {
    const message = 'User authorization failed: invalid access_token (4).';
    const reply = await get(urlWith(usersGet, { v: '5.126' }), bearer('vk1.a.unknown'));
    expectError(reply, 5, message, { v: '5.126' }, 'invalid access_token (4)');
  });

  it('rejects an expired token', async () => {
    const other = await startSandbox();
    const headers = bearer(await new ClassicClient(other).accessToken());
    other.advance(43_200_000);
    const reply = await get(urlWith(other.options('social-network').profileURL, { v: '5.126' }), headers);
    expect(reply.status).to.equal(200);
    const { error } = reply.json as { error: { error_code: number; error_msg: string } };
    expect(error).to.include({ error_code: 1117, error_msg: 'Access token has expired' });
    await other.close();
  });

  it('rejects a token whose consent was withdrawn', async () => {
    const vkId = new VkIdClient(sandbox);
    const { access_token } = await vkId.tokens();
    await vkId.revoke(access_token);
    const reply = await get(urlWith(usersGet, { v: '5.199' }), bearer(access_token));
    const message = 'User authorization failed: user revoke access for this token.';
    expectError(reply, 5, message, { v: '5.199' }, 'user revoke access for this token');
  });

  it('finds no parameters in a JSON body', async () => {
    const reply = await postJson(usersGet, { v: '5.126' });
    const message = 'Invalid request: v (version) is required';
    expectError(reply, 8, message, {}, 'v is missing or below 5.81');
  });

  it('rejects a method name in another case', async () => {
    const reply = await get(usersGet.replace('users.get', 'Users.get'));
    expect(reply.status).to.equal(200);
    expect(reply.json).to.have.nested.property('error.error_code', 3);
    expect(reply.json).to.have.nested.property('error.error_msg', 'Unknown method passed');
    expect(reasonOf(sandbox)).to.equal('no such method; method names are case-sensitive');
  });
});
