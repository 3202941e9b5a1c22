import { Deadlines } from './deadlines.js';

/** How long code of the application (verify, a store, an overridden method) may take, in milliseconds. */
const APP_DEADLINE = 60_000;
const deadlines = new Deadlines(APP_DEADLINE);

/** Node's callback: an error, or nothing and a value. */
export type Done<T> = (error?: unknown, value?: T) => void;

/**
 * Runs code of the application that answers through a callback, and makes one promise of all that it can do: call back
 * once, twice or never, throw, or return a promise that rejects.
 *
 * @param what - The code's name, for messages.
 * @throws Whatever the code threw, rejected with or passed as error; a `TypeError` when it never calls back.
 */
export function calledBack<T>(what: string, start: (done: Done<T>) => unknown): Promise<T | undefined> {
  return settled(what, `${what} did not call back`, (resolve, reject) => {
    const returned = start((error, value) => (error ? reject(error) : resolve(value)));
    // A promise that resolves says nothing: an async function that calls back later resolves early.
    if (isThenable(returned)) returned.then(undefined, reject);
  });
}

/** Runs code of the application that may be asynchronous, within the application's deadline. */
export function inTime<T>(what: string, start: () => T | PromiseLike<T>): Promise<T> {
  return settled(what, `${what} did not answer`, (resolve, reject) => {
    const returned = start();
    if (isThenable(returned)) (returned as PromiseLike<T>).then(resolve, reject);
    else resolve(returned as T);
  });
}

/**
 * Like a promise's constructor, with the application's deadline, and a warning (once for each use) when a second
 * outcome differs from the first.
 */
export function settled<T>(
  what: string,
  overdue: string,
  start: (resolve: (value: T) => void, reject: (error: unknown) => void) => void,
): Promise<T> {
  return new Promise<T>((resolvePromise, rejectPromise) => {
    let done = false;
    let warned = false;
    const deadline = deadlines.begin(() =>
      reject(new TypeError(`${overdue} within ${APP_DEADLINE / 1_000} seconds.`)),
    );
    const isFirst = () => {
      if (done) {
        if (!warned) process.emitWarning(`${what} gave a second outcome; the first one stands.`);
        warned = true;
        return false;
      }
      done = true;
      deadlines.end(deadline);
      return true;
    };
    const resolve = (value: T) => {
      if (isFirst()) resolvePromise(value);
    };
    const reject = (error: unknown) => {
      if (isFirst()) rejectPromise(error);
    };
    try {
      start(resolve, reject);
    } catch (error) {
      reject(error);
    }
  });
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** Warns of what code of the application threw where nobody is left to tell; never of its words, which may hold a secret. */
export function warnOfThrown(what: string, thrown: unknown): void {
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  process.emitWarning(`${what} of the application threw (${name}) while it handled a login.`);
}
