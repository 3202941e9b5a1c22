import { expect } from 'chai';
import { expiryDate } from '../../lib/index.js';
import { grantedScopes as microblogScopes } from '../../lib/microblog/index.js';
import { grantedScopes as shortVideoScopes } from '../../lib/short-video/index.js';
import { grantedScopes as socialNetworkScopes } from '../../lib/social-network/index.js';
import { fakeClock } from '../support/clock.js';

describe('expiryDate', () => {
  const clock = fakeClock();

  for (const [expires_in, milliseconds] of [
    [1, 1_000],
    [3600, 3_600_000],
    [86_400, 86_400_000],
    ['43200', 43_200_000],
  ] as const) {
    it(`is ${milliseconds} milliseconds from now for expires_in ${JSON.stringify(expires_in)}`, () => {
      const now = clock.stop();
      expect(expiryDate({ expires_in })?.getTime()).to.equal(now + milliseconds);
    });
  }

  for (const params of [
    {},
    { expires_in: 0 },
    { expires_in: '0' },
    { expires_in: -3600 },
    { expires_in: null },
    { expires_in: '' },
    { expires_in: 'never' },
    { expires_in: Number.NaN },
    { expires_in: Number.POSITIVE_INFINITY },
    { expires_in: 1e15 },
    { expires_in: {} },
    { expires: 3600 },
    Object.create({ expires_in: 3600 }) as object,
  ]) {
    it(`is undefined for ${JSON.stringify(params)}`, () => {
      expect(expiryDate(params)).to.equal(undefined);
    });
  }
});

describe('grantedScopes', () => {
  it('of the short-video network splits scope at commas', () => {
    expect(shortVideoScopes({ scope: 'user.info.basic,user.info.profile' })).to.deep.equal([
      'user.info.basic',
      'user.info.profile',
    ]);
  });

  it('of the microblog network splits scope at spaces', () => {
    expect(microblogScopes({ scope: 'users.read tweet.read offline.access' })).to.deep.equal([
      'users.read',
      'tweet.read',
      'offline.access',
    ]);
  });

  it('of the social network splits the scope of VK ID at spaces', () => {
    expect(socialNetworkScopes({ scope: 'vkid.personal_info email' })).to.deep.equal([
      'vkid.personal_info',
      'email',
    ]);
  });

  for (const [scope, names] of [
    [4_194_304, ['email']],
    ['4194304', ['email']],
    [4_194_304 + 65_536 + 2, ['friends', 'offline', 'email']],
    [134_217_728 + 1, ['notify', 'market']],
    [0, []],
    [512, []],
  ] as const) {
    it(`of the social network reads the bit mask ${JSON.stringify(scope)} of the classic protocol`, () => {
      expect(socialNetworkScopes({ scope })).to.deep.equal(names);
    });
  }

  it('is an empty list if the response has no scope', () => {
    for (const scopes of [shortVideoScopes, microblogScopes, socialNetworkScopes]) {
      expect(scopes({})).to.deep.equal([]);
      expect(scopes({ scope: '' })).to.deep.equal([]);
      expect(scopes({ scope: ' , ' })).to.deep.equal([]);
    }
    expect(socialNetworkScopes({ scope: null })).to.deep.equal([]);
    expect(socialNetworkScopes({ scope: ['email'] })).to.deep.equal([]);
  });
});
