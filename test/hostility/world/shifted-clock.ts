/** Runs a function with a clock that it can advance, then restores the real clock. */
export async function withShiftedClock(
  run: (advance: (milliseconds: number) => void) => Promise<void>,
): Promise<void> {
  const real = Date.now;
  let ahead = 0;
  Date.now = () => real() + ahead;
  try {
    await run((milliseconds) => {
      ahead += milliseconds;
    });
  } finally {
    Date.now = real;
  }
}
