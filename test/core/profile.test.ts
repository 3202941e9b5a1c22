import { expect } from 'chai';
import { MalformedError } from '../../lib/core/errors/index.js';
import {
  assembleProfile,
  linkFrom,
  type MappedProfile,
  photosFrom,
  withoutAbsent,
} from '../../lib/core/profile.js';
import type { MicroblogProfile, SocialNetworkProfile, VkIdProfile } from '../../lib/index.js';
import { mapProfile as mapMicroblog, MOVED_FIELDS as X_FIELDS } from '../../lib/microblog/responses.js';
import {
  mapProfile as mapSocialNetwork,
  mapVkIdProfile,
  MOVED_FIELDS as VK_FIELDS,
} from '../../lib/social-network/responses.js';
import { thrownBy } from '../support/thrown.js';

/** The profile of a strategy called `network`, whose own mapping gives `mapped`. */
const profileOf = (mapped: unknown, record: object = {}, raw = '{}') =>
  assembleProfile('network', undefined, record, raw, () => mapped as MappedProfile);

describe('profile', () => {
  it('a profile has the strategy’s name, the exact text and the record beside the mapped properties', () => {
    expect(profileOf({ id: '1', displayName: 'A' }, { id: 1 }, '{ "id": 1 }')).to.deep.equal({
      provider: 'network',
      id: '1',
      displayName: 'A',
      _raw: '{ "id": 1 }',
      _json: { id: 1 },
    });
  });

  it('an application’s own mapping gets the record, and replaces the strategy’s', () => {
    const mapProfile = ({ number }: { number: number }) => ({ id: `own-${number}`, displayName: 'B' });
    const builtIn = () => expect.fail('the strategy’s mapping was called');
    const profile = assembleProfile('network', mapProfile, { number: 7 }, '{}', builtIn);
    expect(profile).to.include({ id: 'own-7', displayName: 'B', provider: 'network' });
  });

  it('S3: a mapping cannot change provider, text or record', () => {
    const mapped = { id: '1', displayName: 'A', provider: 'other', _raw: 'x', _json: 'y' };
    expect(profileOf(mapped, { id: 1 })).to.deep.include({
      provider: 'network',
      _raw: '{}',
      _json: { id: 1 },
    });
  });

  it('S3: a mapping without an ID that is a string is a TypeError', () => {
    for (const mapped of [undefined, null, {}, { id: '' }, { id: 7 }, { id: null }]) {
      expect(() => profileOf(mapped)).to.throw(
        TypeError,
        'network: option profile must return an object with an id that is a non-empty string.',
      );
    }
  });

  it('S3: an ID with a lone surrogate is an error: databases would store two of them as one', () => {
    expect(() => profileOf({ id: 'a\ud800', displayName: 'A' })).to.throw(
      MalformedError,
      /an identifier that is not valid Unicode/,
    );
    expect(profileOf({ id: 'a\ud83c\udf38', displayName: '' }).id).to.equal('a🌸');
  });

  it('S13: each field that only the _json of other packages has throws, and says where its value is', () => {
    const fields = (record: object, names: string) =>
      names.split(' ').map((name) => {
        const { message } = thrownBy(() => Reflect.get(record, name)) as TypeError;
        return `${name} ${message.replace(/^profile\._json has no \w+: read (\S+), or .*/, '$1')}`;
      });
    const data = 'created_at description location protected url verified';
    expect(fields(X_FIELDS, data)).to.deep.equal(
      data.split(' ').map((name) => `${name} profile._json.data.${name}`),
    );
    expect(fields(X_FIELDS, 'id id_str username screen_name name email profile_image_url')).to.deep.equal([
      'id profile.id',
      'id_str profile.id',
      'username profile.username',
      'screen_name profile.username',
      'name profile.displayName',
      'email profile.emails',
      'profile_image_url profile.photos',
    ]);
    const user = 'avatar birthday phone sex verified';
    expect(fields(VK_FIELDS, user)).to.deep.equal(
      user.split(' ').map((name) => `${name} profile._json.user.${name}`),
    );
    expect(fields(VK_FIELDS, 'id user_id first_name last_name email screen_name')).to.deep.equal([
      'id profile.id',
      'user_id profile.id',
      'first_name profile.name',
      'last_name profile.name',
      'email profile.emails',
      'screen_name profile.username',
    ]);
  });

  it('S14: a link in a profile is https, or http on this machine', () => {
    for (const link of ['https://n.example/a', 'http://127.0.0.1:3000/a'])
      expect(linkFrom(link)).to.equal(link);
    const others = [
      'http://n.example/a',
      'javascript://localhost/%0aalert(1)',
      'ftp://127.0.0.1/a',
      'https://n.example/a b',
    ];
    expect([...others, undefined, 7].map(linkFrom).filter((link) => link !== undefined)).to.deep.equal([]);
  });

  it('the photo is the first http or https URL among the candidates', () => {
    expect(
      photosFrom(undefined, '', 'javascript:alert(1)', 'https://n.example/a?x=%2B', 'https://n.example/b'),
    ).to.deep.equal({
      photos: [{ value: 'https://n.example/a?x=%2B' }],
    });
    expect(photosFrom(undefined, null, 7, 'https://', 'data:image/png,')).to.deep.equal({});
  });

  it('absent properties and empty strings are left out; false and zero stay', () => {
    expect(withoutAbsent<object>({ a: undefined, b: '', c: false, d: 0, e: 'x' } as object)).to.deep.equal({
      c: false,
      d: 0,
      e: 'x',
    });
  });
});

/** JSON can contain one half of a surrogate pair; URLs cannot. */
const HALF = '\uD800';

describe('profile: a handle with a lone surrogate', () => {
  const microblog = { data: { id: '1', name: 'P', username: HALF } } as MicroblogProfile;
  const record = { id: 1, first_name: 'P', last_name: '', screen_name: HALF };
  const profiles = {
    microblog: () => mapMicroblog(microblog),
    'social network': () => mapSocialNetwork(record as unknown as SocialNetworkProfile, '1', undefined),
    'VK ID': () =>
      mapVkIdProfile({ user: { user_id: '1' }, lookup: record } as unknown as VkIdProfile, '1', false),
  };
  for (const [network, map] of Object.entries(profiles)) {
    it(`does not fail the login, ${network}`, () => {
      const { id, profileUrl } = map();
      expect(String(id)).to.equal('1');
      expect(profileUrl).to.match(/^https:\/\/(x\.com|vk\.ru)\/%EF%BF%BD$/);
    });
  }
});
