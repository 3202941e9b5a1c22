import crypto = require('node:crypto');

/** Records what the cryptographic random source returns. */
export interface CountedRandomness {
  /** The bytes returned so far, as base64url strings of 32 bytes each, in order. */
  made(): string[];
  /** Restores the source. */
  release(): void;
}

/** Starts recording; the library may still use random bytes that it fetched earlier. */
export function countedRandomness(): CountedRandomness {
  const { randomFillSync } = crypto;
  const pieces: string[] = [];
  Object.assign(crypto, {
    randomFillSync(buffer: Buffer) {
      randomFillSync(buffer);
      for (let start = 0; start < buffer.length; start += 32) {
        pieces.push(buffer.toString('base64url', start, start + 32));
      }
      return buffer;
    },
  });
  return {
    made: () => [...pieces],
    release: () => void Object.assign(crypto, { randomFillSync }),
  };
}
