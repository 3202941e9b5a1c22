import { expect } from 'chai';
import { SocialNetworkStrategy } from '../../lib/index.js';
import { grantedScopes } from '../../lib/social-network/index.js';
import { rejectionOf } from '../support/thrown.js';

const CLIENT = { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET' };
const never = () => undefined;

/** Expects a rejected promise, not an exception, because callers chain `.catch`. */
async function expectMistake(call: () => Promise<unknown>, message: string): Promise<void> {
  const error = await rejectionOf(call());
  expect(error).to.be.instanceOf(TypeError);
  expect((error as TypeError).message).to.equal(message);
}

describe('the tokens of the classic social network', () => {
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

describe('grantedScopes of the social network', () => {
  // https://dev.vk.com/en/reference/access-rights (read 2026-11)
  const BITS = {
    notify: 2 ** 0,
    friends: 2 ** 1,
    photos: 2 ** 2,
    audio: 2 ** 3,
    video: 2 ** 4,
    pages: 2 ** 5,
    link: 2 ** 8,
    status: 2 ** 10,
    notes: 2 ** 11,
    messages: 2 ** 12,
    wall: 2 ** 13,
    ads: 2 ** 15,
    offline: 2 ** 16,
    docs: 2 ** 17,
    groups: 2 ** 18,
    notifications: 2 ** 19,
    stats: 2 ** 20,
    email: 2 ** 22,
    market: 2 ** 27,
  };

  for (const [name, bit] of Object.entries(BITS)) {
    it(`reads the bit of ${name}`, () => {
      expect(grantedScopes({ scope: bit })).to.deep.equal([name]);
      expect(grantedScopes({ scope: String(bit) })).to.deep.equal([name]);
    });
  }

  it('reads several bits, and none of a mask of unknown ones', () => {
    expect(grantedScopes({ scope: 2 + 4_194_304 })).to.deep.equal(['friends', 'email']);
    expect(grantedScopes({ scope: 64 + 128 + 512 })).to.deep.equal([]);
  });

  it('splits those of VK ID at spaces', () => {
    const granted = ['vkid.personal_info', 'email'];
    expect(grantedScopes({ scope: granted.join(' ') })).to.deep.equal(granted);
  });

  it('is an empty list for a response without scopes', () => {
    for (const scope of [undefined, 0, '', ' , ', null, ['email']]) {
      expect(grantedScopes({ ...(scope !== undefined && { scope }) }), JSON.stringify(scope)).to.deep.equal(
        [],
      );
    }
  });
});
