import crypto = require('node:crypto');

/** The cryptographic source of randomness, watched. */
export interface CountedRandomness {
  /** What it gave since, in pieces of 32 bytes as base64url, in order. */
  made(): string[];
  /** Lets go of it. */
  release(): void;
}

/** Watches the source; secrets of before may still be handed out of bytes that it gave earlier. */
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
