import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { basic, type Fields, REDIRECT_URI, stringIn, VERIFIER } from '../requests.js';
import { OAuth2Client } from './oauth2-client.js';
import { expectInvalid, expectUnauthorized, expectUnknownClient, NO_BASIC } from './oauth2-errors.js';

describe("The sandbox's microblog network, OAuth 2.0 client authentication", () => {
  let sandbox: Sandbox;
  let client: OAuth2Client;
  let publicClient: OAuth2Client;

  beforeEach(async () => {
    sandbox = await startSandbox();
    client = new OAuth2Client(sandbox);
    publicClient = new OAuth2Client(sandbox, 'public');
  });

  afterEach(() => sandbox.close());

  it('exchanges a code for a token that lasts two hours', async () => {
    const reply = await client.exchange(await client.code({ scope: 'users.read tweet.read' }));
    expect(reply.status).to.equal(200);
    expect(reply.json).to.have.all.keys('token_type', 'expires_in', 'access_token', 'scope');
    expect(reply.json).to.include({ token_type: 'bearer', expires_in: 7200, scope: 'users.read tweet.read' });
  });

  it('adds a refresh token when offline.access was granted', async () => {
    const { json } = await client.exchange(await client.code());
    const token = Buffer.from(stringIn(json, 'refresh_token'), 'base64url').toString();
    expect(token).to.match(/^[A-Za-z0-9_-]{43}:\d{13}:1:1:rt:1$/);
  });

  it('accepts percent-encoded Basic credentials, as in RFC 6749', async () => {
    const { clientID, clientSecret } = sandbox.options('microblog');
    const encoded = clientSecret.replaceAll('-', '%2D').replaceAll('_', '%5F');
    const reply = await client.exchange(await client.code(), {}, basic(clientID, encoded));
    expect(reply.json).to.have.property('access_token');
  });

  it('accepts a public client with its client_id in the body', async () => {
    expect((await publicClient.exchange(await publicClient.code())).json).to.have.property('access_token');
  });

  const badBasic: [what: string, headers: (id: string, secret: string) => Fields][] = [
    ['without Basic', () => ({})],
    ['with a wrong secret', (id) => basic(id, 'wrong')],
    ['with an empty secret', (id) => basic(id, '')],
    ['with invalid percent-encoding', (id) => basic(id, '%zz')],
  ];

  for (const [what, headers] of badBasic) {
    it(`rejects a confidential client ${what}`, async () => {
      const { clientID, clientSecret } = sandbox.options('microblog');
      expectUnauthorized(
        sandbox,
        await client.exchange(await client.code(), {}, headers(clientID, clientSecret)),
        NO_BASIC,
      );
    });
  }

  it('ignores a secret in the body', async () => {
    const { clientID: client_id, clientSecret: client_secret } = sandbox.options('microblog');
    expectUnauthorized(
      sandbox,
      await client.exchange(await client.code(), { client_id, client_secret }, {}),
      NO_BASIC,
    );
  });

  it('accepts HTTP Basic from a public client, which has no secret', async () => {
    const reply = await publicClient.exchange(await publicClient.code(), {}, basic(publicClient.id, ''));
    expect(reply.json).to.have.property('access_token');
  });

  it('rejects HTTP Basic from an unknown client', async () => {
    expectUnknownClient(
      sandbox,
      await publicClient.exchange(await publicClient.code(), {}, basic('nobody', 'secret')),
    );
  });

  it('rejects an unknown client_id', async () => {
    expectUnknownClient(
      sandbox,
      await publicClient.exchange(await publicClient.code(), { client_id: 'nobody' }),
    );
  });

  it('needs the client_id of a public client', async () => {
    const code = await publicClient.code();
    const fields = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
    };
    expectInvalid(
      sandbox,
      await client.token(fields, {}),
      'Missing required parameter [client_id].',
      'client_id is missing, empty or given twice',
    );
  });
});
