import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../lib/sandbox/index.js';
import { basic, CALLBACK, post, postJson, reasonOf, textIn, VERIFIER } from '../requests.js';
import { ShortVideoClient } from './client.js';
import { expectRefusal } from './refusals.js';

describe("The sandbox's short-video network, exchange", () => {
  let sandbox: Sandbox;
  let client: ShortVideoClient;

  beforeEach(async () => {
    sandbox = await startSandbox();
    client = new ShortVideoClient(sandbox);
  });

  afterEach(() => sandbox.close());

  it('exchanges a code for tokens and tells who the user is', async () => {
    const scope = 'user.info.basic,user.info.profile';
    const reply = await client.exchange(await client.code({ scope, person: 'max' }));
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(reply.json).to.deep.include({
      expires_in: 7200,
      open_id: '-000dXQ7_yB2mZ9kLr4VtSw1pNfHc6gJe3uAiEoKdMxY',
      refresh_expires_in: 15552000,
      scope,
      token_type: 'Bearer',
    });
    expect(textIn(reply.json, 'access_token')).to.match(/^act\.[A-Za-z0-9_-]{48}!4608$/);
    expect(textIn(reply.json, 'refresh_token')).to.match(/^rft\.[A-Za-z0-9_-]{48}!4608$/);
  });

  it('takes a code once', async () => {
    const code = await client.code();
    await client.exchange(code);
    expectRefusal(
      sandbox,
      await client.exchange(code),
      'invalid_grant',
      'Authorization code is expired.',
      'code was used before',
    );
  });

  it('takes a code for a minute', async () => {
    const [first, second] = [await client.code(), await client.code()];
    sandbox.advance(59_000);
    expect((await client.exchange(first)).json).to.have.property('access_token');
    sandbox.advance(1_000);
    expectRefusal(
      sandbox,
      await client.exchange(second),
      'invalid_grant',
      'Authorization code is expired.',
      'code has expired',
    );
  });

  it('refuses a code that was not decoded', async () => {
    const code = await client.code();
    expectRefusal(
      sandbox,
      await client.exchange(code.replace('!', '%21')),
      'invalid_grant',
      'Authorization code is expired.',
      'code is missing, or not one that this sandbox gave out',
    );
  });

  it('refuses another redirect address than that of the start, and spends the code on it', async () => {
    const code = await client.code();
    expectRefusal(
      sandbox,
      await client.exchange(code, { redirect_uri: `${CALLBACK}/` }),
      'invalid_request',
      'Redirect_uri is not matched with the uri when requesting code.',
      'redirect_uri differs from the authorization request',
    );
    expect((await client.exchange(code)).json).to.include({ error: 'invalid_grant' });
  });

  for (const [what, code_verifier] of [
    ['a wrong', `${VERIFIER}x`],
    ['a missing', ''],
    ['a malformed', 'short'],
  ] as const) {
    it(`refuses ${what} code_verifier`, async () => {
      expectRefusal(
        sandbox,
        await client.exchange(await client.code(), { code_verifier }),
        'invalid_request',
        'Code verifier or code challenge is invalid.',
        'code_verifier does not lead to the code_challenge: its SHA-256, in hex',
      );
    });
  }

  it('asks for no code_verifier where there was no challenge', async () => {
    const redirect_uri = 'https://app.example.com/callback';
    const code = await client.code({
      redirect_uri,
      code_challenge: undefined,
      code_challenge_method: undefined,
    });
    const reply = await client.token({ grant_type: 'authorization_code', code, redirect_uri });
    expect(reply.json).to.have.property('access_token');
  });

  for (const fields of [{ client_secret: 'wrong' }, { client_key: 'nobody' }, { client_secret: '' }]) {
    it(`refuses credentials with a wrong ${Object.keys(fields).join()} "${Object.values(fields).join()}"`, async () => {
      expectRefusal(
        sandbox,
        await client.exchange(await client.code(), fields),
        'invalid_client',
        'Client key or secret is incorrect.',
        'client_key or client_secret is missing from the body, or wrong',
      );
    });
  }

  it('reads no credentials from HTTP Basic', async () => {
    const { tokenURL, clientID, clientSecret } = sandbox.options('short-video');
    const code = await client.code();
    const fields = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: VERIFIER,
    };
    expectRefusal(
      sandbox,
      await post(tokenURL, fields, basic(clientID, clientSecret)),
      'invalid_client',
      'Client key or secret is incorrect.',
      'client_key or client_secret is missing from the body, or wrong',
    );
  });

  it('leaves the code alone when the client is not who it says', async () => {
    const code = await client.code();
    await client.exchange(code, { client_secret: 'wrong' });
    expect((await client.exchange(code)).json).to.have.property('access_token');
  });

  it('refuses a body of JSON', async () => {
    const { tokenURL, clientID, clientSecret } = sandbox.options('short-video');
    expectRefusal(
      sandbox,
      await postJson(tokenURL, { client_key: clientID, client_secret: clientSecret }),
      'invalid_request',
      'Only `application/x-www-form-urlencoded` is accepted as Content-Type.',
      'the body is not labelled as a form',
    );
  });

  it('refuses an unknown grant_type', async () => {
    expectRefusal(
      sandbox,
      await client.token({ grant_type: 'password' }),
      'unsupported_grant_type',
      'Grant type is not supported.',
      'grant_type is unknown',
    );
  });

  it('refuses a request without a grant_type', async () => {
    expectRefusal(
      sandbox,
      await client.token({}),
      'invalid_request',
      'The request parameters are malformed.',
      'grant_type is missing',
    );
  });

  it('knows no token address without its last slash', async () => {
    const reply = await post(sandbox.options('short-video').tokenURL.replace(/\/$/, ''), {});
    expect(reply.status).to.equal(404);
    expect(reasonOf(sandbox)).to.equal('there is no such address');
  });
});
