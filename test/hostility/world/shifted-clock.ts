/** Runs something with a clock that can be put forward; afterwards it is the machine's own again. */
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
