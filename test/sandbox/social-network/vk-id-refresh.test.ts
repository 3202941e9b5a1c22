import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../lib/sandbox/index.js';
import { textIn } from '../requests.js';
import { STATE, VkIdClient } from './vk-id-client.js';
import { expectRefusal } from './vk-id-refusals.js';

describe("The sandbox's social network, VK ID refresh", () => {
  let sandbox: Sandbox;
  let client: VkIdClient;

  beforeEach(async () => {
    sandbox = await startSandbox();
    client = new VkIdClient(sandbox);
  });

  afterEach(() => sandbox.close());

  it('gives a new pair without id_token, and repeats the state', async () => {
    const tokens = await client.tokens({ scope: 'email' });
    const { json } = await client.refresh(tokens, { state: STATE });
    expect(json).not.to.have.property('id_token');
    expect(json).to.include({ token_type: 'Bearer', user_id: 1000000001, state: STATE, scope: 'email' });
    expect(textIn(json, 'refresh_token')).not.to.equal(tokens.refresh_token);
    expect((await client.userInfo({ access_token: textIn(json, 'access_token') })).json).to.have.property(
      'user',
    );
  });

  it('by a spent refresh token ends the login', async () => {
    const tokens = await client.tokens();
    const { json } = await client.refresh(tokens);
    const refused = ['invalid_request', 'refresh_token is missing or invalid'] as const;
    expectRefusal(sandbox, await client.refresh(tokens), ...refused, 'refresh_token was used before');
    const fresh = { ...tokens, refresh_token: textIn(json, 'refresh_token') };
    const reason = 'refresh_token belongs to another client, or its consent has ended';
    expectRefusal(sandbox, await client.refresh(fresh), ...refused, reason);
    const access_token = textIn(json, 'access_token');
    expect((await client.userInfo({ access_token })).json).to.include({ error: 'invalid_token' });
  });

  it('wants the device of the login, and leaves the token alone without it', async () => {
    const tokens = await client.tokens();
    expectRefusal(
      sandbox,
      await client.refresh({ ...tokens, device_id: 'foreign' }),
      'invalid_request',
      'device_id is invalid',
      'device_id is missing, or not the one of the callback',
    );
    expect((await client.refresh(tokens)).json).to.have.property('access_token');
  });

  it('takes a refresh token for 180 days', async () => {
    const tokens = await client.tokens();
    sandbox.advance(180 * 86_400_000);
    expectRefusal(
      sandbox,
      await client.refresh(tokens),
      'invalid_request',
      'refresh_token is missing or invalid',
      'refresh_token has expired',
    );
  });
});
