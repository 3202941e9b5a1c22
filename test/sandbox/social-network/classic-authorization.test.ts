import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { BASE64URL_CHALLENGE, get, reasonOf, responseParameters } from '../requests.js';
import { ClassicClient } from './classic-client.js';
import { expectErrorResponse } from './classic-errors.js';

describe("The sandbox's social network, classic authorization", () => {
  let sandbox: Sandbox;
  let client: ClassicClient;

  beforeEach(async () => {
    sandbox = await startSandbox();
    client = new ClassicClient(sandbox);
  });

  afterEach(() => sandbox.close());

  it('redirects back with a code and the state', async () => {
    const parameters = responseParameters(await get(client.authorization({ auto: 'allow' })));
    expect(parameters).to.have.all.keys('code', 'state');
    expect(parameters.code).to.match(/^[0-9a-f]{66}$/);
    expect(parameters.state).to.equal('xyz');
  });

  it('accepts a request without response_type and state', async () => {
    const parameters = responseParameters(
      await get(client.authorization({ auto: 'allow', response_type: undefined, state: undefined })),
    );
    expect(parameters).to.have.all.keys('code');
  });

  it('leaves out rights that do not exist', async () => {
    for (const scope of ['email,openid', String(4194304 + 512)]) {
      const { json } = await client.exchange(await client.code({ scope }));
      expect(json).to.include({ email: 'alice@example.com' });
    }
  });

  it('redirects back with access_denied when the user declines', async () => {
    expect(responseParameters(await get(client.authorization({ auto: 'deny' })))).to.deep.equal({
      error: 'access_denied',
      error_reason: 'user_denied',
      error_description: 'User denied your request',
      state: 'xyz',
    });
  });

  it('redirects back with an error for an unknown display', async () => {
    expect(responseParameters(await get(client.authorization({ display: 'watch' })))).to.deep.equal({
      error: 'invalid_request',
      error_description: 'Invalid display parameter',
      state: 'xyz',
    });
    expect(reasonOf(sandbox)).to.equal('display is neither "page", "popup" nor "mobile"');
  });

  const rejected: [
    what: string,
    changes: Record<string, string | undefined>,
    status: number,
    error: string,
    description: string,
    reason: string,
  ][] = [
    [
      'no client_id',
      { client_id: undefined },
      401,
      'invalid_client',
      'client_id is undefined',
      'client_id is missing',
    ],
    [
      'an unknown client_id',
      { client_id: '1' },
      401,
      'invalid_client',
      'client_id is incorrect',
      'client_id is no client of the sandbox',
    ],
    [
      'PKCE',
      { code_challenge: BASE64URL_CHALLENGE, code_challenge_method: 'S256' },
      400,
      'invalid_request',
      'Code challenge method is unsupported',
      'code_challenge is sent, this protocol has no PKCE',
    ],
    [
      'another response_type than code',
      { response_type: 'token' },
      400,
      'unsupported_response_type',
      'response_type is unsupported',
      'response_type is not "code"',
    ],
    [
      'no redirect_uri',
      { redirect_uri: undefined },
      400,
      'invalid_request',
      'redirect_uri is incorrect, check application redirect uri in the settings page',
      'redirect_uri is missing, empty or given twice',
    ],
    [
      'a hostile redirect_uri',
      { redirect_uri: 'data:text/html,x' },
      400,
      'invalid_request',
      'redirect_uri is incorrect, check application redirect uri in the settings page',
      'redirect_uri is no absolute http or https address',
    ],
  ];

  const rejectedIfStrict: typeof rejected = [
    [
      'no v',
      { v: undefined },
      400,
      'invalid_request',
      'v (version) is required',
      'v is missing or below 5.81',
    ],
    [
      'an old v',
      { v: '5.80' },
      400,
      'invalid_request',
      'versions below 5.81 are deprecated. Version param should be passed as "v".',
      'v is missing or below 5.81',
    ],
    [
      'an unknown scope',
      { scope: 'email,openid' },
      400,
      'invalid_scope',
      'scope is incorrect',
      'scope names a right that does not exist',
    ],
  ];

  for (const [what, changes, status, error, description, reason] of rejectedIfStrict) {
    it(`responds with JSON if the sandbox is strict: ${what}`, async () => {
      const strict = await startSandbox({ strict: true });
      const reply = await get(new ClassicClient(strict).authorization({ auto: 'allow', ...changes }));
      await strict.close();
      expectErrorResponse(strict, reply, status, error, description, reason);
    });
  }

  for (const [what, changes, status, error, description, reason] of rejected) {
    it(`responds with JSON: ${what}`, async () => {
      const reply = await get(client.authorization({ auto: 'allow', ...changes }));
      expectErrorResponse(sandbox, reply, status, error, description, reason);
    });
  }
});
