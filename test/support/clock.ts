import { mock } from 'node:test';
import { clock } from '../../lib/core/application-code.js';

/** Replaces `Date.now` with a fake clock, and restores it after each test of this `describe`. */
export function fakeClock() {
  const real = Date.now;
  let running = real;
  let ahead = 0;
  afterEach(() => {
    Date.now = real;
    running = real;
    ahead = 0;
  });
  return {
    /** Stops the clock. @returns Milliseconds since the epoch. */
    stop(): number {
      const moment = Date.now();
      running = () => moment;
      ahead = 0;
      Date.now = () => running() + ahead;
      return moment;
    },
    advance(milliseconds: number): void {
      ahead += milliseconds;
      Date.now = () => running() + ahead;
    },
  };
}

/** Holds the library's timers in each test of this `describe`: a deadline passes when the test says so. */
export function heldTimers() {
  let held: (() => void)[] = [];
  beforeEach(() => {
    held = [];
    mock.method(clock, 'setTimeout', (work: () => void) => {
      held.push(work);
      return work;
    });
    mock.method(clock, 'clearTimeout', (timer: unknown) => {
      held = held.filter((work) => work !== timer);
    });
  });
  afterEach(() => mock.restoreAll());
  return {
    /** Ends the time of the oldest timers, all by default, as in a process that was busy: they run before sockets are read. */
    pass(count = held.length): void {
      for (const work of held.splice(0, count)) setTimeout(work, 1);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    },
  };
}
