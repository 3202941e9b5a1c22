import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { basic, post, postJson, REDIRECT_URI } from '../requests.js';
import { OAuth2Client } from './oauth2-client.js';
import { expectInvalid } from './oauth2-errors.js';

describe("The sandbox's microblog network, OAuth 2.0 token request", () => {
  let sandbox: Sandbox;
  let client: OAuth2Client;
  let publicClient: OAuth2Client;

  beforeEach(async () => {
    sandbox = await startSandbox();
    client = new OAuth2Client(sandbox);
    publicClient = new OAuth2Client(sandbox, 'public');
  });

  afterEach(() => sandbox.close());

  for (const name of ['code', 'redirect_uri', 'code_verifier']) {
    it(`needs a ${name}`, async () => {
      expectInvalid(
        sandbox,
        await client.exchange(await client.code(), { [name]: '' }),
        `Missing required parameter [${name}].`,
        `${name} is missing, empty or given twice`,
      );
    });
  }

  it('needs a grant_type', async () => {
    expectInvalid(
      sandbox,
      await client.token({}),
      'Missing required parameter [grant_type].',
      'grant_type is missing, empty or given twice',
    );
  });

  it('rejects an unknown grant_type', async () => {
    expectInvalid(
      sandbox,
      await client.token({ grant_type: 'client_credentials' }),
      'Value passed for the grant type was invalid.',
      'grant_type is unknown',
    );
  });

  for (const body of [{}, { grant_type: ['authorization_code'] }, ['grant_type'], 'grant_type', 7, null]) {
    it(`finds no parameters in the JSON body ${JSON.stringify(body)}`, async () => {
      const { tokenURL, clientID, clientSecret } = sandbox.options('microblog');
      expectInvalid(
        sandbox,
        await postJson(tokenURL, body, basic(clientID, clientSecret)),
        'Missing required parameter [grant_type].',
        'the body is not application/x-www-form-urlencoded',
      );
    });
  }

  it('finds no parameters in a form that is labelled as JSON', async () => {
    const { tokenURL } = sandbox.options('microblog');
    expectInvalid(
      sandbox,
      await post(tokenURL, { grant_type: 'authorization_code' }, { 'Content-Type': 'application/json' }),
      'Missing required parameter [grant_type].',
      'the body is not application/x-www-form-urlencoded',
    );
  });

  it('needs the same parameters in a JSON body', async () => {
    const jsonClient = new OAuth2Client(sandbox, 'confidential', postJson);
    expectInvalid(
      sandbox,
      await jsonClient.exchange(await client.code(), { code_verifier: '' }),
      'Missing required parameter [code_verifier].',
      'code_verifier is missing, empty or given twice',
    );
  });

  it('accepts a code once', async () => {
    const code = await client.code();
    await client.exchange(code);
    expectInvalid(
      sandbox,
      await client.exchange(code),
      'Value passed for the authorization code was invalid.',
      'code was used before',
    );
  });

  it('accepts a code for half a minute', async () => {
    const [first, second] = [await client.code(), await client.code()];
    sandbox.advance(29_000);
    expect((await client.exchange(first)).json).to.have.property('access_token');
    sandbox.advance(1_000);
    expectInvalid(
      sandbox,
      await client.exchange(second),
      'Value passed for the authorization code was invalid.',
      'code has expired',
    );
  });

  it("rejects another client's code", async () => {
    expectInvalid(
      sandbox,
      await publicClient.exchange(await client.code()),
      'Value passed for the authorization code was invalid.',
      'code belongs to another client, or its consent has ended',
    );
  });

  it('rejects a redirect_uri that differs from the authorization request', async () => {
    expectInvalid(
      sandbox,
      await client.exchange(await client.code(), { redirect_uri: `${REDIRECT_URI}/` }),
      'Value passed for the redirect uri did not match the uri of the authorization code.',
      'redirect_uri differs from the authorization request',
    );
  });

  for (const method of ['S256', 'plain']) {
    it(`rejects a wrong code_verifier for the method ${method}`, async () => {
      const challenge = { code_challenge: 'A'.repeat(43), code_challenge_method: method };
      expectInvalid(
        sandbox,
        await client.exchange(await client.code(challenge)),
        'Value passed for the code verifier did not match the code challenge.',
        'code_verifier does not match code_challenge',
      );
    });
  }
});
