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

/** The secrets that a text shows in some spelling, at least their beginning. */
export function exposed(text: string, secrets: Iterable<string>): string[] {
  return [...secrets].flatMap((secret) =>
    Object.entries(SPELLINGS)
      .filter(([, spell]) => text.includes(spell(secret).slice(0, RECOGNIZABLE)))
      .map(([spelling]) => `${secret} (${spelling})`),
  );
}

/** Every text among the own members of a value: hidden ones, those of `cause`, and of what they hold. */
function membersOf(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value === 'string') return [value];
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return [];
  seen.add(value);
  return Reflect.ownKeys(value).flatMap((key) => {
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    // A getter is no member that a tool would print: strategies keep their secrets behind some.
    return descriptor && 'value' in descriptor ? [String(key), ...membersOf(descriptor.value, seen)] : [];
  });
}
