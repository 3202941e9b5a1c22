/** A clock of which tests move the hands; back to the real one after each test of this `describe`. */
export function fakeClock(): { advance(milliseconds: number): void } {
  const real = Date.now;
  let ahead = 0;
  afterEach(() => {
    Date.now = real;
    ahead = 0;
  });
  return {
    advance(milliseconds) {
      ahead += milliseconds;
      Date.now = () => real() + ahead;
    },
  };
}
