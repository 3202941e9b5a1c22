import { inspect } from 'node:util';

/** Members that inspectors and serializers must not show. */
export function hideMembers(target: object, names: readonly string[]): void {
  for (const name of names) {
    const value = (target as Record<string, unknown>)[name];
    if (value === undefined) continue;
    let current: unknown = value;
    // A getter: `util.inspect` prints it as [Getter] even when it is told to show hidden members.
    Object.defineProperty(target, name, {
      configurable: true,
      enumerable: false,
      get: () => current,
      set: (next: unknown) => {
        current = next;
      },
    });
  }
}

/** Makes `console.log(target)`, `util.inspect` and `JSON.stringify` show these facts and nothing else. */
export function showOnly(
  target: object,
  title: string,
  facts: () => Readonly<Record<string, unknown>>,
): void {
  Object.defineProperties(target, {
    [inspect.custom]: { enumerable: false, value: () => `${title} ${inspect(facts())}` },
    toJSON: { enumerable: false, configurable: true, value: facts },
  });
}
