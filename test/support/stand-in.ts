import type { Closeable } from './cleanup.js';

/** What the tests of this `describe` share: it is opened before them, and closed after them. */
export function opened<T extends Closeable>(open: () => T | Promise<T>): T {
  let shared: T | undefined;
  before(async () => {
    shared = await open();
  });
  after(() => shared?.close());
  return standIn(() => shared as T);
}

/** Stands for what a hook makes, so that the body of a `describe` can hand it on before. */
export function standIn<T extends object>(made: () => T): T {
  const get = (_target: T, name: string | symbol): unknown => {
    const value: unknown = Reflect.get(made(), name);
    return typeof value === 'function' ? value.bind(made()) : value;
  };
  return new Proxy({} as T, { get });
}
