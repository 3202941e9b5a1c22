import { inspect } from 'node:util';
import { SPELLINGS } from './echoes.js';

/** Enough of a secret to recognize it, also where a text was cut. */
const RECOGNIZABLE = 16;

/** Everything that printing, serializing and walking through a value shows. */
export function shownBy(value: unknown): string {
  return [
    inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: false }),
    inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
    JSON.stringify(value),
    String(value),
    ...membersOf(value),
  ].join('\n');
}

/** The names of the secrets that a text shows, at least their beginnings, in whichever spelling. */
export function exposed(text: string, secrets: ReadonlyMap<string, string>): string[] {
  return [...secrets].flatMap(([secret, name]) => {
    const spelling = Object.entries(SPELLINGS).find(([, spell]) =>
      text.includes(spell(secret).slice(0, RECOGNIZABLE)),
    );
    return spelling ? [`${name}, ${spelling[0]}`] : [];
  });
}

/** Every text among the own members of a value: hidden ones, those of `cause`, and of what they hold. */
function membersOf(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value === 'string') return [value];
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value))
    return [];
  seen.add(value);
  return Reflect.ownKeys(value).flatMap((key) => {
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    // A getter is no member that a tool would print: strategies keep their secrets behind some.
    return descriptor && 'value' in descriptor ? [String(key), ...membersOf(descriptor.value, seen)] : [];
  });
}
