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
