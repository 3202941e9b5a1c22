import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { stringIn } from '../requests.js';
import { ShortVideoClient } from './client.js';
import { expectErrorResponse } from './errors.js';

describe("The sandbox's short-video network, refresh and revocation", () => {
  let sandbox: Sandbox;
  let client: ShortVideoClient;

  beforeEach(async () => {
    sandbox = await startSandbox();
    client = new ShortVideoClient(sandbox);
  });

  afterEach(() => sandbox.close());

  it('returns a new pair of tokens, and rejects the old refresh token', async () => {
    const { accessToken, refreshToken } = await client.tokens('alice', 'user.info.basic,user.info.stats');
    const { json } = await client.refresh(refreshToken);
    expect(json).to.include({
      open_id: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
      scope: 'user.info.basic,user.info.stats',
      token_type: 'Bearer',
    });
    expect(stringIn(json, 'refresh_token')).not.to.equal(refreshToken);
    expect((await client.profile(stringIn(json, 'access_token'), 'open_id')).status).to.equal(200);
    expect((await client.profile(accessToken, 'open_id')).status).to.equal(200);
    expectErrorResponse(
      sandbox,
      await client.refresh(refreshToken),
      'invalid_grant',
      'Refresh token is invalid or expired.',
      'refresh_token was used before',
    );
    expect((await client.refresh(stringIn(json, 'refresh_token'))).json).to.have.property('access_token');
  });

  it('accepts a refresh token for 180 days', async () => {
    const { refreshToken } = await client.tokens('alice');
    sandbox.advance(180 * 86_400_000);
    expectErrorResponse(
      sandbox,
      await client.refresh(refreshToken),
      'invalid_grant',
      'Refresh token is invalid or expired.',
      'refresh_token has expired',
    );
  });

  it('revokes every token of the consent, given an access token', async () => {
    const { accessToken, refreshToken } = await client.tokens('alice');
    const reply = await client.revoke(accessToken);
    expect(reply.status).to.equal(200);
    expect(reply.text).to.equal('{}');
    expect((await client.profile(accessToken, 'open_id')).status).to.equal(401);
    expect((await client.refresh(refreshToken)).json).to.include({ error: 'invalid_grant' });
  });

  it('does not revoke an expired access token, and the consent stays', async () => {
    const { accessToken, refreshToken } = await client.tokens('alice');
    sandbox.advance(7_200_000);
    expectErrorResponse(
      sandbox,
      await client.revoke(accessToken),
      'invalid_grant',
      'Access token is invalid or expired.',
      'token has expired',
    );
    expect((await client.refresh(refreshToken)).json).to.have.property('access_token');
  });

  it('does not revoke a refresh token', async () => {
    const { refreshToken } = await client.tokens('alice');
    expect((await client.revoke(refreshToken)).json).to.include({ error: 'invalid_grant' });
  });
});
