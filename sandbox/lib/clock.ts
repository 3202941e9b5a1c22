/**
 * The sandbox's clock: the machine's time plus the time that tests have skipped.
 *
 * Codes, tokens and OAuth 1.0a timestamps are checked against it, so a test can let a code expire without waiting.
 */
export class Clock {
  private skipped = 0;

  /** @returns Milliseconds since 1970, UTC. */
  now(): number {
    return Date.now() + this.skipped;
  }

  /**
   * Moves the clock forward.
   *
   * @param milliseconds - Zero or more.
   * @throws RangeError when it is negative, not a number, or leads to a date that `Date` cannot represent.
   */
  advance(milliseconds: number): void {
    if (!(milliseconds >= 0) || Number.isNaN(new Date(this.now() + milliseconds).getTime())) {
      throw new RangeError('sandbox.advance takes zero or more milliseconds: the clock only moves forward');
    }
    this.skipped += milliseconds;
  }
}
