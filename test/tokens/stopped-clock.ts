/** A clock that tests can stop; it runs again after each test of this `describe`. */
export function stoppedClock(): { stopAt(milliseconds: number): void } {
  const { now } = Date;
  afterEach(() => {
    Date.now = now;
  });
  return {
    stopAt(milliseconds) {
      Date.now = () => milliseconds;
    },
  };
}
