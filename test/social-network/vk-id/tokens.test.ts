import { expect } from 'chai';
import { type RefusedError, SocialNetworkStrategy } from '../../../lib/index.js';
import { grantedScopes } from '../../../lib/social-network/index.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { logIn } from '../../support/journey.js';
import { realSockets } from '../../support/real-sockets.js';
import { network } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';
import { onlyLogin, vkIdTests } from './vk-id.js';

const never = () => undefined;

/** Expects a rejected promise, not an exception, because callers chain `.catch`. */
async function expectMistake(call: () => Promise<unknown>, message: string): Promise<void> {
  const error = await rejectionOf(call());
  expect(error).to.be.instanceOf(TypeError);
  expect((error as TypeError).message).to.equal(message);
}

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

  it('logout and revoke send the token and client_id in the body, each to its own URL', async () => {
    const { strategy, network } = await atNetwork();
    await strategy.logout('ONE-TOKEN');
    await strategy.revoke('OTHER-TOKEN');
    expect(network.requests.map(({ url, body }) => `${url} ${body}`)).to.deep.equal([
      '/oauth2/logout access_token=ONE-TOKEN&client_id=CLIENT-ID',
      '/oauth2/revoke access_token=OTHER-TOKEN&client_id=CLIENT-ID',
    ]);
  });

  it('a refresh keeps device_id in its params for the next refresh', async () => {
    const vkId = await atSandbox();
    await logIn(vkId.app, 'social-network');
    const { refreshToken = '', params } = onlyLogin(vkId);
    let tokens = await vkId.strategy.refresh(refreshToken, params.device_id);
    for (let round = 0; round < 3; round += 1) {
      expect(tokens.params.device_id).to.equal(params.device_id);
      tokens = await vkId.strategy.refresh(tokens.refreshToken, tokens.params.device_id as string);
    }
    expect(tokens.params).not.to.have.property('id_token');
  });

  it('a refresh with another device_id is an error that names device_id', async () => {
    const vkId = await atSandbox();
    await logIn(vkId.app, 'social-network');
    const { refreshToken = '', params } = onlyLogin(vkId);

    const error = (await rejectionOf(vkId.strategy.refresh(refreshToken, 'ANOTHER-DEVICE'))) as RefusedError;

    expect(error).to.include({
      name: 'RefusedError',
      networkCode: 'invalid_request',
      networkMessage: 'device_id is invalid',
    });
    expect(error.message).to.include("A refused device_id is another one than that of the login's params.");
    const tokens = await vkId.strategy.refresh(refreshToken, params.device_id);
    expect(tokens.accessToken).to.match(/^vk2\.a\./);
  });

  it('each refresh has its own state, in the characters that the network accepts', async () => {
    const { strategy, network } = await atNetwork();
    await strategy.refresh('ONE', 'DEVICE');
    await strategy.refresh('OTHER', 'DEVICE');
    const [one = '', other = ''] = network.requests.map(({ form }) => form.get('state') ?? '');
    expect(one).to.match(/^[A-Za-z0-9_-]{32,}$/);
    expect(other).to.match(/^[A-Za-z0-9_-]{32,}$/);
    expect(one).not.to.equal(other);
  });

  it('grantedScopes splits scope at spaces', () => {
    expect(grantedScopes({ scope: 'vkid.personal_info email' })).to.deep.equal([
      'vkid.personal_info',
      'email',
    ]);
  });
});

describe('a refresh in VK ID without its device', () => {
  realSockets();
  const close = closesAfterEach();

  for (const device of [undefined, '']) {
    it(`is a TypeError without a request if the device is ${JSON.stringify(device) ?? 'absent'}`, async () => {
      const server = close(await network(() => ({ body: {} })));
      const strategy = new SocialNetworkStrategy(
        { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET', version: '2.1', tokenURL: server.url },
        never,
      );
      await expectMistake(
        () => strategy.refresh('TOKEN', device),
        "social-network: refresh(refreshToken, deviceID) needs the device_id of the login's params.",
      );
      expect(server.requests).to.deep.equal([]);
    });
  }

  it('is an error that names the strategy by its own name', async () => {
    const strategy = new SocialNetworkStrategy(
      { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET', version: '2.1', name: 'second' },
      never,
    );
    await expectMistake(
      () => strategy.refresh('TOKEN'),
      "second: refresh(refreshToken, deviceID) needs the device_id of the login's params.",
    );
  });
});

describe('a logout in VK ID without a token', () => {
  realSockets();
  const close = closesAfterEach();

  for (const none of [undefined, null, '', {}, 0, ['TOKEN']] as string[]) {
    it(`is a TypeError for ${JSON.stringify(none)}, and nothing is sent`, async () => {
      const server = close(await network(() => ({ body: { response: 1 } })));
      const options = {
        clientID: 'CLIENT-ID',
        clientSecret: 'CLIENT-SECRET',
        version: '2.1',
        logoutURL: server.url,
      } as const;
      const strategy = new SocialNetworkStrategy(options, never);
      const error = await rejectionOf(strategy.logout(none));
      expect(error).to.be.instanceOf(TypeError);
      expect((error as Error).message).to.include('needs a token that is a non-empty string.');
      expect(server.requests).to.deep.equal([]);
    });
  }
});
