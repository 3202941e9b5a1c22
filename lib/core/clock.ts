const { setTimeout, clearTimeout, setImmediate } = globalThis;

/**
 * Node's timers, taken when the module loads: a test that replaces the global ones with fake ones must neither hang a login nor stop its
 * deadline. `Date` stays the test's own, because the expiry of a login follows it.
 */
export const clock = {
  setTimeout,
  clearTimeout,
  setImmediate,
  /** Milliseconds of a clock that nobody sets. */
  now: performance.now.bind(performance),
  delay: (milliseconds: number) =>
    new Promise<void>((resolve) => {
      clock.setTimeout(resolve, milliseconds);
    }),
};
