/**
 * The sandbox's own time: the machine's, moved forward by as much as a test asked for.
 *
 * Codes, tokens and OAuth 1.0a timestamps are judged by it, so a test expires a code without waiting.
 */
export class Clock {
  private ahead = 0;

  /** @returns Milliseconds since 1970, UTC. */
  now(): number {
    return Date.now() + this.ahead;
  }

  /**
   * Moves the clock forward.
   *
   * @param milliseconds - How far; zero or more.
   * @throws RangeError when it is negative, not a number or leads beyond the dates that JavaScript knows.
   */
  advance(milliseconds: number): void {
    if (!(milliseconds >= 0) || Number.isNaN(new Date(this.now() + milliseconds).getTime())) {
      throw new RangeError(
        "The sandbox's clock moves forward only: advance() takes milliseconds, zero or more",
      );
    }
    this.ahead += milliseconds;
  }
}
