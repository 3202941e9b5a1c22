import { expect } from 'chai';
import type { RefusedError } from '../../../lib/index.js';
import { logIn } from '../../support/journey.js';
import { rejectionOf } from '../../support/thrown.js';
import { comeBack, onlyLogin, TOKENS, type VkIdStrategy, vkIdStrategy, vkIdTests } from './network.js';

describe("VK ID's token response", () => {
  const { atNetwork } = vkIdTests();

  it('is followed by a user info request with the token in no header', async () => {
    const { network, ...vkId } = await atNetwork();
    await comeBack(vkId);
    expect(network.requests.map(({ headers }) => headers.authorization)).to.deep.equal([
      undefined,
      undefined,
    ]);
  });

  it('ends the login if the response has the state of another login', async () => {
    const states: string[] = [];
    const { network, ...vkId } = await atNetwork({
      token: ({ form }) => {
        states.push(form.get('state') ?? '');
        return { body: { ...TOKENS, state: states[0] } };
      },
    });

    expect((await comeBack(vkId)).status).to.equal(200);
    expect((await comeBack(vkId)).status).to.equal(502);

    const { error } = vkId.app.endings[1] ?? {};
    expect(error).to.include({ name: 'MalformedError', code: 'state_mismatch', step: 'token' });
    expect(error)
      .to.have.property('message')
      .that.includes(
        ': the response belongs to another request: its state is not the one that was sent. Check tokenURL.',
      );
    expect(vkId.verified).to.have.length(1);
    // The token request and the user info of the first login, and the token request of the second.
    expect(network.requests).to.have.length(3);
  });

  it('rejects a refresh response with the state of another request, and accepts one without a state', async () => {
    const { strategy } = await atNetwork({ token: () => ({ body: { ...TOKENS, state: 'a'.repeat(43) } }) });
    const error = await rejectionOf(strategy.refresh('REFRESH-TOKEN', 'DEVICE'));
    expect(error).to.include({ name: 'MalformedError', code: 'state_mismatch', step: 'refresh' });
    const silent = await atNetwork({ token: () => ({ body: { ...TOKENS, state: '' } }) });
    expect((await silent.strategy.refresh('REFRESH-TOKEN', 'DEVICE')).accessToken).to.equal('ACCESS-TOKEN');
  });

  for (const [what, changes] of Object.entries({
    'an empty state': { state: '' },
    'no state': {},
    'another device_id, which is ignored': { device_id: 'ANOTHER-DEVICE' },
  })) {
    it(`logs the user in if the response has ${what}`, async () => {
      const vkId = await atNetwork({ token: () => ({ body: { ...TOKENS, ...changes } }) });
      expect((await comeBack(vkId)).status).to.equal(200);
      const { token, params } = onlyLogin(vkId);
      expect([token, params.device_id]).to.deep.equal(['ACCESS-TOKEN', 'DEVICE']);
    });
  }
});

describe('after a login through VK ID', () => {
  const { atSandbox, atNetwork } = vkIdTests();

  it('logout resolves to undefined and invalidates the access token', async () => {
    const vkId = await atSandbox();
    await logIn(vkId.app, 'social-network');
    const { token } = onlyLogin(vkId);

    expect(await vkId.strategy.logout(token)).to.equal(undefined);

    expect(vkId.sandbox.requests().at(-1)).to.deep.include({ endpoint: 'logout', status: 200 });
    const error = await rejectionOf(vkId.strategy.logout(token));
    expect(error).to.include({ name: 'RefusedError', step: 'revoke', networkCode: 'invalid_token' });
  });

  it('a refresh keeps device_id in its params for the next refresh; another device_id is an error that names it', async () => {
    const vkId = await atSandbox();
    await logIn(vkId.app, 'social-network');
    const { refreshToken = '', params } = onlyLogin(vkId);
    let tokens = await vkId.strategy.refresh(refreshToken, params.device_id);
    for (let round = 0; round < 3; round += 1) {
      expect(tokens.params.device_id).to.equal(params.device_id);
      tokens = await vkId.strategy.refresh(tokens.refreshToken, tokens.params.device_id as string);
    }
    expect(tokens.params).not.to.have.property('id_token');
    const refused = vkId.strategy.refresh(tokens.refreshToken, 'ANOTHER-DEVICE');
    const error = (await rejectionOf(refused)) as RefusedError;
    expect(error).to.include({ networkCode: 'invalid_request', networkMessage: 'device_id is invalid' });
    expect(error.message).to.include("Give refresh the device_id of the login's params");
    expect((await vkId.strategy.refresh(tokens.refreshToken, params.device_id)).accessToken).to.match(/^vk2/);
  });

  it('each refresh has its own state; concurrent ones of one token are one request for each device', async () => {
    const { strategy, network } = await atNetwork();
    await Promise.all(['ONE', 'ONE', 'OTHER'].map((device) => strategy.refresh('REFRESH-TOKEN', device)));
    expect(network.requests.map(({ form }) => form.get('device_id'))).to.have.members(['ONE', 'OTHER']);
    const states = network.requests.map(({ form }) => form.get('state'));
    for (const state of states) expect(state).to.match(/^[A-Za-z0-9_-]{32,}$/);
    expect(new Set(states).size).to.equal(2);
  });

  it('a refresh without its device is a TypeError without a request', async () => {
    const { strategy, network } = await atNetwork();
    const device = "refresh(refreshToken, deviceID) needs the device_id of the login's params.";
    const second = vkIdStrategy({ name: 'second' });
    // Rejected promises, not exceptions, because callers chain `.catch`.
    for (const [call, message] of [
      [() => strategy.refresh('TOKEN'), `social-network: ${device}`],
      [() => strategy.refresh('TOKEN', ''), `social-network: ${device}`],
      [() => second.refresh('TOKEN'), `second: ${device}`],
    ] as const) {
      const error = await rejectionOf(call());
      expect(error).to.be.instanceOf(TypeError).with.property('message').that.includes(message);
    }
    expect(network.requests).to.deep.equal([]);
  });
});

describe("VK ID's secrets", () => {
  const { atNetwork } = vkIdTests();
  const SERVICE_TOKEN = 'SERVICE-TOKEN-CANARY';

  const callsOf = (strategy: VkIdStrategy) => [
    () => strategy.refresh('REFRESH-CANARY', 'DEVICE'),
    () => strategy.revoke('ACCESS-CANARY'),
    () => strategy.logout('ACCESS-CANARY'),
  ];

  for (const [title, options, grants] of [
    [
      'the service token is sent only in the token request and the refresh',
      { serviceToken: SERVICE_TOKEN },
      ['authorization_code', 'refresh_token'],
    ],
    [
      'the client secret, the key of pending logins, is never sent',
      { clientSecret: 'PROTECTED-KEY-CANARY' },
      [],
    ],
  ] as const) {
    it(title, async () => {
      const { network, ...vkId } = await atNetwork({}, { options: { ...options, profileFields: 'sex' } });
      await comeBack(vkId);
      for (const call of callsOf(vkId.strategy)) await call();
      expect(network.requests).to.have.length(6);
      const seen = network.requests.filter(({ body, url, headers }) =>
        /client_secret|service_token|(TOKEN|KEY)-CANARY/.test(`${body}${url}${JSON.stringify(headers)}`),
      );
      expect(seen.map(({ form }) => form.get('grant_type'))).to.deep.equal(grants);
      for (const { form } of seen) expect(form.get('service_token')).to.equal(SERVICE_TOKEN);
    });
  }
});
