import { expect } from 'chai';
import { areEqual, randomSecret } from '../../../lib/core/login/index.js';
import { countedRandomness } from '../../support/randomness.js';

describe('randomSecret', () => {
  it('C5, C16: has 43 characters of base64url, and no value comes twice', () => {
    const secrets = Array.from({ length: 1_000 }, () => randomSecret());
    for (const secret of secrets) expect(secret).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(new Set(secrets).size).to.equal(1_000);
  });

  it('C5: is 32 bytes of the cryptographic source, each used once', () => {
    const source = countedRandomness();
    try {
      const secrets = Array.from({ length: 256 }, () => randomSecret());
      expect(secrets).to.deep.equal(source.made());
    } finally {
      source.release();
    }
  });

  it('C5: every character of the alphabet occurs at every position, so all 256 bits are random', () => {
    const secrets = Array.from({ length: 4_000 }, () => randomSecret());
    for (let position = 0; position < 42; position += 1) {
      expect(new Set(secrets.map((secret) => secret[position])).size).to.equal(64);
    }
  });
});

describe('areEqual', () => {
  it('C19: strings of different lengths are unequal, and nothing is thrown', () => {
    expect(areEqual('abc', 'abc')).to.equal(true);
    expect(areEqual('abc', 'abd')).to.equal(false);
    expect(areEqual('abc', 'abcd')).to.equal(false);
    expect(areEqual('', 'a')).to.equal(false);
    expect(areEqual('', '')).to.equal(true);
  });
});
