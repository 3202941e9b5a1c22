import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { get, HEX_CHALLENGE, REDIRECT_URI, reasonOf, responseParameters, VERIFIER } from '../requests.js';
import { STATE, VkIdClient } from './vk-id-client.js';

describe("The sandbox's social network, VK ID authorization", () => {
  let sandbox: Sandbox;
  let client: VkIdClient;

  before(async () => {
    sandbox = await startSandbox();
    client = new VkIdClient(sandbox);
  });

  after(() => sandbox.close());

  it('redirects back with one parameter per value', async () => {
    const parameters = await client.authorize();
    expect(Object.keys(parameters)).to.deep.equal([
      'code',
      'expires_in',
      'device_id',
      'state',
      'ext_id',
      'type',
    ]);
    expect(parameters).to.include({ expires_in: '600', state: STATE, type: 'code_v2' });
    expect(parameters.code).to.match(/^vk2\.a\.[A-Za-z0-9_-]{220}$/);
    expect(parameters.device_id).to.match(/^[A-Za-z0-9_-]{86}$/);
  });

  it('redirects back with one payload parameter, when the sandbox is started that way', async () => {
    const other = await startSandbox({ vkIdCallback: 'payload' });
    const otherClient = new VkIdClient(other);
    const parameters = await otherClient.authorize();
    expect(parameters).to.have.all.keys('payload');
    const payload: Record<string, string> = JSON.parse(parameters.payload ?? '');
    expect(payload).to.have.all.keys('code', 'state', 'type', 'device_id');
    expect(payload).to.include({ state: STATE, type: 'code_v2' });
    expect((await otherClient.exchange(payload)).json).to.have.property('access_token');
    await other.close();
  });

  it('redirects back with access_denied when the user declines', async () => {
    expect(responseParameters(await get(client.authorization({ auto: 'deny' })))).to.deep.equal({
      error: 'access_denied',
      error_description: 'User cancelled the login',
      state: STATE,
    });
  });

  it('redirects back with login_required for prompt=none, because the sandbox has no sessions', async () => {
    expect(responseParameters(await get(client.authorization({ prompt: 'none' })))).to.deep.equal({
      error: 'login_required',
      error_description: 'User is not logged in',
      state: STATE,
    });
    expect(await client.authorize({ prompt: 'none' })).to.include.keys('code');
  });

  it('accepts the optional parameters of the network, and s256 in lower case', async () => {
    const optional = {
      prompt: 'login consent',
      provider: 'mail_ru',
      lang_id: '3',
      scheme: 'dark',
      scope: 'email phone',
    };
    expect(await client.authorize({ ...optional, code_challenge_method: 's256' })).to.include.keys('code');
  });

  it('returns a short state as it is, and removes dots', async () => {
    expect(await client.authorize({ state: 'short' })).to.include({ state: 'short' });
    expect(await client.authorize({ state: `a.${STATE}.b` })).to.include({ state: `a${STATE}b` });
    expect(await client.authorize({ state: undefined })).not.to.have.property('state');
  });

  for (const state of ['s'.repeat(31), `${'s'.repeat(32)}.x`, undefined]) {
    it(`shows an error page if the sandbox is strict, for the state ${state}`, async () => {
      const strict = await startSandbox({ strict: true });
      const reply = await get(new VkIdClient(strict).authorization({ state }));
      await strict.close();
      expect(reply.status).to.equal(400);
      expect(reply.text).to.include('<dt>Received</dt><dd>state has fewer than 32 characters');
    });
  }

  const rejected: [what: string, changes: Record<string, string | undefined>, reason: string][] = [
    ['no client_id', { client_id: undefined }, 'client_id is missing'],
    ['an unknown client_id', { client_id: '51000001' }, 'client_id is no client of the sandbox'],
    ['no response_type', { response_type: undefined }, 'response_type is not "code"'],
    ['no redirect_uri', { redirect_uri: undefined }, 'redirect_uri is missing, empty or given twice'],
    ['a redirect_uri with a fragment', { redirect_uri: `${REDIRECT_URI}#x` }, 'redirect_uri has a fragment'],
    ['no PKCE', { code_challenge: undefined }, 'code_challenge is missing, which this network needs'],
    ['a challenge in hex', { code_challenge: HEX_CHALLENGE }, 'code_challenge is no SHA-256 in base64url'],
    ['the method plain', { code_challenge_method: 'plain' }, 'code_challenge_method is not "S256"'],
    ['no method', { code_challenge_method: undefined }, 'code_challenge_method is not "S256"'],
    ['the verifier itself', { code_verifier: VERIFIER }, 'code_verifier is sent along with code_challenge'],
    ['an unknown scope', { scope: 'email openid' }, 'scope names one that the application does not have'],
    ['an unknown prompt', { prompt: 'always' }, 'prompt has a value that does not exist'],
    ['an unknown provider', { provider: 'google' }, 'provider has a value that does not exist'],
    ['an unknown lang_id', { lang_id: 'en' }, 'lang_id has a value that does not exist'],
    ['an unknown scheme', { scheme: 'pink' }, 'scheme has a value that does not exist'],
  ];

  for (const [what, changes, reason] of rejected) {
    it(`shows an error page with the reason: ${what}`, async () => {
      const reply = await get(client.authorization({ auto: 'allow', ...changes }));
      expect(reply.status).to.equal(400);
      expect(reply.headers.get('location')).to.equal(null);
      expect(reply.text).to.include('<code>invalid_request</code>');
      expect(reasonOf(sandbox)).to.equal(reason);
    });
  }
});
