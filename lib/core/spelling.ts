/** The known name that a misspelt word most resembles, in any letter case; `undefined` if so many letters differ that it would be a guess. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const mostEdits = Math.min(3, Math.max(1, Math.floor(word.length / 4)));
  for (let edits = 0; edits <= mostEdits; edits += 1) {
    const meant = known.find((name) => isNear(lower, name.toLowerCase(), edits));
    if (meant !== undefined) return meant;
  }
  return undefined;
}

/** Whether the words differ in at most so many letters that were added, left out or replaced. */
function isNear(one: string, other: string, edits: number): boolean {
  if (one === '' || other === '') return one.length + other.length <= edits;
  const [rest, otherRest] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return isNear(rest, otherRest, edits);
  if (edits === 0) return false;
  return [
    [rest, otherRest],
    [rest, other],
    [one, otherRest],
  ].some(([a = '', b = '']) => isNear(a, b, edits - 1));
}

/** What `String()` makes of a missing value, also inside a URL. */
const MISSING = /^(?:undefined|null|NaN|(?:\[|%5B)object(?: |\+|%20)Object(?:\]|%5D))$/;
const QUOTATION_MARK = '["\'`\u2018\u2019\u201c\u201d\u00ab\u00bb]';
const QUOTED = new RegExp(`^${QUOTATION_MARK}|${QUOTATION_MARK}$`);

/** What is wrong with a value that was made of a missing one, or copied with its quotation marks. @returns The end of a sentence. */
export function missingIn(value: string): string | undefined {
  const part = value.trim();
  if (QUOTED.test(part)) return 'stands in quotation marks: remove them';
  return MISSING.test(part) ? `has "${part}" where a value is missing` : undefined;
}

/** White space and control characters. Parsing a URL drops some of them. */
export const BLANK = /[\s\p{Cc}]/u;

/** The same of a URL or a path, and what it has lost on the way. */
export function problemInURL(url: string): string | undefined {
  const parts = [url, ...url.split(/[/\\.:?#&=]/)].map((part) => missingIn(part.replaceAll('%20', ' ')));
  const missing = parts.find((found) => found !== undefined);
  if (missing !== undefined) return missing;
  // Parsing takes the first segment of the path for a host that is not there.
  if (/^https?:(?!\/\/[^/\\])/i.test(url)) return 'must be an absolute URL such as https://example.com/path';
  // A URL inside a path has two slashes after its colon.
  const path = url.replace(/^(?:[a-z]+:)?\/\/|[?#].*$/gi, '');
  return /(?<!:)\/(?:%20)*\/|\/(?:%20)+$/.test(path)
    ? 'has an empty part where a value is missing'
    : undefined;
}
