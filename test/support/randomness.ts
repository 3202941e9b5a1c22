import crypto = require('node:crypto');

/** The cryptographic source of randomness, watched. */
export interface CountedRandomness {
  /** The bytes that it returned since, as base64url, in order. */
  made(): string[];
  /** Stops watching. */
  release(): void;
}

/** Watches `crypto.randomBytes`, as far as it is called for 32 bytes. */
export function countedRandomness(): CountedRandomness {
  const { randomBytes } = crypto;
  const made: string[] = [];
  const watched = (size: number, done?: (error: Error | null, bytes: Buffer) => void) => {
    if (done) return randomBytes(size, done);
    const bytes = randomBytes(size);
    if (size === 32) made.push(bytes.toString('base64url'));
    return bytes;
  };
  Object.assign(crypto, { randomBytes: watched });
  return {
    made: () => [...made],
    release: () => void Object.assign(crypto, { randomBytes }),
  };
}
