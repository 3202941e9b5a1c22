import { expect } from 'chai';
import type { SocialNetworkAuthenticateOptions } from '../../../lib/index.js';
import { attempt, fakeRequest, redirectOf } from '../../support/attempt.js';
import { realSockets } from '../../support/real-sockets.js';
import { loggingIn, verifiedIn, vkIdStrategy } from './network.js';

describe('an authorization request to VK ID', () => {
  /** The parameters of an authorization request to VK ID. */
  async function parametersOf(options: object = {}, authenticate: SocialNetworkAuthenticateOptions = {}) {
    const { searchParams } = await redirectOf(vkIdStrategy(options), authenticate);
    return Object.fromEntries(searchParams);
  }

  it('writes the space between scopes and between prompts as %20', async () => {
    const strategy = vkIdStrategy({ scope: ['vkid.personal_info', 'phone'] });
    const { search } = await redirectOf(strategy, { prompt: ['login', 'consent'] });
    expect(search).to.include('scope=vkid.personal_info%20phone').and.include('prompt=login%20consent');
  });

  it('adds the scope email with includeEmail to the option scope, once', async () => {
    expect((await parametersOf({ includeEmail: true, scope: 'phone' })).scope).to.equal('phone email');
    expect((await parametersOf({ includeEmail: true, scope: 'email' })).scope).to.equal('email');
  });

  it('has prompt, provider, langId (0 is Russian) and scheme under the network’s names', async () => {
    const given = { prompt: 'select_account', provider: 'mail_ru', langId: 0, scheme: 'dark' } as const;
    expect(await parametersOf({}, given)).to.include({
      prompt: 'select_account',
      provider: 'mail_ru',
      lang_id: '0',
      scheme: 'dark',
    });
  });
});

type Refusal = readonly [
  parameters: (state: string) => Readonly<Record<string, string>>,
  ending: readonly [status: number, code: string],
  isIntact: boolean,
];

describe("VK ID's authorization response", () => {
  const close = realSockets();
  const logIn = loggingIn(close);
  const packed = (state: string, changes: object = {}) =>
    JSON.stringify({ code: 'CODE', state, type: 'code_v2', device_id: 'DEVICE', ...changes });

  it('passes the decoded code and device_id unchanged to the token request', async () => {
    const callback = { code: 'vk2.a.co+de/=%2B ä', device_id: 'dev+ice/=%2B_-' };
    const [request] = (await logIn({}, { callback })).at('/oauth2/auth');
    for (const [name, value] of Object.entries(callback)) expect(request?.form.get(name)).to.equal(value);
  });

  const flat = { code: 'FLAT-CODE', device_id: 'FLAT-DEVICE' };
  for (const [title, parameters, device] of [
    ['in a payload', (state) => ({ payload: packed(state) }), 'DEVICE'],
    ['in a payload that is encoded twice', (state) => ({ payload: JSON.stringify(packed(state)) }), 'DEVICE'],
    ['in a payload of 8192 characters', (state) => ({ payload: packed(state).padEnd(8_192) }), 'DEVICE'],
    [
      'with flat parameters beside a payload, which is ignored',
      (state) => ({ ...flat, state, payload: packed('OTHER-STATE') }),
      'FLAT-DEVICE',
    ],
  ] satisfies [string, (state: string) => Record<string, string>, string][]) {
    it(`${title} logs the user in`, async () => {
      const { ending, at } = await logIn({}, { callback: parameters });
      const form = at('/oauth2/auth')[0]?.form;
      expect(form?.get('code')).to.equal(device.replace('DEVICE', 'CODE'));
      expect(form?.get('device_id')).to.equal(device);
      expect(verifiedIn(ending).params.device_id).to.equal(device);
    });
  }

  const MALFORMED = [400, 'malformed_response'] as const;
  const UNKNOWN = [403, 'unknown_login'] as const;
  const payload = (make: (state: string) => string) => (state: string) => ({ payload: make(state) });
  const changed = (changes: object) => payload((state) => packed(state, changes));
  const garbage = (text: string) => [() => ({ payload: text }), MALFORMED, true] as const;
  /** Title -> the parameters, how the login ends, and whether it can be finished afterwards. */
  const refused: Readonly<Record<string, Refusal>> = {
    'without device_id': [(state) => ({ state, code: 'CODE' }), MALFORMED, false],
    'with an empty device_id': [(state) => ({ state, code: 'CODE', device_id: '' }), MALFORMED, false],
    'in a payload without device_id': [changed({ device_id: undefined }), MALFORMED, false],
    'in a payload that is encoded three times': [
      payload((state) => JSON.stringify(JSON.stringify(packed(state)))),
      MALFORMED,
      true,
    ],
    'C10: with a flat code beside a payload with the state': [
      (state) => ({ ...flat, payload: packed(state) }),
      UNKNOWN,
      true,
    ],
    'with a flat state, even an unknown one, beside a payload': [
      (state) => ({ state: 'x'.repeat(43), payload: packed(state) }),
      UNKNOWN,
      true,
    ],
    'in a payload that says that the user declined': [
      payload((state) => JSON.stringify({ error: 'access_denied', state })),
      [401, 'access_denied'],
      false,
    ],
    'in a payload whose state is not a string': [
      payload((state) => packed(state, { state: [state] })),
      UNKNOWN,
      true,
    ],
    'in a payload whose code is a number': [changed({ code: 4608 }), MALFORMED, false],
    'C11: in a payload of another issuer': [
      changed({ iss: 'https://evil.example' }),
      [403, 'wrong_issuer'],
      false,
    ],
    'in a payload whose code is empty': [changed({ code: '' }), MALFORMED, false],
    'in a payload whose code is in its prototype': [
      payload((state) => `{"__proto__":{"code":"CODE"},"state":"${state}","device_id":"DEVICE"}`),
      MALFORMED,
      false,
    ],
    'in a payload that is not JSON': garbage('{"code":"CODE"'),
    'in an empty payload': garbage(''),
    'in a payload that is JSON null': garbage('null'),
    'in a payload that is a JSON array': garbage('["code","state"]'),
    'in a payload that is a JSON number': garbage('4608'),
    'in a payload that is a JSON string, but no JSON itself': garbage('"code"'),
    'in a payload of more than 8192 characters': garbage(JSON.stringify({ code: 'x'.repeat(8_192) })),
  };
  for (const [title, [parameters, [status, code], isIntact]] of Object.entries(refused)) {
    const after = isIntact ? 'leaves the pending login intact' : 'uses up the pending login';
    it(`${title} is ${status} ${code}, with no request, and ${after}`, async () => {
      const { strategy, server } = await logIn();
      const cookies = {};
      const state = (await redirectOf(strategy, {}, cookies)).searchParams.get('state') ?? '';
      const end = (query: Readonly<Record<string, string>>) =>
        attempt(strategy, fakeRequest(`/callback?${new URLSearchParams(query).toString()}`, cookies));
      const before = server.requests.length;
      const { status: seen, failure } = await end(parameters(state));
      expect([seen, (failure as { code: string }).code]).to.deep.equal([status, code]);
      expect(server.requests).to.have.length(before);
      expect((await end({ state, ...flat })).status).to.equal(isIntact ? undefined : 403);
    });
  }

  it('without device_id says what to do', async () => {
    const { ending } = await logIn({}, { callback: (state) => ({ state, code: 'CODE' }) });
    expect((ending.failure as { message: string }).message).to.equal(
      'The response has no device_id, without which the network issues no token. Start the login again.',
    );
  });
});
