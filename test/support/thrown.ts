import { expect } from 'chai';

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

/** The message of the TypeError that a function throws. */
export const mistakeBy = (code: () => unknown): string => messageOf(thrownBy(code));

/** The message of the TypeError that a promise rejects with. */
export const mistakeOf = async (promise: Promise<unknown>): Promise<string> =>
  messageOf(await rejectionOf(promise));

function messageOf(mistake: unknown): string {
  expect(mistake).to.be.instanceOf(TypeError);
  return (mistake as TypeError).message;
}
