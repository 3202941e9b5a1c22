/** A JSON object as parsed: nothing is known about its properties. */
export type JSONObject = { readonly [name: string]: unknown };

/** `undefined` if the text is not JSON. */
export function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Levels of a response. A record has a few. With thousands, code that walks them, such as a session store's, overflows its stack. */
const MOST_LEVELS = 64;

export function isTooDeep(value: unknown, level = 1): boolean {
  for (const child of Object.values((typeof value === 'object' && value) || {}) as unknown[]) {
    if (typeof child !== 'object' || child === null) continue;
    if (level === MOST_LEVELS || isTooDeep(child, level + 1)) return true;
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

/** Reads an ID that the network sends as a number, digit by digit: JavaScript rounds integers beyond 2^53, and a rounded ID is another user's. */
export function exactIdentifier(
  { text, body }: { readonly text: string; readonly body: unknown },
  pick: (parsed: unknown) => unknown,
): string | undefined {
  // The text stays JSON, because only strings and numbers have quotes or digits.
  const exact = ROUNDED_NUMBER.test(text) ? parseJSON(text.replace(JSON_STRING_OR_NUMBER, exactToken)) : body;
  return errorCode(pick(exact));
}

/** Characters that `encodeURIComponent` leaves as they are, although RFC 3986 reserves them. */
const RESERVED = /[!'()*]/g;
const escapeCharacter = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** Percent-encodes everything but letters, digits and `-._~` (RFC 3986 section 2.3, RFC 5849 section 3.6). */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(RESERVED, escapeCharacter);
}

/** Writes names and values as a query or a form body, without those that are `undefined`. A space becomes `%20`, which every network decodes. */
export function encodePairs(pairs: Iterable<readonly [string, string | undefined]>): string {
  let text = '';
  for (const [name, value] of pairs) {
    if (value === undefined) continue;
    const separator = text === '' ? '' : '&';
    text += `${separator}${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(String(value).toWellFormed())}`;
  }
  return text.replace(RESERVED, escapeCharacter);
}

/** Reads a form body (`a=1&b=2`); `undefined` if it is empty or a name comes twice. */
export function formDecode(text: string): Record<string, string> | undefined {
  const pairs = [...new URLSearchParams(text)];
  const form = Object.fromEntries(pairs);
  return pairs.length > 0 && Object.keys(form).length === pairs.length ? form : undefined;
}

/** Sets query parameters of a URL, except those that are `undefined`. Its other parameters are kept, its fragment is dropped. */
export function withQuery(url: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const [bare = ''] = url.split('#', 1);
  const [path = ''] = bare.split('?', 1);
  const own = bare === path ? [] : [...new URLSearchParams(bare.slice(path.length))];
  const kept = own.filter(([name]) => !Object.hasOwn(parameters, name) || parameters[name] === undefined);
  const query = encodePairs([...kept, ...Object.entries(parameters)]);
  return query === '' ? path : `${path}?${query}`;
}

/** Like {@link withQuery}, but parameters that the URL already has take precedence. */
export function withDefaultQuery(url: string, defaults: Readonly<Record<string, string>>): string {
  const own = new URL(url).searchParams;
  return withQuery(url, Object.fromEntries(Object.entries(defaults).filter(([name]) => !own.has(name))));
}
