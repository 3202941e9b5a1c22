import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../lib/sandbox/index.js';
import { CALLBACK, callbackOf, get, HEX_CHALLENGE, reasonOf, VERIFIER } from '../requests.js';
import { STATE, VkIdClient } from './vk-id-client.js';

describe("The sandbox's social network, VK ID authorization", () => {
  let sandbox: Sandbox;
  let client: VkIdClient;

  before(async () => {
    sandbox = await startSandbox();
    client = new VkIdClient(sandbox);
  });

  after(() => sandbox.close());

  it('sends the browser back with code, device and the rest one by one', async () => {
    const callback = await client.callback();
    expect(Object.keys(callback)).to.deep.equal([
      'code',
      'expires_in',
      'device_id',
      'state',
      'ext_id',
      'type',
    ]);
    expect(callback).to.include({ expires_in: '600', state: STATE, type: 'code_v2' });
    expect(callback.code).to.match(/^vk2\.a\.[A-Za-z0-9_-]{220}$/);
    expect(callback.device_id).to.match(/^[A-Za-z0-9_-]{86}$/);
  });

  it('sends the browser back with all in one payload, when the sandbox is started so', async () => {
    const other = await startSandbox({ vkIdCallback: 'payload' });
    const otherClient = new VkIdClient(other);
    const callback = await otherClient.callback();
    expect(callback).to.have.all.keys('payload');
    const payload: Record<string, string> = JSON.parse(callback.payload ?? '');
    expect(payload).to.have.all.keys('code', 'state', 'type', 'device_id');
    expect(payload).to.include({ state: STATE, type: 'code_v2' });
    expect((await otherClient.exchange(payload)).json).to.have.property('access_token');
    await other.close();
  });

  it('sends a refusal back as access_denied', async () => {
    expect(callbackOf(await get(client.authorization({ auto: 'deny' })))).to.deep.equal({
      error: 'access_denied',
      error_description: 'User cancelled the login',
      state: STATE,
    });
  });

  it('sends prompt=none back as login_required, because nobody is logged in yet', async () => {
    expect(callbackOf(await get(client.authorization({ prompt: 'none' })))).to.deep.equal({
      error: 'login_required',
      error_description: 'User is not logged in',
      state: STATE,
    });
    expect(await client.callback({ prompt: 'none' })).to.include.keys('code');
  });

  it('takes the optional parameters that the network knows, and s256 in lower case', async () => {
    const optional = {
      prompt: 'login consent',
      provider: 'mail_ru',
      lang_id: '3',
      scheme: 'dark',
      scope: 'email phone',
    };
    expect(await client.callback({ ...optional, code_challenge_method: 's256' })).to.include.keys('code');
  });

  const refused: [what: string, changes: Record<string, string | undefined>, reason: string][] = [
    ['no client_id', { client_id: undefined }, 'client_id is missing'],
    ['an unknown client_id', { client_id: '51000001' }, 'client_id is no client of the sandbox'],
    ['no response_type', { response_type: undefined }, 'response_type is not "code"'],
    ['no redirect_uri', { redirect_uri: undefined }, 'redirect_uri is missing, empty or given twice'],
    ['a redirect_uri with a fragment', { redirect_uri: `${CALLBACK}#x` }, 'redirect_uri has a fragment'],
    [
      'a state of 31 characters',
      { state: 's'.repeat(31) },
      'state has fewer than 32 characters, or others than letters, digits, "_" and "-"',
    ],
    [
      'a state with dots',
      { state: `${'s'.repeat(32)}.x` },
      'state has fewer than 32 characters, or others than letters, digits, "_" and "-"',
    ],
    [
      'no state',
      { state: undefined },
      'state has fewer than 32 characters, or others than letters, digits, "_" and "-"',
    ],
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

  for (const [what, changes, reason] of refused) {
    it(`keeps the user and says why: ${what}`, async () => {
      const reply = await get(client.authorization({ auto: 'allow', ...changes }));
      expect(reply.status).to.equal(400);
      expect(reply.headers.get('location')).to.equal(null);
      expect(reply.text).to.include('<code>invalid_request</code>');
      expect(reasonOf(sandbox)).to.equal(reason);
    });
  }
});
