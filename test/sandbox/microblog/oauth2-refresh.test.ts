import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../lib/sandbox/index.js';
import { textIn } from '../requests.js';
import { OAuth2Client } from './oauth2-client.js';
import { expectInvalid, expectUnauthorized, NO_BASIC } from './oauth2-refusals.js';

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

  it('refreshes with a new pair of tokens', async () => {
    const { refreshToken } = await client.tokens();
    const { status, json } = await client.refresh(refreshToken);
    expect(status).to.equal(200);
    expect(json).to.include({ token_type: 'bearer', scope: 'tweet.read users.read offline.access' });
    expect(textIn(json, 'refresh_token')).not.to.equal(refreshToken);
    expect((await client.lookup(textIn(json, 'access_token'))).status).to.equal(200);
  });

  it('refreshes a public client by its client_id', async () => {
    const { refreshToken } = await publicClient.tokens();
    expect((await publicClient.refresh(refreshToken)).json).to.have.property('access_token');
  });

  it('ends the whole consent when a spent refresh token comes again', async () => {
    const { refreshToken } = await client.tokens();
    const { json } = await client.refresh(refreshToken);
    expectInvalid(
      sandbox,
      await client.refresh(refreshToken),
      'Value passed for the token was invalid.',
      'refresh_token was used before',
    );
    expect((await client.lookup(textIn(json, 'access_token'))).status).to.equal(401);
    expectInvalid(
      sandbox,
      await client.refresh(textIn(json, 'refresh_token')),
      'Value passed for the token was invalid.',
      'refresh_token belongs to another client, or its consent has ended',
    );
  });

  it('refuses to refresh without Basic, and leaves the token alone', async () => {
    const { refreshToken } = await client.tokens();
    expectUnauthorized(sandbox, await client.refresh(refreshToken, {}), NO_BASIC);
    expect((await client.refresh(refreshToken)).json).to.have.property('access_token');
  });

  it("refuses another client's refresh token", async () => {
    const { refreshToken } = await client.tokens();
    expect((await publicClient.refresh(refreshToken)).status).to.equal(400);
  });

  it('wants a refresh_token', async () => {
    expectInvalid(
      sandbox,
      await client.refresh(''),
      'Missing required parameter [refresh_token].',
      'refresh_token is missing, empty or given twice',
    );
  });

  for (const kind of ['accessToken', 'refreshToken'] as const) {
    it(`revokes by the ${kind}, and every token of the consent ends`, async () => {
      const tokens = await client.tokens();
      const reply = await client.revoke({ token: tokens[kind] });
      expect(reply.status).to.equal(200);
      expect(reply.json).to.deep.equal({ revoked: true });
      expect((await client.lookup(tokens.accessToken)).status).to.equal(401);
      expect((await client.refresh(tokens.refreshToken)).status).to.equal(400);
    });
  }

  it('refuses to revoke without Basic', async () => {
    const { accessToken } = await client.tokens();
    expectUnauthorized(sandbox, await client.revoke({ token: accessToken }, {}), NO_BASIC);
  });

  it('refuses to revoke an unknown token', async () => {
    expectInvalid(
      sandbox,
      await client.revoke({ token: 'unknown' }),
      'Value passed for the token was invalid.',
      'token is missing, or not one that this sandbox gave out',
    );
  });

  it('wants a token to revoke', async () => {
    expectInvalid(
      sandbox,
      await client.revoke({}),
      'Missing required parameter [token].',
      'token is missing, empty or given twice',
    );
  });
});
