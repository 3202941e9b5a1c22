/** Characters that `encodeURIComponent` leaves as they are, although RFC 3986 reserves them. */
const RESERVED = /[!'()*]/g;
const escapeCharacter = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** Percent-encodes everything but letters, digits and `-._~` (RFC 3986 section 2.3, RFC 5849 section 3.6). */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(RESERVED, escapeCharacter);
}

/** Writes names and values as a query or a form body. A space becomes `%20`, which every network decodes. */
export function encodePairs(pairs: Iterable<readonly [string, string]>): string {
  let text = '';
  for (const [name, value] of pairs) {
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

/** Sets query parameters of a URL. Its other parameters are kept, its fragment is dropped. */
export function withQuery(url: string, parameters: Readonly<Record<string, string>>): string {
  const [bare = ''] = url.split('#', 1);
  const [path = ''] = bare.split('?', 1);
  const own = bare === path ? [] : [...new URLSearchParams(bare.slice(path.length))];
  const kept = own.filter(([name]) => !Object.hasOwn(parameters, name));
  const query = encodePairs([...kept, ...Object.entries(parameters)]);
  return query === '' ? path : `${path}?${query}`;
}

/** Like {@link withQuery}, but parameters that the URL already has take precedence. */
export function withDefaultQuery(url: string, defaults: Readonly<Record<string, string>>): string {
  const own = new URL(url).searchParams;
  return withQuery(url, Object.fromEntries(Object.entries(defaults).filter(([name]) => !own.has(name))));
}
