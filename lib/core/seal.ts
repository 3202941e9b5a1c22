import { hkdfSync } from 'node:crypto';

const HEADER = { alg: 'dir', enc: 'A256GCM' };
const PROTECTED = Buffer.from(JSON.stringify(HEADER)).toString('base64url');
const PURPOSE = 'passport-social-networks pending login';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Shortest secret in characters. */
export const SHORTEST_SECRET = 32;

/** Encrypts and authenticates texts, each for one place: moved to another place it does not open. */
export interface Seal {
  /** @returns Letters, digits, `-` and `_`. */
  close(text: string, place: string): Promise<string>;
  /** @returns `undefined` when it was altered, or closed for another place or with none of the secrets. */
  open(sealed: string, place: string): Promise<string | undefined>;
}

/**
 * A seal of AES-256-GCM. What is written is a JWE without the parts that both sides know: initialization vector, tag and
 * ciphertext in one, so that twenty of them fit into a request's headers.
 *
 * @param secrets - The first closes, all open.
 * @see RFC 7516 section 7.2.2, RFC 5869
 */
export function sealOf(secrets: readonly [string, ...string[]]): Seal {
  // Only in this closure: whoever prints a store, or a strategy with one, sees no key.
  const keys = secrets.map((secret) => new Uint8Array(hkdfSync('sha256', secret, '', PURPOSE, 32)));
  const [first] = keys as [Uint8Array];

  return {
    async close(text, place) {
      const { FlattenedEncrypt } = await import('jose');
      const {
        iv = '',
        tag = '',
        ciphertext,
      } = await new FlattenedEncrypt(Buffer.from(text))
        .setProtectedHeader(HEADER)
        .setAdditionalAuthenticatedData(Buffer.from(place))
        .encrypt(first);
      const parts = [iv, tag, ciphertext].map((part) => Buffer.from(part, 'base64url'));
      return Buffer.concat(parts).toString('base64url');
    },

    async open(sealed, place) {
      const bytes = Buffer.from(sealed, 'base64url');
      // The last letter has bits that no byte uses: without this, two texts would be one.
      if (bytes.toString('base64url') !== sealed || bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
      const { flattenedDecrypt, errors } = await import('jose');
      const parts = {
        protected: PROTECTED,
        aad: Buffer.from(place).toString('base64url'),
        iv: bytes.toString('base64url', 0, IV_BYTES),
        tag: bytes.toString('base64url', IV_BYTES, IV_BYTES + TAG_BYTES),
        ciphertext: bytes.toString('base64url', IV_BYTES + TAG_BYTES),
      };
      for (const key of keys) {
        try {
          const { plaintext } = await flattenedDecrypt(parts, key);
          return Buffer.from(plaintext).toString();
        } catch (error) {
          if (!(error instanceof errors.JOSEError)) throw error;
        }
      }
      return undefined;
    },
  };
}
