import { inspect } from 'node:util';

/** Hides properties from inspectors and serializers. They stay readable and writable. */
export function hideProperties(target: object, names: readonly string[]): void {
  for (const name of names) {
    if (!Object.hasOwn(target, name)) continue;
    let current: unknown = (target as Record<string, unknown>)[name];
    // `util.inspect` with `showHidden` prints a getter as [Getter], but prints the value of a non-enumerable property.
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
export function inspectAs(
  target: object,
  title: string,
  facts: () => Readonly<Record<string, unknown>>,
): void {
  Object.defineProperties(target, {
    [inspect.custom]: { enumerable: false, value: () => `${title} ${inspect(facts())}` },
    toJSON: { enumerable: false, configurable: true, value: facts },
  });
}
