import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import {
  BASE64URL_CHALLENGE,
  basic,
  post,
  postJson,
  REDIRECT_URI,
  reasonOf,
  stringIn,
  VERIFIER,
} from '../requests.js';
import { ShortVideoClient } from './client.js';
import { expectErrorResponse } from './errors.js';

describe("The sandbox's short-video network, token request", () => {
  let sandbox: Sandbox;
  let client: ShortVideoClient;

  beforeEach(async () => {
    sandbox = await startSandbox();
    client = new ShortVideoClient(sandbox);
  });

  afterEach(() => sandbox.close());

  it('exchanges a code for tokens and the open_id of the user', async () => {
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
    expect(stringIn(reply.json, 'access_token')).to.match(/^act\.[A-Za-z0-9_-]{48}!4608$/);
    expect(stringIn(reply.json, 'refresh_token')).to.match(/^rft\.[A-Za-z0-9_-]{48}!4608$/);
  });

  it('accepts a code once', async () => {
    const code = await client.code();
    await client.exchange(code);
    expectErrorResponse(
      sandbox,
      await client.exchange(code),
      'invalid_grant',
      'Authorization code is expired.',
      'code was used before',
    );
  });

  it('accepts a code for a minute', async () => {
    const [first, second] = [await client.code(), await client.code()];
    sandbox.advance(59_000);
    expect((await client.exchange(first)).json).to.have.property('access_token');
    sandbox.advance(1_000);
    expectErrorResponse(
      sandbox,
      await client.exchange(second),
      'invalid_grant',
      'Authorization code is expired.',
      'code has expired',
    );
  });

  it('rejects a code that is still percent-encoded', async () => {
    const code = await client.code();
    expectErrorResponse(
      sandbox,
      await client.exchange(code.replace('!', '%21')),
      'invalid_grant',
      'Authorization code is expired.',
      'code is missing, or not one that this sandbox gave out',
    );
  });

  it('rejects a redirect_uri that differs from the authorization request, and uses up the code', async () => {
    const code = await client.code();
    expectErrorResponse(
      sandbox,
      await client.exchange(code, { redirect_uri: `${REDIRECT_URI}/` }),
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
    it(`rejects ${what} code_verifier`, async () => {
      expectErrorResponse(
        sandbox,
        await client.exchange(await client.code(), { code_verifier }),
        'invalid_request',
        'Code verifier or code challenge is invalid.',
        'code_verifier does not match code_challenge, its SHA-256 in hex',
      );
    });
  }

  it('accepts a base64url challenge with an https redirect_uri, and checks it', async () => {
    const redirect_uri = 'https://app.example.com/callback';
    const changes = { redirect_uri, code_challenge: BASE64URL_CHALLENGE };
    const right = await client.exchange(await client.code(changes), { redirect_uri });
    expect(right.json).to.have.property('access_token');
    const wrong = { redirect_uri, code_verifier: `${VERIFIER}x` };
    expect((await client.exchange(await client.code(changes), wrong)).json).to.include({
      error: 'invalid_request',
      error_description: 'Code verifier or code challenge is invalid.',
    });
  });

  it('rejects a base64url challenge with a loopback redirect_uri, which the page accepted', async () => {
    expectErrorResponse(
      sandbox,
      await client.exchange(await client.code({ code_challenge: BASE64URL_CHALLENGE })),
      'invalid_request',
      'Code verifier or code challenge is invalid.',
      'code_challenge is base64url; with a loopback redirect_uri this network wants hex',
    );
  });

  it('needs no code_verifier when there was no challenge', async () => {
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
    it(`rejects credentials with a wrong ${Object.keys(fields).join()} "${Object.values(fields).join()}"`, async () => {
      expectErrorResponse(
        sandbox,
        await client.exchange(await client.code(), fields),
        'invalid_client',
        'Client key or secret is incorrect.',
        'client_key or client_secret is missing from the body, or wrong',
      );
    });
  }

  it('ignores credentials in HTTP Basic', async () => {
    const { tokenURL, clientID, clientSecret } = sandbox.options('short-video');
    const code = await client.code();
    const fields = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
    };
    expectErrorResponse(
      sandbox,
      await post(tokenURL, fields, basic(clientID, clientSecret)),
      'invalid_client',
      'Client key or secret is incorrect.',
      'client_key or client_secret is missing from the body, or wrong',
    );
  });

  it('leaves the code unused when client authentication fails', async () => {
    const code = await client.code();
    await client.exchange(code, { client_secret: 'wrong' });
    expect((await client.exchange(code)).json).to.have.property('access_token');
  });

  it('rejects a JSON body', async () => {
    const { tokenURL, clientID, clientSecret } = sandbox.options('short-video');
    expectErrorResponse(
      sandbox,
      await postJson(tokenURL, { client_key: clientID, client_secret: clientSecret }),
      'invalid_request',
      'Only `application/x-www-form-urlencoded` is accepted as Content-Type.',
      'the body is not application/x-www-form-urlencoded',
    );
  });

  it('rejects an unknown grant_type', async () => {
    expectErrorResponse(
      sandbox,
      await client.token({ grant_type: 'password' }),
      'unsupported_grant_type',
      'Grant type is not supported.',
      'grant_type is unknown',
    );
  });

  it('rejects a request without a grant_type', async () => {
    expectErrorResponse(
      sandbox,
      await client.token({}),
      'invalid_request',
      'The request parameters are malformed.',
      'grant_type is missing',
    );
  });

  it('has no token endpoint without the slash at its end', async () => {
    const reply = await post(sandbox.options('short-video').tokenURL.replace(/\/$/, ''), {});
    expect(reply.status).to.equal(404);
    expect(reasonOf(sandbox)).to.equal('no endpoint has this path');
  });
});
