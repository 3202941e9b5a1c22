import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { basic, get, post, postJson, REDIRECT_URI, urlWith } from '../requests.js';
import { ClassicClient } from './classic-client.js';
import { expectErrorResponse } from './classic-errors.js';

describe("The sandbox's social network, classic token response", () => {
  let sandbox: Sandbox;
  let client: ClassicClient;

  beforeEach(async () => {
    sandbox = await startSandbox();
    client = new ClassicClient(sandbox);
  });

  afterEach(() => sandbox.close());

  it('has no token_type, scope or refresh token', async () => {
    const reply = await client.exchange(await client.code({ person: 'anna' }));
    expect(reply.status).to.equal(200);
    expect(reply.json).to.have.all.keys('access_token', 'expires_in', 'user_id');
    expect(reply.json).to.include({ expires_in: 43200, user_id: 743784474 });
    expect(reply.json)
      .to.have.property('access_token')
      .that.matches(/^vk1\.a\./);
  });

  for (const scope of ['email', 'friends,email', 'friends email', '4194304', '4194306']) {
    it(`has the e-mail address for the scope "${scope}"`, async () => {
      const { json } = await client.exchange(await client.code({ scope }));
      expect(json).to.include({ email: 'alice@example.com' });
    });
  }

  it('has no e-mail address for a user without one, or without the scope', async () => {
    const { json } = await client.exchange(await client.code({ scope: 'email', person: 'ned' }));
    expect(json).not.to.have.property('email');
    const other = await client.exchange(await client.code({ scope: '2' }));
    expect(other.json).not.to.have.property('email');
  });

  it('has a token that does not expire, for the scope offline', async () => {
    const { json } = await client.exchange(await client.code({ scope: 'offline' }));
    expect(json).to.include({ expires_in: 0 });
  });

  it('is sent for GET too', async () => {
    const { tokenURL, clientID, clientSecret } = sandbox.options('social-network');
    const query = {
      client_id: clientID,
      client_secret: clientSecret,
      redirect_uri: REDIRECT_URI,
      v: '5.126',
    };
    const reply = await get(urlWith(tokenURL, { ...query, code: await client.code() }));
    expect(reply.json).to.have.property('access_token');
  });

  for (const [fields, description, reason] of [
    [{ client_id: '' }, 'client_id is undefined', 'client_id is not in the body'],
    [{ client_id: '1' }, 'client_id is incorrect', 'client_id is no client of the sandbox'],
    [{ client_secret: '' }, 'client_secret is undefined', 'client_secret is not in the body'],
    [{ client_secret: 'wrong' }, 'client_secret is incorrect', 'client_secret is wrong'],
  ] as const) {
    it(`is an error when ${description}`, async () => {
      expectErrorResponse(
        sandbox,
        await client.exchange(await client.code(), fields),
        401,
        'invalid_client',
        description,
        reason,
      );
    });
  }

  it('is an error for credentials by HTTP Basic', async () => {
    const { tokenURL, clientID, clientSecret } = sandbox.options('social-network');
    const fields = { code: await client.code(), redirect_uri: REDIRECT_URI };
    const reply = await post(tokenURL, fields, basic(clientID, clientSecret));
    expectErrorResponse(
      sandbox,
      reply,
      401,
      'invalid_client',
      'client_id is undefined',
      'client_id is not in the body',
    );
  });

  it('is an error for a JSON body', async () => {
    const { tokenURL, clientID } = sandbox.options('social-network');
    const reply = await postJson(tokenURL, { client_id: clientID });
    expectErrorResponse(
      sandbox,
      reply,
      401,
      'invalid_client',
      'client_id is undefined',
      'client_id is not in the body',
    );
  });

  it('is sent once for a code', async () => {
    const code = await client.code();
    await client.exchange(code);
    const reply = await client.exchange(code);
    expectErrorResponse(
      sandbox,
      reply,
      401,
      'invalid_grant',
      'Code is invalid or expired.',
      'code was used before',
    );
  });

  it('is sent within a minute', async () => {
    const [first, second] = [await client.code(), await client.code()];
    sandbox.advance(59_000);
    expect((await client.exchange(first)).status).to.equal(200);
    sandbox.advance(1_000);
    const reply = await client.exchange(second);
    expectErrorResponse(
      sandbox,
      reply,
      401,
      'invalid_grant',
      'Code is invalid or expired.',
      'code has expired',
    );
  });

  it('is an error for a redirect_uri that differs from the authorization request', async () => {
    expectErrorResponse(
      sandbox,
      await client.exchange(await client.code(), { redirect_uri: `${REDIRECT_URI}?x=1` }),
      400,
      'invalid_grant',
      'redirect_uri is invalid, please pass same redirect_uri, you used in authorize method.',
      'redirect_uri differs from the authorization request',
    );
  });

  it('is sent whatever the grant_type', async () => {
    const reply = await client.exchange(await client.code(), { grant_type: 'refresh_token' });
    expect(reply.json).to.have.property('access_token');
  });

  it('is an error for any grant_type but authorization_code, if the sandbox is strict', async () => {
    const strict = await startSandbox({ strict: true });
    const strictClient = new ClassicClient(strict);
    const reply = await strictClient.exchange(await strictClient.code(), { grant_type: 'refresh_token' });
    await strict.close();
    expectErrorResponse(
      strict,
      reply,
      401,
      'unsupported_grant_type',
      'grant_type is unsupported',
      'grant_type is not authorization_code',
    );
  });
});
