import { inspect } from 'node:util';

/** Everything that printing, serializing and traversing a value shows, including hidden properties and causes. */
export function shownBy(value: unknown): string {
  if (value === undefined) return '';
  return [
    inspect(value, { depth: 6, showHidden: true, maxStringLength: 100_000 }),
    safeJSON(value),
    ...propertiesOf(value, new Set()),
  ].join('\n');
}

function safeJSON(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function propertiesOf(value: unknown, seen: Set<unknown>): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  return Reflect.ownKeys(value).flatMap((key) => {
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    return descriptor && 'value' in descriptor ? [String(key), ...propertiesOf(descriptor.value, seen)] : [];
  });
}
