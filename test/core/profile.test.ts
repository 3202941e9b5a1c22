import { expect } from 'chai';
import { MalformedError } from '../../lib/core/errors/index.js';
import { assembleProfile, linkFrom, type MappedProfile, photosFrom } from '../../lib/core/profile.js';
import { mapProfile as mapMicroblog, MOVED_FIELDS as X_FIELDS } from '../../lib/microblog/responses.js';
import { mapProfile as mapShortVideo } from '../../lib/short-video/responses.js';
import {
  mapProfile as mapSocialNetwork,
  MOVED_FIELDS as VK_FIELDS,
} from '../../lib/social-network/responses.js';
import { thrownBy } from '../support/thrown.js';

/** The profile of a strategy called `network`, whose own mapping gives `mapped`. */
const profileOf = (mapped: unknown, record: object = {}, raw = '{}') =>
  assembleProfile('network', undefined, record, raw, () => mapped as MappedProfile);

describe('profile', () => {
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
    const images = 'profile_image_url profile_image_url_https';
    expect(fields(X_FIELDS, `id id_str username screen_name name email ${images}`)).to.deep.equal([
      'id profile.id',
      'id_str profile.id',
      'username profile.username',
      'screen_name profile.username',
      'name profile.displayName',
      'email profile.emails',
      'profile_image_url profile.photos',
      'profile_image_url_https profile.photos',
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

  it('the photo is the first http or https URL among the candidates that is no placeholder', () => {
    const others = [undefined, '', 'javascript:alert(1)', 'https://n.example/none.png'];
    expect(photosFrom([...others, 'https://n.example/a?x=%2B', 'https://n.example/b'], /none/)).to.deep.equal(
      {
        photos: [{ value: 'https://n.example/a?x=%2B' }],
      },
    );
    expect(photosFrom([undefined, null, 7, 'https://', 'data:image/png,'])).to.deep.equal({});
  });
});

describe('profile: texts', () => {
  it('what databases refuse is the replacement character in every text of profile and record, however deep', () => {
    const [refused, kept] = ['a\0b\ud800c', 'a\ufffdb\ufffdc'];
    const record = JSON.parse(JSON.stringify({ a: refused, b: [{ c: [refused], d: 7, e: null }] })) as {
      a: string;
    };
    const profile = assembleProfile('network', undefined, record, '{}', ({ a }) => ({
      id: '1',
      displayName: a,
      name: { familyName: a },
    }));
    expect(profile).to.deep.include({ displayName: kept, name: { familyName: kept } });
    expect(profile._json).to.deep.equal({ a: kept, b: [{ c: [kept], d: 7, e: null }] });
  });

  it('S3: an ID with such a character is an error', () => {
    for (const id of ['a\0', 'a\ud800', 'a\ufffd', '\udc00a'])
      expect(() => profileOf({ id, displayName: '' }), id).to.throw(MalformedError, 'not valid Unicode');
  });
});

describe('profile: the picture', () => {
  const LARGE = 'https://cdn.example/large.jpg';
  const SMALL = 'https://cdn.example/small.jpg';
  const photoOf = ({ photos }: MappedProfile) => photos?.[0]?.value;
  const shortVideo = (user: object) => photoOf(mapShortVideo({ data: { user: { open_id: 'a', ...user } } }));
  const x = (data: object, record: object = {}) =>
    photoOf(mapMicroblog({ ...record, data: { id: '1', name: '', username: '', ...data } }));
  const vk = (record: object) => {
    const whole = { id: 1, first_name: '', last_name: '', ...record };
    return photoOf(mapSocialNetwork('1', whole, whole, undefined));
  };
  const vkId = (user: object, lookup?: object) =>
    photoOf(
      mapSocialNetwork(
        '1',
        { user_id: '1', ...user },
        lookup && { id: 1, first_name: '', last_name: '', ...lookup },
        undefined,
      ),
    );

  it('is the largest in the record', () => {
    // Pixels: at TikTok avatar_url is 168 wide.
    expect(shortVideo({ avatar_url_100: SMALL, avatar_url: LARGE })).to.equal(LARGE);
    expect(shortVideo({ avatar_url: SMALL, avatar_large_url: LARGE })).to.equal(LARGE);
    const sizes =
      'photo_50 photo_100 photo_200 photo_200_orig photo_max photo_400 photo_400_orig photo_max_orig'.split(
        ' ',
      );
    for (const [index, name] of sizes.entries()) {
      const smaller = Object.fromEntries(sizes.slice(0, index).map((other) => [other, SMALL]));
      expect(vk({ ...smaller, [name]: LARGE }), name).to.equal(LARGE);
    }
    expect(vkId({ avatar: SMALL }, { photo_50: LARGE })).to.equal(LARGE);
    expect(vkId({ avatar: LARGE })).to.equal(LARGE);
  });

  it('is missing where it is the network’s placeholder', () => {
    const tiktok = 'https://p16-sign-va.tiktokcdn.com/musically-maliva-obj/1594805258216454';
    expect(
      shortVideo({ avatar_url: `${tiktok}~c5_168x168.jpeg?x-expires=1`, avatar_url_100: `${tiktok}.jpeg` }),
    ).to.equal(undefined);
    const abs = 'https://abs.twimg.com/sticky/default_profile_images';
    expect(x({ profile_image_url: `${abs}/default_profile_normal.png` })).to.equal(undefined);
    expect(x({ profile_image_url: `${abs}/default_profile_3_normal.png` })).to.equal(undefined);
    expect(x({ profile_image_url: LARGE }, { default_profile_image: true })).to.equal(undefined);
    expect(x({ profile_image_url: LARGE }, { default_profile_image: false })).to.equal(LARGE);
    for (const name of ['camera_b.gif', 'camera_200.png?ava=1', 'deactivated_100.png']) {
      const placeholder = `https://vk.ru/images/${name}`;
      expect(vk({ photo_max_orig: placeholder, photo_100: placeholder }), name).to.equal(undefined);
      expect(vkId({ avatar: placeholder }), name).to.equal(undefined);
    }
  });
});
