import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { get, postJson, postMultipart, REDIRECT_URI, stringIn, VERIFIER } from '../requests.js';
import { STATE, VkIdClient } from './vk-id-client.js';
import { expectErrorResponse } from './vk-id-errors.js';

describe("The sandbox's social network, VK ID tokens,", () => {
  let sandbox: Sandbox;
  let client: VkIdClient;

  beforeEach(async () => {
    sandbox = await startSandbox();
    client = new VkIdClient(sandbox);
  });

  afterEach(() => sandbox.close());

  it('are issued for a code, with the user ID as a number', async () => {
    const reply = await client.exchange(await client.authorize({ scope: 'email phone' }), { state: STATE });
    expect(reply.status).to.equal(200);
    expect(reply.json).to.have.all.keys(
      'access_token',
      'refresh_token',
      'id_token',
      'token_type',
      'expires_in',
      'user_id',
      'state',
      'scope',
    );
    expect(reply.json).to.include({
      token_type: 'Bearer',
      expires_in: 3600,
      user_id: 1000000001,
      state: STATE,
      scope: 'email phone',
    });
    const [, claims = ''] = stringIn(reply.json, 'id_token').split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).to.include({
      sub: 1000000001,
      app: 51000002,
    });
  });

  it('are issued with an empty state when none was sent, and the default scope', async () => {
    const { json } = await client.exchange(await client.authorize());
    expect(json).to.include({ state: '', scope: 'vkid.personal_info' });
  });

  it('are issued when only the code is in the body, and the rest in the query', async () => {
    const { code = '', device_id = '' } = await client.authorize();
    const query = {
      grant_type: 'authorization_code',
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
      device_id,
    };
    expect((await client.token({ code }, query)).json).to.have.property('access_token');
  });

  it('are issued for the right service token, and not for a wrong one', async () => {
    const { serviceToken } = sandbox.options('social-network', { version: '2.1', client: 'confidential' });
    const right = await client.exchange(await client.authorize(), { service_token: serviceToken });
    expect(right.json).to.have.property('access_token');
    expectErrorResponse(
      sandbox,
      await client.exchange(await client.authorize(), { service_token: 'wrong' }),
      'invalid_client',
      'service_token is invalid',
      'service_token is invalid',
    );
  });

  it('are issued when a client_secret is sent', async () => {
    const reply = await client.exchange(await client.authorize(), { client_secret: 'secret' });
    expect(reply.json).to.have.property('access_token');
  });

  it('are answered with 404 when a client_secret is sent to a strict sandbox', async () => {
    const strict = await startSandbox({ strict: true });
    const strictClient = new VkIdClient(strict);
    const reply = await strictClient.exchange(await strictClient.authorize(), { client_secret: '' });
    await strict.close();
    expect(reply.status).to.equal(404);
    expect(reply.text).to.equal('Not Found');
  });

  it('are issued for a multipart body', async () => {
    const { tokenURL, profileURL } = sandbox.options('social-network', { version: '2.1' });
    const { code = '', device_id = '' } = await client.authorize({ scope: 'email' });
    const reply = await postMultipart(tokenURL, {
      grant_type: 'authorization_code',
      client_id: client.id,
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
      code,
      device_id,
      state: STATE,
    });
    expect(reply.json).to.include({ state: STATE, scope: 'email' });
    const access_token = stringIn(reply.json, 'access_token');
    const profile = await postMultipart(profileURL, { client_id: client.id, access_token });
    expect(profile.json).to.have.nested.property('user.email', 'alice@example.com');
  });

  it('are not issued for a file in a multipart body', async () => {
    const { tokenURL } = sandbox.options('social-network', { version: '2.1' });
    const body = new FormData();
    body.set('client_id', new Blob([client.id]));
    const response = await fetch(tokenURL, { method: 'POST', body });
    expect(await response.json()).to.include({ error: 'invalid_client' });
  });

  for (const client_id of ['', '51000001']) {
    it(`are not issued for the client_id "${client_id}"`, async () => {
      expectErrorResponse(
        sandbox,
        await client.exchange(await client.authorize(), { client_id, state: STATE }),
        'invalid_client',
        'client_id is missing',
        'client_id is missing, or no client of the sandbox',
        STATE,
      );
    });
  }

  for (const device_id of ['', 'foreign']) {
    it(`are not issued for the device_id "${device_id}"`, async () => {
      expectErrorResponse(
        sandbox,
        await client.exchange(await client.authorize(), { device_id }),
        'invalid_request',
        'device_id is invalid',
        'device_id is missing, or not the one from the authorization response',
      );
    });
  }

  for (const code_verifier of ['', 'A'.repeat(43), 'v'.repeat(129)]) {
    it(`are not issued for the code_verifier "${code_verifier}"`, async () => {
      expectErrorResponse(
        sandbox,
        await client.exchange(await client.authorize(), { code_verifier }),
        'invalid_request',
        'verifier is missing or invalid',
        'code_verifier does not match code_challenge, or has a character that the network rejects',
      );
    });
  }

  it('are not issued for a code_verifier with a dot or tilde, even if it matches the challenge', async () => {
    const code_verifier = `${'a'.repeat(43)}.~`;
    const code_challenge = 'MCszY56Gd3m7VZdJJkYOD-BOAsI_-LNJZEiW-vopbjc';
    expectErrorResponse(
      sandbox,
      await client.exchange(await client.authorize({ code_challenge }), { code_verifier }),
      'invalid_request',
      'verifier is missing or invalid',
      'code_verifier does not match code_challenge, or has a character that the network rejects',
    );
  });

  it('are not issued for a redirect_uri that differs from the authorization request', async () => {
    expectErrorResponse(
      sandbox,
      await client.exchange(await client.authorize(), { redirect_uri: `${REDIRECT_URI}/` }),
      'invalid_request',
      'redirect_uri is missing or invalid',
      'redirect_uri differs from the authorization request',
    );
  });

  it('are issued once for a code', async () => {
    const parameters = await client.authorize();
    await client.exchange(parameters);
    const reply = await client.exchange(parameters);
    expectErrorResponse(
      sandbox,
      reply,
      'invalid_grant',
      'code is invalid or expired',
      'code was used before',
    );
  });

  it('are issued within ten minutes', async () => {
    const [first, second] = [await client.authorize(), await client.authorize()];
    sandbox.advance(599_000);
    expect((await client.exchange(first)).json).to.have.property('access_token');
    sandbox.advance(1_000);
    const reply = await client.exchange(second);
    expectErrorResponse(sandbox, reply, 'invalid_grant', 'code is invalid or expired', 'code has expired');
  });

  for (const grant_type of ['', 'password']) {
    it(`are not issued for the grant_type "${grant_type}"`, async () => {
      expectErrorResponse(
        sandbox,
        await client.token({ grant_type }),
        'invalid_request',
        'grant_type is missing or invalid',
        'grant_type is missing or invalid',
      );
    });
  }

  it('are not issued for a JSON body', async () => {
    const { tokenURL } = sandbox.options('social-network', { version: '2.1' });
    expectErrorResponse(
      sandbox,
      await postJson(tokenURL, { client_id: client.id }),
      'invalid_client',
      'client_id is missing',
      'client_id is missing, or no client of the sandbox',
    );
  });

  it('are not issued for GET, or at a similar path', async () => {
    const { tokenURL } = sandbox.options('social-network', { version: '2.1' });
    expect((await get(tokenURL)).status).to.equal(404);
    expect((await postJson(tokenURL.replace('/oauth2/auth', '/oauth2/token'), {})).status).to.equal(404);
    expect(sandbox.requests().at(-1)).to.include({
      network: 'social-network',
      endpoint: 'unknown',
      method: 'POST',
      path: '/vk-id/oauth2/token',
      status: 404,
      refused: 'no endpoint has this path',
    });
  });
});
