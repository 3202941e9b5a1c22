/** A JSON object as parsed: nothing is known about its properties. */
export type JSONObject = { readonly [name: string]: unknown };

/** Parses JSON; `undefined` if the text is not JSON. */
export function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Levels of a response. A record has a few. With thousands, code that walks them, such as a session store's, overflows its stack. */
const MOST_LEVELS = 64;

/** Whether a parsed response is nested deeper than any record. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= MOST_LEVELS; depth += 1) {
    const next: unknown[] = [];
    for (const parent of level) {
      if (typeof parent !== 'object' || parent === null) continue;
      if (depth === MOST_LEVELS) return true;
      for (const child of Object.values(parent) as unknown[]) next.push(child);
    }
    level = next;
  }
  return false;
}

export function isObject(value: unknown): value is JSONObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads an own property: `__proto__` or `constructor` in a response is never looked up on the prototype. */
export function property(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as JSONObject)[name] : undefined;
}

/** Reads an own property that is a non-empty string. */
export function stringProperty(value: unknown, name: string): string | undefined {
  const found = property(value, name);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** An error code or ID as a string: some networks send numbers. */
export function errorCode(code: unknown): string | undefined {
  return typeof code === 'number' || (typeof code === 'string' && code !== '') ? String(code) : undefined;
}

/** Whether the value of a response's `error` property reports an error, in any form. */
export function isError(error: unknown): boolean {
  return error !== undefined && error !== null && error !== '' && error !== false;
}

const JSON_STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A number that parsing can round: sixteen digits or more, a fraction or an exponent. A match inside a string does no harm. */
const ROUNDED_NUMBER = /[:,[]\s*-?(?:\d{16}|\d+[.eE])/;

/** Long integers become strings. Numbers with a fraction or an exponent, which are rounded too and never IDs, become `null`. */
function exactToken(token: string): string {
  if (token.startsWith('"') || /^-?\d{1,15}$/.test(token)) return token;
  return /^-?\d+$/.test(token) ? `"${token}"` : 'null';
}

/**
 * Reads an ID that the network sends as a number, digit by digit: JavaScript rounds integers beyond 2^53, and a rounded ID is
 * another user's.
 *
 * @param pick - Finds the ID in a parsed response.
 * @returns The digits; an ID that is a string is returned unchanged; `undefined` for anything else.
 */
export function exactIdentifier(
  { text, body }: { readonly text: string; readonly body: unknown },
  pick: (parsed: unknown) => unknown,
): string | undefined {
  // The text stays JSON, because only strings and numbers have quotes or digits.
  const exact = ROUNDED_NUMBER.test(text) ? parseJSON(text.replace(JSON_STRING_OR_NUMBER, exactToken)) : body;
  return errorCode(pick(exact));
}
