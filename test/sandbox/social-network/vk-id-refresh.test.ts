import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { stringIn } from '../requests.js';
import { STATE, VkIdClient } from './vk-id-client.js';
import { expectErrorResponse } from './vk-id-errors.js';

describe("The sandbox's social network, VK ID refresh", () => {
  let sandbox: Sandbox;
  let client: VkIdClient;

  beforeEach(async () => {
    sandbox = await startSandbox();
    client = new VkIdClient(sandbox);
  });

  afterEach(() => sandbox.close());

  it('returns a new pair of tokens without id_token, and repeats the state', async () => {
    const tokens = await client.tokens({ scope: 'email' });
    const { json } = await client.refresh(tokens, { state: STATE });
    expect(json).not.to.have.property('id_token');
    expect(json).to.include({ token_type: 'Bearer', user_id: 1000000001, state: STATE, scope: 'email' });
    expect(stringIn(json, 'refresh_token')).not.to.equal(tokens.refresh_token);
    expect((await client.userInfo({ access_token: stringIn(json, 'access_token') })).json).to.have.property(
      'user',
    );
  });

  it('ends the login when a used refresh token comes back', async () => {
    const tokens = await client.tokens();
    const { json } = await client.refresh(tokens);
    const rejected = ['invalid_request', 'refresh_token is missing or invalid'] as const;
    expectErrorResponse(sandbox, await client.refresh(tokens), ...rejected, 'refresh_token was used before');
    const fresh = { ...tokens, refresh_token: stringIn(json, 'refresh_token') };
    const reason = 'refresh_token belongs to another client, or its consent has ended';
    expectErrorResponse(sandbox, await client.refresh(fresh), ...rejected, reason);
    const access_token = stringIn(json, 'access_token');
    expect((await client.userInfo({ access_token })).json).to.include({ error: 'invalid_token' });
  });

  it('needs the device of the login, and leaves the refresh token unused without it', async () => {
    const tokens = await client.tokens();
    expectErrorResponse(
      sandbox,
      await client.refresh({ ...tokens, device_id: 'foreign' }),
      'invalid_request',
      'device_id is invalid',
      'device_id is missing, or not the one from the authorization response',
    );
    expect((await client.refresh(tokens)).json).to.have.property('access_token');
  });

  it('accepts a refresh token for 180 days', async () => {
    const tokens = await client.tokens();
    sandbox.advance(180 * 86_400_000);
    expectErrorResponse(
      sandbox,
      await client.refresh(tokens),
      'invalid_request',
      'refresh_token is missing or invalid',
      'refresh_token has expired',
    );
  });
});
