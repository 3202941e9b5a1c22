import { expect } from 'chai';
import type { MicroblogProfile, SocialNetworkProfile, VkIdProfile } from '../../lib/index.js';
import { mapProfile as mapMicroblog } from '../../lib/microblog/profile.js';
import { mapProfile as mapSocialNetwork } from '../../lib/social-network/profile.js';
import { mapVkIdProfile } from '../../lib/social-network/vk-id-profile.js';

/** JSON can write half of a character that takes two; addresses cannot. */
const HALF = '\uD800';

describe('names that are no text', () => {
  const microblog = { data: { id: '1', name: 'P', username: HALF } } as MicroblogProfile;
  const person = { id: 1, first_name: 'P', last_name: '', screen_name: HALF };
  const profiles = {
    microblog: () => mapMicroblog(microblog),
    'social network': () => mapSocialNetwork(person as unknown as SocialNetworkProfile, '1', undefined),
    'VK ID': () =>
      mapVkIdProfile({ user: { user_id: '1' }, lookup: person } as unknown as VkIdProfile, '1', false),
  };
  for (const [network, map] of Object.entries(profiles)) {
    it(`half a character in a handle makes no error, ${network}`, () => {
      const { id, profileUrl } = map();
      expect(String(id)).to.equal('1');
      expect(profileUrl).to.match(/^https:\/\/(x\.com|vk\.ru)\/%EF%BF%BD$/);
    });
  }
});
