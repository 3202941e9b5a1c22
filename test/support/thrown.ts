/** The reason that a promise rejects with. @throws Error if it does not reject. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`expected a rejection, but the promise resolved with ${JSON.stringify(value)}`);
}

/** The value that a function throws. @throws Error if it does not throw. */
export function thrownBy(code: () => unknown): unknown {
  try {
    code();
  } catch (error) {
    return error;
  }
  throw new Error('expected an exception, but there was none');
}
