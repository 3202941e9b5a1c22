import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { stringIn } from '../requests.js';
import { OAuth2Client } from './oauth2-client.js';
import { expectInvalid, expectUnauthorized, NO_BASIC } from './oauth2-errors.js';

describe("The sandbox's microblog network, OAuth 2.0 refresh and revocation", () => {
  let sandbox: Sandbox;
  let client: OAuth2Client;
  let publicClient: OAuth2Client;

  beforeEach(async () => {
    sandbox = await startSandbox();
    client = new OAuth2Client(sandbox);
    publicClient = new OAuth2Client(sandbox, 'public');
  });

  afterEach(() => sandbox.close());

  it('returns a new pair of tokens', async () => {
    const { refreshToken } = await client.tokens();
    const { status, json } = await client.refresh(refreshToken);
    expect(status).to.equal(200);
    expect(json).to.include({ token_type: 'bearer', scope: 'tweet.read users.read offline.access' });
    expect(stringIn(json, 'refresh_token')).not.to.equal(refreshToken);
    expect((await client.lookup(stringIn(json, 'access_token'))).status).to.equal(200);
  });

  it('refreshes for a public client with its client_id', async () => {
    const { refreshToken } = await publicClient.tokens();
    expect((await publicClient.refresh(refreshToken)).json).to.have.property('access_token');
  });

  it('ends the whole consent when a used refresh token comes back', async () => {
    const { refreshToken } = await client.tokens();
    const { json } = await client.refresh(refreshToken);
    expectInvalid(
      sandbox,
      await client.refresh(refreshToken),
      'Value passed for the token was invalid.',
      'refresh_token was used before',
    );
    expect((await client.lookup(stringIn(json, 'access_token'))).status).to.equal(401);
    expectInvalid(
      sandbox,
      await client.refresh(stringIn(json, 'refresh_token')),
      'Value passed for the token was invalid.',
      'refresh_token belongs to another client, or its consent has ended',
    );
  });

  it('does not refresh without HTTP Basic, and leaves the refresh token unused', async () => {
    const { refreshToken } = await client.tokens();
    expectUnauthorized(sandbox, await client.refresh(refreshToken, {}), NO_BASIC);
    expect((await client.refresh(refreshToken)).json).to.have.property('access_token');
  });

  it("rejects another client's refresh token", async () => {
    const { refreshToken } = await client.tokens();
    expect((await publicClient.refresh(refreshToken)).status).to.equal(400);
  });

  it('needs a refresh_token', async () => {
    expectInvalid(
      sandbox,
      await client.refresh(''),
      'Missing required parameter [refresh_token].',
      'refresh_token is missing, empty or given twice',
    );
  });

  for (const kind of ['accessToken', 'refreshToken'] as const) {
    it(`revokes every token of the consent, given the ${kind}`, async () => {
      const tokens = await client.tokens();
      const reply = await client.revoke({ token: tokens[kind] });
      expect(reply.status).to.equal(200);
      expect(reply.json).to.deep.equal({ revoked: true });
      expect((await client.lookup(tokens.accessToken)).status).to.equal(401);
      expect((await client.refresh(tokens.refreshToken)).status).to.equal(400);
    });
  }

  it('does not revoke without HTTP Basic', async () => {
    const { accessToken } = await client.tokens();
    expectUnauthorized(sandbox, await client.revoke({ token: accessToken }, {}), NO_BASIC);
  });

  it('ends nothing when an unknown token is revoked', async () => {
    const { accessToken } = await client.tokens();
    expect((await client.revoke({ token: 'unknown' })).json).to.deep.equal({ revoked: true });
    expect((await client.lookup(accessToken)).status).to.equal(200);
  });

  it("ends nothing when another client's token is revoked", async () => {
    const { accessToken } = await client.tokens();
    await publicClient.revoke({ token: accessToken });
    expect((await client.lookup(accessToken)).status).to.equal(200);
  });

  it('needs a token to revoke', async () => {
    expectInvalid(
      sandbox,
      await client.revoke({}),
      'Missing required parameter [token].',
      'token is missing, empty or given twice',
    );
  });
});
