import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const PURPOSE = 'passport-social-networks pending login';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Shortest secret in characters. */
export const SHORTEST_SECRET = 32;

/** Encrypts and authenticates texts with AES-256-GCM. A text is bound to its context and cannot be decrypted in another one. */
interface Encryption {
  /** @returns Letters, digits, `-` and `_`. */
  encrypt(text: string, context: string): string;
  /** @returns `undefined` if it was altered, or encrypted for another context or with none of the secrets. */
  decrypt(encrypted: string, context: string): string | undefined;
}

/**
 * @param secrets - The first encrypts, all decrypt.
 * @see NIST SP 800-38D, RFC 5869
 */
export function encryptionWith(secrets: readonly [string, ...string[]]): Encryption {
  // Kept in this closure, so that printing a store or a strategy shows no key.
  const keys = secrets.map((secret) => new Uint8Array(hkdfSync('sha256', secret, '', PURPOSE, 32)));
  const [first] = keys as [Uint8Array];

  return {
    encrypt(text, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, first, iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(text), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64url');
    },

    decrypt(encrypted, context) {
      const bytes = Buffer.from(encrypted, 'base64url');
      // Decoding ignores the unused bits of the last character: without this check, several texts would be accepted for the same login.
      if (bytes.toString('base64url') !== encrypted || bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
      const iv = bytes.subarray(0, IV_BYTES);
      const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
      const ciphertext = bytes.subarray(IV_BYTES + TAG_BYTES);
      for (const key of keys) {
        const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
        try {
          return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString();
        } catch {
          // Altered, or encrypted with another secret.
        }
      }
      return undefined;
    },
  };
}
