import { Deadlines, type Wait } from './deadlines.js';

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
  return settled<T | undefined>(what, `${what} did not call back`, (promise) => {
    const returned = start((error, value) => (error ? promise.reject(error) : promise.resolve(value)));
    // A promise that resolves says nothing: an async function that calls back later resolves early.
    if (isThenable(returned)) returned.then(undefined, (error: unknown) => promise.reject(error));
  });
}

/** Runs code of the application that may be asynchronous, within the application's deadline. */
export function inTime<T>(what: string, start: () => T | PromiseLike<T>): Promise<T> {
  return settled<T>(what, `${what} did not answer`, (promise) => {
    const returned = start();
    if (!isThenable(returned)) return promise.resolve(returned as T);
    (returned as PromiseLike<T>).then(
      (value) => promise.resolve(value),
      (error: unknown) => promise.reject(error),
    );
  });
}

/**
 * Like a promise's constructor, with the application's deadline, and a warning (once for each use) when a second
 * outcome differs from the first.
 */
export function settled<T>(what: string, overdue: string, start: (promise: Settling<T>) => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const promise = new Settling(what, overdue, resolve, reject);
    try {
      start(promise);
    } catch (error) {
      promise.reject(error);
    }
  });
}

/** A promise under way; its first outcome stands. */
class Settling<T> {
  private readonly what: string;
  private readonly settle: { resolve: (value: T) => void; reject: (error: unknown) => void };
  private readonly deadline: Wait;
  private isDone = false;
  private hasWarned = false;

  constructor(what: string, overdue: string, resolve: (value: T) => void, reject: (error: unknown) => void) {
    this.what = what;
    this.settle = { resolve, reject };
    this.deadline = deadlines.begin(() =>
      this.reject(new TypeError(`${overdue} within ${APP_DEADLINE / 1_000} seconds.`)),
    );
  }

  resolve(value: T): void {
    if (this.isFirst()) this.settle.resolve(value);
  }

  reject(error: unknown): void {
    if (this.isFirst()) this.settle.reject(error);
  }

  private isFirst(): boolean {
    if (this.isDone) {
      if (!this.hasWarned) process.emitWarning(`${this.what} gave a second outcome; the first one stands.`);
      this.hasWarned = true;
      return false;
    }
    this.isDone = true;
    deadlines.end(this.deadline);
    return true;
  }
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** Warns of what code of the application threw where nobody is left to tell; never of its words, which may hold a secret. */
export function warnOfThrown(what: string, thrown: unknown): void {
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  process.emitWarning(`${what} of the application threw (${name}) while it handled a login.`);
}
