import { inspect } from 'node:util';

/** Names the method that shows `passport-social-networks-check` a strategy's parts. Registered, so that strategies of another copy have it, too. */
export const checked: unique symbol = Symbol.for('passport-social-networks/checked');

/** Also from `util.inspect` with `showHidden`, which prints a getter as [Getter]. */
export function hideSecrets(target: object, names: readonly string[]): void {
  for (const name of names.filter((own) => Object.hasOwn(target, own))) {
    let current: unknown = Reflect.get(target, name);
    const set = (next: unknown) => {
      current = next;
    };
    Object.defineProperty(target, name, { configurable: true, enumerable: false, get: () => current, set });
  }
}

/** Makes `console.log(target)`, `util.inspect` and `JSON.stringify` show these facts and nothing else. */
export function inspectAs(target: object, title: string, facts: () => object): void {
  Object.defineProperties(target, {
    [inspect.custom]: { enumerable: false, value: () => `${title} ${inspect(facts())}` },
    toJSON: { enumerable: false, configurable: true, value: facts },
  });
}
