import { expect } from 'chai';
import type { RefusedError } from '../../../lib/index.js';
import { startSandbox } from '../../../sandbox/lib/index.js';
import { logIn } from '../../support/journey.js';
import { loginApp } from '../../support/login-app.js';
import { realSockets } from '../../support/real-sockets.js';
import { mistakeOf, rejectionOf } from '../../support/thrown.js';
import { loggingIn, TOKENS, type VkIdStrategy, verifiedIn, vkIdStrategy } from './network.js';

describe("VK ID's token response", () => {
  const login = loggingIn(realSockets());
  const answering = (changes: object) => ({ '/oauth2/auth': { body: { ...TOKENS, ...changes } } });

  it('is followed by a user info request with the token in no header', async () => {
    const { server } = await login();
    const headers = server.requests.map(({ headers }) => headers.authorization);
    expect(headers).to.deep.equal([undefined, undefined]);
  });

  it('ends the login if the response has the state of another login', async () => {
    const { ending, server } = await login({}, { replies: answering({ state: 'a'.repeat(43) }) });
    expect(ending.error).to.include({ name: 'MalformedError', code: 'state_mismatch', step: 'token' });
    expect((ending.error as Error).message).to.include(
      ': the response belongs to another request: its state is not the one that was sent. Check tokenURL.',
    );
    expect(server.requests).to.have.length(1);
  });

  it('rejects a refresh response with the state of another request, and accepts one without a state', async () => {
    const { strategy } = await login({}, { replies: answering({ state: 'a'.repeat(43) }) });
    const error = await rejectionOf(strategy.refresh('REFRESH-TOKEN', 'DEVICE'));
    expect(error).to.include({ name: 'MalformedError', code: 'state_mismatch', step: 'refresh' });
    const silent = await login({}, { replies: answering({ state: '' }) });
    expect((await silent.strategy.refresh('REFRESH-TOKEN', 'DEVICE')).accessToken).to.equal('ACCESS-TOKEN');
  });

  for (const [what, changes] of Object.entries({
    'an empty state': { state: '' },
    'no state': {},
    'another device_id, which is ignored': { device_id: 'ANOTHER-DEVICE' },
  })) {
    it(`logs the user in if the response has ${what}`, async () => {
      const { token, params } = verifiedIn((await login({}, { replies: answering(changes) })).ending);
      expect([token, params.device_id]).to.deep.equal(['ACCESS-TOKEN', 'DEVICE']);
    });
  }
});

describe('after a login through VK ID', () => {
  const close = realSockets();
  const login = loggingIn(close);

  it('a refresh keeps device_id in its params for the next refresh; another device_id is an error that names it', async () => {
    const sandbox = close(await startSandbox());
    const strategy = vkIdStrategy(sandbox.options('social-network', { version: '2.1' }));
    const app = close(await loginApp(strategy));
    await logIn(app, 'social-network');
    const { refreshToken = '', params } = verifiedIn(app.endings[0] ?? {});
    let tokens = await strategy.refresh(refreshToken, params.device_id);
    for (let round = 0; round < 3; round += 1) {
      expect(tokens.params.device_id).to.equal(params.device_id);
      tokens = await strategy.refresh(tokens.refreshToken, tokens.params.device_id as string);
    }
    expect(tokens.params).not.to.have.property('id_token');
    const refused = strategy.refresh(tokens.refreshToken, 'ANOTHER-DEVICE');
    const error = (await rejectionOf(refused)) as RefusedError;
    expect(error).to.include({ networkCode: 'invalid_request', networkMessage: 'device_id is invalid' });
    expect(error.message).to.include("Give refresh the device_id of the login's params");
    expect((await strategy.refresh(tokens.refreshToken, params.device_id)).accessToken).to.match(/^vk2/);
  });

  it('each refresh has its own state; concurrent ones of one token are one request for each device', async () => {
    const { strategy, at } = await login();
    await Promise.all(['ONE', 'ONE', 'OTHER'].map((device) => strategy.refresh('REFRESH-TOKEN', device)));
    const [, ...refreshes] = at('/oauth2/auth');
    expect(refreshes.map(({ form }) => form.get('device_id'))).to.have.members(['ONE', 'OTHER']);
    const states = refreshes.map(({ form }) => form.get('state'));
    for (const state of states) expect(state).to.match(/^[A-Za-z0-9_-]{32,}$/);
    expect(new Set(states).size).to.equal(2);
  });

  it('a refresh without its device is a TypeError without a request', async () => {
    const { strategy, at } = await login();
    const device = "refresh(refreshToken, deviceID) needs the device_id of the login's params.";
    const second = vkIdStrategy({ name: 'second' });
    // Rejected promises, not exceptions, because callers chain `.catch`.
    for (const [call, message] of [
      [() => strategy.refresh('TOKEN'), `social-network: ${device}`],
      [() => strategy.refresh('TOKEN', ''), `social-network: ${device}`],
      [() => second.refresh('TOKEN'), `second: ${device}`],
    ] as const) {
      expect(await mistakeOf(call())).to.include(message);
    }
    expect(at('/oauth2/auth')).to.have.length(1);
  });
});

describe("VK ID's secrets", () => {
  const login = loggingIn(realSockets());
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
      const { strategy, server } = await login({ ...options, profileFields: 'sex' });
      for (const call of callsOf(strategy)) await call();
      expect(server.requests).to.have.length(6);
      const seen = server.requests.filter(({ body, url, headers }) =>
        /client_secret|service_token|(TOKEN|KEY)-CANARY/.test(`${body}${url}${JSON.stringify(headers)}`),
      );
      expect(seen.map(({ form }) => form.get('grant_type'))).to.deep.equal(grants);
      for (const { form } of seen) expect(form.get('service_token')).to.equal(SERVICE_TOKEN);
    });
  }
});
