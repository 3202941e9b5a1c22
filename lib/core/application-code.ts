const { setTimeout, clearTimeout, setImmediate } = globalThis;
const { hrtime } = process;

/**
 * Node's timers, taken when the module loads: a test that replaces the global ones with fake ones must neither hang a login nor stop its
 * deadline. `Date` stays the test's own, because the expiry of a login follows it.
 */
export const clock = {
  setTimeout,
  clearTimeout,
  setImmediate,
  /** Milliseconds of a clock that nobody sets. */
  now: () => Number(hrtime.bigint()) / 1e6,
  delay: (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
};

/** Time limit of application code (verify, a store, an overridden method), in milliseconds. */
const DEADLINE = 60_000;

export type Callback<T> = (error?: unknown, value?: T) => void;

/** Waits for what application code has returned. @throws Its rejection; a `TypeError` after 60 seconds. */
export function withDeadline<T>(what: string, returned: T | PromiseLike<T>): T | Promise<T> {
  if (!isThenable(returned)) return returned;
  return firstOutcome<T>(what, `${what} did not answer`, returned, (resolve, reject) => {
    returned.then(resolve as (value: unknown) => void, reject);
  });
}

/**
 * Runs application code that calls back once, twice or never, throws, or returns a promise that rejects.
 *
 * @param code - The object for which a second outcome is reported once.
 * @throws Whatever the code threw, rejected with or passed as an error; a `TypeError` after 60 seconds.
 */
export function fromCallback<T>(
  what: string,
  start: (callback: Callback<T>) => unknown,
  code: object = start,
): Promise<T | undefined> {
  return firstOutcome<T | undefined>(what, `${what} did not call back`, code, (resolve, reject) => {
    const returned = start((error, value) => (error ? reject(error) : resolve(value)));
    // A resolved promise means nothing: an async function that calls back later resolves early.
    // Not its own `then`: that of Fastify's reply demands both functions.
    if (isThenable(returned)) Promise.resolve(returned).catch(reject);
  });
}

/** A promise with the deadline of application code. The first outcome stands, the second is a warning. @param overdue - How the deadline's error begins. */
export function firstOutcome<T>(
  what: string,
  overdue: string,
  code: object,
  start: (resolve: (value: T) => void, reject: (error: unknown) => void) => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let outcomes = 0;
    let timer: NodeJS.Timeout | undefined;
    const isFirst = () => {
      outcomes += 1;
      clock.clearTimeout(timer);
      if (outcomes === 2) warnOnce(code, `${what} gave a second outcome; the first one stands.`);
      return outcomes === 1;
    };
    const rejectFirst = (error: unknown) => isFirst() && reject(error);
    try {
      start((value) => isFirst() && resolve(value), rejectFirst);
    } catch (error) {
      rejectFirst(error);
    }
    // Code that has answered at once needs no timer.
    if (outcomes > 0) return;
    timer = clock.setTimeout(
      () => rejectFirst(new TypeError(`${overdue} within ${DEADLINE / 1_000} seconds.`)),
      DEADLINE,
    );
  });
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** Calls back with the value or the rejection of a promise. A callback that throws is called once more with its error, which would end the process. */
export function toCallback<T>(promise: Promise<T>, callback: Callback<T>): void {
  const call: Callback<T> = (...outcome) => {
    try {
      const returned: unknown = callback(...outcome);
      if (isThenable(returned))
        Promise.resolve(returned).catch((thrown: unknown) => warnOfThrown('A callback', thrown));
    } catch (thrown) {
      if (outcome[0]) warnOfThrown('A callback', thrown);
      else call(thrown);
    }
  };
  promise.then((value) => call(null, value), call);
}

const warned = new WeakMap<object, Set<string>>();

/** An application can make up names of options without end. */
const MOST_WARNINGS = 100;

/** Warns once of a mistake, which would otherwise fill the log. @param mistake - What tells it apart from others of the same object. */
export function warnOnce(about: object, warning: string, mistake = warning): void {
  const known = warned.get(about) ?? new Set();
  warned.set(about, known);
  if (known.has(mistake) || known.size === MOST_WARNINGS) return;
  known.add(mistake);
  process.emitWarning(warning);
}

/** Warns of an exception that nobody can handle. Never quotes its message, which may hold a secret. */
export function warnOfThrown(what: string, thrown: unknown): void {
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  process.emitWarning(`${what} of the application threw (${name}) while it handled a login.`);
}

/** @throws TypeError for a promise in place of a value: nobody would await it, and its rejection would end the process. */
export function requireAtOnce<T>(what: string, value: T): T {
  if (!isThenable(value)) return value;
  Promise.resolve(value).catch(() => undefined);
  throw new TypeError(`${what} must return its value at once, and returned a promise. Is it async?`);
}

/** An application's parameters as strings; only strings, numbers and booleans are kept. @throws TypeError for a promise. */
export function stringParameters(parameters: object): Record<string, string> {
  requireAtOnce('A method that adds parameters', parameters);
  const strings: Record<string, string> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (['string', 'number', 'boolean'].includes(typeof value)) strings[name] = String(value);
  }
  return strings;
}

/** A value as JSON; `undefined` if JSON would bring it back as something else, such as a date, `NaN`, a function or a cycle. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, function keep(this: Readonly<Record<string, unknown>>, name, part: unknown) {
      // A property that is undefined may be left out; in an array it would become null.
      const isKept = part === undefined ? !Array.isArray(this) : part === this[name] && isPlain(part);
      if (!isKept) throw new TypeError('not JSON');
      return part;
    });
  } catch {
    return undefined;
  }
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || value === null)
    return typeof value !== 'function' && typeof value !== 'symbol';
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Array.isArray(value);
}
