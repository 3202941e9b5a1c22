import { expect } from 'chai';
import { MicroblogStrategy, SocialNetworkStrategy } from '../../lib/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import { network } from '../support/server.js';
import { rejectionOf } from '../support/thrown.js';

const CLIENT = { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET' };
const never = () => undefined;

/** Expects a rejected promise, not an exception, because callers chain `.catch`. */
async function expectMistake(call: () => Promise<unknown>, message: string): Promise<void> {
  const error = await rejectionOf(call());
  expect(error).to.be.instanceOf(TypeError);
  expect((error as TypeError).message).to.equal(message);
}

describe('a method that a version does not have', () => {
  it('microblog 1.0 has no method refresh: its tokens do not expire', () => {
    expect(new MicroblogStrategy({ ...CLIENT, version: '1.0' }, never)).to.not.have.property('refresh');
  });

  for (const secret of [undefined, '']) {
    it(`revoke in microblog 1.0 with ${JSON.stringify(secret) ?? 'no'} token secret is a TypeError`, async () => {
      const strategy = new MicroblogStrategy({ ...CLIENT, version: '1.0' }, never);
      await expectMistake(
        () => strategy.revoke('TOKEN', secret as string),
        'microblog: revoke needs a token that is a non-empty string.',
      );
    });
  }

  for (const version of [undefined, '2.0'] as const) {
    const title = version === undefined ? 'without a version' : `with version ${version}`;
    const classic = () =>
      new SocialNetworkStrategy({ ...CLIENT, ...(version !== undefined && { version }) }, never);

    it(`refresh, revoke and logout in the social network ${title} are TypeErrors that name VK ID`, async () => {
      const hint = "; VK ID (version: '2.1') has.";
      const strategy = classic();
      await expectMistake(
        () => strategy.refresh('TOKEN', 'DEVICE'),
        `social-network: the classic protocol has no refresh tokens${hint}`,
      );
      await expectMistake(
        () => strategy.revoke('TOKEN'),
        `social-network: the classic protocol has no revocation${hint}`,
      );
      await expectMistake(
        () => strategy.logout('TOKEN'),
        `social-network: the classic protocol has no logout${hint}`,
      );
    });
  }
});

describe('a refresh in VK ID without its device', () => {
  realSockets();
  const close = closesAfterEach();

  for (const device of [undefined, '']) {
    it(`is a TypeError without a request if the device is ${JSON.stringify(device) ?? 'absent'}`, async () => {
      const server = close(await network(() => ({ body: {} })));
      const strategy = new SocialNetworkStrategy(
        { clientID: 'CLIENT-ID', version: '2.1', tokenURL: server.url },
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
      { clientID: 'CLIENT-ID', version: '2.1', name: 'second' },
      never,
    );
    await expectMistake(
      () => strategy.refresh('TOKEN'),
      "second: refresh(refreshToken, deviceID) needs the device_id of the login's params.",
    );
  });
});
