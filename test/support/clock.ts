import crypto = require('node:crypto');

/** A clock that tests control. */
export interface FakeClock {
  /** Stops the clock. @returns Milliseconds since the epoch. */
  stop(): number;
  advance(milliseconds: number): void;
}

/** Replaces `Date.now` with a fake clock, and restores it after each test of this `describe`. */
export function fakeClock(): FakeClock {
  const real = Date.now;
  let running = real;
  let ahead = 0;
  afterEach(() => {
    Date.now = real;
    running = real;
    ahead = 0;
  });
  return {
    stop() {
      const moment = Date.now();
      running = () => moment;
      ahead = 0;
      Date.now = () => running() + ahead;
      return moment;
    },
    advance(milliseconds) {
      ahead += milliseconds;
      Date.now = () => running() + ahead;
    },
  };
}

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
