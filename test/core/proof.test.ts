import { expect } from 'chai';
import { codeChallenge, digestOf, equalSecrets, newSecret } from '../../lib/core/proof.js';
import { countedRandomness } from '../support/randomness.js';

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

describe('proof', () => {
  it('C15: the challenge of RFC 7636 appendix B is met in base64url', () => {
    expect(codeChallenge(VERIFIER, 'base64url')).to.equal('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  });

  it('C15: the same challenge in hex is what the short-video network checks', () => {
    expect(codeChallenge(VERIFIER, 'hex')).to.equal(
      '13d31e961a1ad8ec2f16b10c4c982e0876a878ad6df144566ee1894acb70f9c3',
    );
  });

  it('S3: texts that are no valid Unicode have digests of their own', () => {
    const digests = ['\ud800', '\ud801', '\ufffd'].map((text) => digestOf(text));
    expect(new Set(digests).size).to.equal(3);
  });

  it('C5, C16: a secret has 43 characters of base64url, and never comes twice', () => {
    const secrets = Array.from({ length: 1_000 }, () => newSecret());
    for (const secret of secrets) expect(secret).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(new Set(secrets).size).to.equal(1_000);
  });

  it('C5: each secret is 32 bytes of the cryptographic source', () => {
    const source = countedRandomness();
    try {
      // However many of the bytes that were there before are left, the new ones come after them, each once.
      const secrets = Array.from({ length: 256 }, () => newSecret());
      const fresh = source.made();
      const first = secrets.indexOf(fresh[0] ?? '');
      expect(first).to.be.within(0, 64);
      expect(secrets.slice(first)).to.deep.equal(fresh.slice(0, 256 - first));
    } finally {
      source.release();
    }
  });

  it('C5: every letter of the alphabet comes at every place, so all 256 bits are random', () => {
    const secrets = Array.from({ length: 4_000 }, () => newSecret());
    for (let place = 0; place < 42; place += 1) {
      expect(new Set(secrets.map((secret) => secret[place])).size).to.equal(64);
    }
  });

  it('a digest tells lists of texts apart that look alike when joined', () => {
    expect(digestOf('a', 'b')).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(digestOf('a', 'b')).to.equal(digestOf('a', 'b'));
    expect(digestOf('a', 'b')).to.not.equal(digestOf('ab'));
    expect(digestOf('a', 'b')).to.not.equal(digestOf('a","b'));
    expect(digestOf('a', '')).to.not.equal(digestOf('', 'a'));
  });

  it('C19: texts of different lengths are unequal, and nothing is thrown', () => {
    expect(equalSecrets('abc', 'abc')).to.equal(true);
    expect(equalSecrets('abc', 'abd')).to.equal(false);
    expect(equalSecrets('abc', 'abcd')).to.equal(false);
    expect(equalSecrets('', 'a')).to.equal(false);
    expect(equalSecrets('', '')).to.equal(true);
  });
});
