import { createDecipheriv, hkdfSync } from 'node:crypto';
import { expect } from 'chai';
import { encryptionWith } from '../../../lib/core/login/encryption.js';

const FIRST = 'the-first-secret-of-forty-characters-----';
const SECOND = 'the-second-secret-of-forty-characters----';

describe('encryption', () => {
  it('decrypts what it encrypted, in the same context only', () => {
    const encryption = encryptionWith([FIRST]);
    const encrypted = encryption.encrypt('the text, ünd möre', 'here');
    expect(encrypted).to.match(/^[\w-]+$/);
    expect(encryption.decrypt(encrypted, 'here')).to.equal('the text, ünd möre');
    expect(encryption.decrypt(encrypted, 'there')).to.equal(undefined);
    expect(encryption.decrypt(encrypted, '')).to.equal(undefined);
  });

  it('C18: shows nothing of the text, and differs each time', () => {
    const encryption = encryptionWith([FIRST]);
    const encrypted = [
      encryption.encrypt('the-code-verifier', 'here'),
      encryption.encrypt('the-code-verifier', 'here'),
    ];
    expect(encrypted[0]).to.not.equal(encrypted[1]);
    for (const text of encrypted) {
      expect(Buffer.from(text, 'base64url').toString('latin1')).to.not.include('verifier');
    }
  });

  it('C18: is not decrypted if any character was altered, removed or added', () => {
    const encryption = encryptionWith([FIRST]);
    const encrypted = encryption.encrypt('text', 'here');
    for (let index = 0; index < encrypted.length; index += 1) {
      for (const letter of ['A', 'B', '_', '']) {
        if (letter === encrypted[index]) continue;
        const altered = encrypted.slice(0, index) + letter + encrypted.slice(index + 1);
        expect(encryption.decrypt(altered, 'here'), `${index} ${letter}`).to.equal(undefined);
      }
    }
    for (const altered of [
      '',
      'x',
      `${encrypted}A`,
      `${encrypted}=`,
      ` ${encrypted}`,
      encrypted.slice(0, 38),
      encrypted.slice(0, 37),
      'ü'.repeat(60),
    ]) {
      expect(encryption.decrypt(altered, 'here'), altered).to.equal(undefined);
    }
  });

  it('C18: the first secret encrypts, all of them decrypt', () => {
    const old = encryptionWith([FIRST]).encrypt('text', 'here');
    const rotated = encryptionWith([SECOND, FIRST]);
    expect(rotated.decrypt(old, 'here')).to.equal('text');
    const fresh = rotated.encrypt('text', 'here');
    expect(encryptionWith([SECOND]).decrypt(fresh, 'here')).to.equal('text');
    expect(encryptionWith([FIRST]).decrypt(fresh, 'here')).to.equal(undefined);
  });

  it('C18: is AES-256-GCM under a key derived with HKDF-SHA-256', () => {
    // The layout is read by hand: random value (12 bytes), tag (16), ciphertext. Cookies of a running application depend on it.
    const bytes = Buffer.from(encryptionWith([FIRST]).encrypt('text', 'here'), 'base64url');
    const purpose = 'passport-social-networks pending login';
    const key = new Uint8Array(hkdfSync('sha256', FIRST, '', purpose, 32));
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
    decipher.setAAD(Buffer.from('here')).setAuthTag(bytes.subarray(12, 28));
    const text = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
    expect(text.toString()).to.equal('text');
  });
});
