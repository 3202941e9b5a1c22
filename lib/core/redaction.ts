const REPLACEMENT = '[redacted]';
/** Shorter values would blank out ordinary letters and protect nothing. */
const SHORTEST_SECRET = 4;
/** So many letters of a secret's beginning at the end of a text are no accident. */
const SHORTEST_BEGINNING = 8;
const LONGEST_TEXT = 300;
/** More of a text is not looked at: the network's own messages have one sentence. */
const LONGEST_SEARCHED = 4_000;
/** An answer with more secrets than this is no answer of a network, and searching for all of them would take seconds. */
const MOST_SECRETS = 100;

/**
 * Turns text from a network or the address line into data that may be shown: one line, no control or invisible
 * characters, no known secret in the spellings that servers echo, at most 300 characters.
 *
 * @param text - Anything; what is not text or a number becomes `undefined`.
 * @param secrets - Every secret that took part in the request.
 */
export function cleanText(text: unknown, secrets: readonly string[] = []): string | undefined {
  if (typeof text === 'number') return String(text);
  if (typeof text !== 'string' || secrets.length > 2 * MOST_SECRETS) return undefined;
  // Redaction comes after cleaning, or an invisible character would hide a secret from it.
  const line = text
    .replace(everyCharacter('Default_Ignorable_Code_Point'), '')
    .replace(/\s/g, ' ')
    .replace(everyCharacter('C'), '')
    .trim();
  const shown = redact(line.slice(0, LONGEST_SEARCHED), secrets, line.length > LONGEST_SEARCHED);
  if (shown === '') return undefined;
  return shown.length > LONGEST_TEXT ? `${shown.slice(0, LONGEST_TEXT - 1)}…` : shown;
}

/** Made when a text needs it: such an expression in the code is looked up in Unicode's tables each time the module is loaded. */
function everyCharacter(property: string): RegExp {
  return new RegExp(`\\p{${property}}`, 'gu');
}

/**
 * Replaces every secret in a text, in any letter case: as it is, percent-encoded once or twice, as in a form, in JSON or
 * HTML, as hex, and as base64 wherever it begins in the encoded bytes; and the beginning of one that the text's end cuts off.
 *
 * @param isCut - Whether the text goes on: then its end may be a part of a secret and is left out.
 */
export function redact(text: string, secrets: readonly string[], isCut = false): string {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST_SECRET);
  const spellings = [...new Set(known.flatMap(spellingsOf))];
  const longest = Math.max(0, ...spellings.map((spelling) => spelling.length));
  let shown = text;
  // The longest first: a short secret inside a long one must not leave the rest of the long one behind.
  for (const spelling of spellings.sort((a, b) => b.length - a.length)) {
    if (spelling.length > shown.length) continue;
    shown = shown.replace(new RegExp(escapePattern(spelling), 'gi'), REPLACEMENT);
  }
  // Only now: before, the new end could lie in the middle of a secret that is still whole.
  if (isCut) shown = shown.slice(0, Math.max(0, shown.length - longest));
  const begun = beginningAtEnd(shown, spellings);
  if (begun < shown.length) shown = shown.slice(0, begun) + REPLACEMENT;
  // What is spelled in some other way, or with blanks in between, is found by reading it; the place is not worth finding.
  const compact = unescaped(shown).replaceAll(' ', '').toLowerCase();
  return known.some((secret) => compact.includes(secret.replaceAll(' ', '').toLowerCase()))
    ? REPLACEMENT
    : shown;
}

/**
 * Where a secret begins that the end of the text cuts off: a network may shorten what it repeats, and an answer may break off.
 *
 * @returns The length of the text where none does.
 */
function beginningAtEnd(text: string, spellings: readonly string[]): number {
  const lowered = text.toLowerCase();
  // A letter that grows with its case would shift every position.
  const [end, lower] =
    lowered.length === text.length
      ? [lowered, (spelling: string) => spelling.toLowerCase()]
      : [text, (spelling: string) => spelling];
  const beginnings = spellings.map((spelling) => {
    const whole = lower(spelling);
    const beginning = whole.slice(0, SHORTEST_BEGINNING);
    if (beginning.length < SHORTEST_BEGINNING) return text.length;
    let at = end.indexOf(beginning, Math.max(0, text.length - whole.length));
    while (at !== -1 && !whole.startsWith(end.slice(at))) at = end.indexOf(beginning, at + 1);
    return at === -1 ? text.length : at;
  });
  return Math.min(text.length, ...beginnings);
}

/** The text behind percent, JSON and HTML escapes, of any letter and up to three deep. */
function unescaped(text: string): string {
  let plain = text;
  for (let depth = 0; depth < 3; depth += 1) {
    plain = plain
      .replace(/%([0-9a-f]{2})/gi, letter(16))
      .replace(/\\(?:u00|x)([0-9a-f]{2})/gi, letter(16))
      .replace(/&#x0*([0-9a-f]{1,6});/gi, letter(16))
      .replace(/&#0*(\d{1,7});/g, letter(10));
  }
  return plain;
}

function letter(radix: number) {
  return (written: string, digits: string) => {
    const code = Number.parseInt(digits, radix);
    return code <= 0x10ffff ? String.fromCodePoint(code) : written;
  };
}

function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const percent = encodeURIComponent(secret.toWellFormed());
  return [
    secret,
    percent,
    encodeURIComponent(percent),
    strictPercent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    secret.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
    secret.replace(/[&<>"']/g, (character) => HTML_NAMES[character] ?? character),
    bytes.toString('hex'),
    ...[0, 1, 2].flatMap((offset) => base64Core(bytes, offset)),
  ].filter((spelling) => spelling.length >= SHORTEST_SECRET);
}

const HTML_NAMES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The part of base64 that does not depend on what stands before and after the bytes, in both alphabets. */
function base64Core(bytes: Buffer, offset: number): string[] {
  const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
  const whole = shifted
    .toString('base64')
    .slice(offset === 0 ? 0 : offset + 1, Math.floor(shifted.length / 3) * 4);
  return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
}

/** Percent-encodes everything but letters, digits and `-._~` (RFC 3986 section 2.3, RFC 5849 section 3.6). */
export function strictPercent(text: string): string {
  // Most texts of a login are tokens and names, which stay as they are.
  if (/^[\w.~-]*$/.test(text)) return text;
  const percent = encodeURIComponent(text.toWellFormed());
  if (!/[!'()*]/.test(percent)) return percent;
  return percent.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

// `code` is left out: networks call their error codes so, and the login's own code is known already.
const SECRET_MEMBERS = /token(?!_type)|secret|verifier|password|cookie/i;

/**
 * Collects the texts under names that hold secrets (`access_token`, `client_secret`, ...) in a parsed answer, so that an
 * error made from that answer cannot repeat them. Looks a few levels deep: documented answers have three.
 */
export function secretsIn(value: unknown): string[] {
  const found: string[] = [];
  collect(value, false, 8, found);
  return found;
}

function collect(value: unknown, isSecret: boolean, depth: number, found: string[]): void {
  if (found.length > 2 * MOST_SECRETS) return;
  if (typeof value === 'string') {
    if (isSecret) found.push(value);
  } else if (typeof value === 'object' && value !== null && depth > 0) {
    for (const [name, member] of Object.entries(value)) {
      collect(member, isSecret || SECRET_MEMBERS.test(name), depth - 1, found);
    }
  }
}
