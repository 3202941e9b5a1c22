import { expect } from 'chai';
import { grantedScopes } from '../../lib/social-network/index.js';

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
});
