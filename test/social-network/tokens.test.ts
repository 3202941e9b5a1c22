import { expect } from 'chai';
import { SocialNetworkStrategy } from '../../lib/index.js';
import { grantedScopes } from '../../lib/social-network/index.js';
import { rejectionOf } from '../support/thrown.js';

const CLIENT = { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET' };
const never = () => undefined;

describe('the tokens of the classic social network', () => {
  for (const version of [undefined, '2.0'] as const) {
    const title = version === undefined ? 'without a version' : `with version ${version}`;
    const classic = () =>
      new SocialNetworkStrategy({ ...CLIENT, ...(version !== undefined && { version }) }, never);

    it(`refresh, revoke and logout in the social network ${title} are TypeErrors that name VK ID`, async () => {
      const strategy = classic();
      for (const [call, missing] of [
        [() => strategy.refresh('TOKEN', 'DEVICE'), 'refresh tokens'],
        [() => strategy.revoke('TOKEN'), 'revocation'],
        [() => strategy.logout('TOKEN'), 'logout'],
      ] as const) {
        // A rejected promise, not an exception, because callers chain `.catch`.
        const error = await rejectionOf(call());
        const message = `social-network: the classic protocol has no ${missing}; VK ID (version: '2.1') has.`;
        expect(error).to.be.instanceOf(TypeError).with.property('message', message);
      }
    });
  }
});

describe('grantedScopes of the social network', () => {
  // Bit 0 first; a hyphen is a bit without a name. https://dev.vk.com/en/reference/access-rights (read 2026-11)
  const NAMES =
    'notify friends photos audio video pages - - link - status notes messages wall - ads offline docs ' +
    'groups notifications stats - email - - - - market';

  for (const [index, name] of NAMES.split(' ').entries()) {
    if (name === '-') continue;
    const bit = 2 ** index;
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
