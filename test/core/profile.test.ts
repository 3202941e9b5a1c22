import { expect } from 'chai';
import { MalformedError } from '../../lib/core/errors.js';
import { assembleProfile, type MappedProfile, photosFrom, withoutAbsent } from '../../lib/core/profile.js';

describe('profile', () => {
  it('a profile has the strategy’s name, the exact text and the record beside what was mapped', () => {
    expect(assembleProfile('network', { id: '1', displayName: 'A' }, { id: 1 }, '{ "id": 1 }')).to.deep.equal(
      {
        provider: 'network',
        id: '1',
        displayName: 'A',
        _raw: '{ "id": 1 }',
        _json: { id: 1 },
      },
    );
  });

  it('S3: a mapping cannot change provider, text or record', () => {
    const mapped = { id: '1', displayName: 'A', provider: 'other', _raw: 'x', _json: 'y' } as MappedProfile;
    expect(assembleProfile('network', mapped, { id: 1 }, '{}')).to.include({
      provider: 'network',
      _raw: '{}',
    });
  });

  it('S3: a mapping without an identifier that is a text is a TypeError', () => {
    for (const mapped of [undefined, null, {}, { id: '' }, { id: 7 }, { id: null }]) {
      expect(() => assembleProfile('network', mapped as unknown as MappedProfile, {}, '{}')).to.throw(
        TypeError,
        'network: option profile must return an object with an id that is a non-empty text.',
      );
    }
  });

  it('S3: an identifier that is no valid text is an error: databases would store two of them as one', () => {
    const mapped = { id: 'a\ud800', displayName: 'A' };
    expect(() => assembleProfile('network', mapped, {}, '{}')).to.throw(
      MalformedError,
      /an identifier that is no valid text/,
    );
    expect(assembleProfile('network', { id: 'a\ud83c\udf38', displayName: '' }, {}, '{}').id).to.equal('a🌸');
  });

  it('the first http or https address among the candidates is the photo', () => {
    expect(
      photosFrom(undefined, '', 'javascript:alert(1)', 'https://n.example/a?x=%2B', 'https://n.example/b'),
    ).to.deep.equal({
      photos: [{ value: 'https://n.example/a?x=%2B' }],
    });
    expect(photosFrom(undefined, null, 7, 'https://', 'data:image/png,')).to.deep.equal({});
  });

  it('absent members and empty texts are left out; false and zero stay', () => {
    expect(withoutAbsent<object>({ a: undefined, b: '', c: false, d: 0, e: 'x' } as object)).to.deep.equal({
      c: false,
      d: 0,
      e: 'x',
    });
  });
});
