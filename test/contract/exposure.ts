import { inspect } from 'node:util';
import { SPELLINGS } from './echoes.js';

/** The number of characters that identify a secret, even in a truncated string. */
const RECOGNIZABLE = 16;

/** Everything that printing, serializing or traversing a value shows. */
export function shownBy(value: unknown): string {
  return [
    inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: false }),
    inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
    JSON.stringify(value),
    String(value),
    ...stringsIn(value),
  ].join('\n');
}

/** The names of the secrets whose first characters are in a string, in any spelling. */
export function exposed(shown: string, secrets: ReadonlyMap<string, string>): string[] {
  return [...secrets].flatMap(([secret, name]) => {
    const spelling = Object.entries(SPELLINGS).find(([, spell]) =>
      shown.includes(spell(secret).slice(0, RECOGNIZABLE)),
    );
    return spelling ? [`${name}, ${spelling[0]}`] : [];
  });
}

/** Every string in a value's own properties, recursively, including non-enumerable ones such as `cause`. */
function stringsIn(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value === 'string') return [value];
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value))
    return [];
  seen.add(value);
  return Reflect.ownKeys(value).flatMap((key) => {
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    // Skip getters: tools do not print their values, and strategies keep secrets behind them.
    return descriptor && 'value' in descriptor ? [String(key), ...stringsIn(descriptor.value, seen)] : [];
  });
}
