/** Stands for what a hook makes, so that the body of a `describe` can hand it on before. */
export function standIn<T extends object>(made: () => T): T {
  const get = (_target: T, name: string | symbol): unknown => {
    const value: unknown = Reflect.get(made(), name);
    return typeof value === 'function' ? value.bind(made()) : value;
  };
  return new Proxy({} as T, { get });
}
