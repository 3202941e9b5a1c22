const REPLACEMENT = '[redacted]';
/** Redacting shorter values would blank out ordinary letters and protect nothing. */
const SHORTEST_SECRET = 4;
/** A secret cut off at the end of a text is recognized from this many characters on. */
const SHORTEST_BEGINNING = 8;
const LONGEST_TEXT = 300;
/** The rest of a longer text is dropped: the networks' own messages are one sentence long. */
const LONGEST_SEARCHED = 4_000;
/** No network sends this many secrets in one response, and searching for more would take seconds. */
const MOST_SECRETS = 100;

/**
 * Everything confidential that takes part in one login, refresh or revocation. Errors are made with it, so that none of them repeats
 * a secret, even if a later response echoes an earlier one.
 */
export class Secrets {
  readonly #sources: unknown[];

  /** @param sources - Secrets, or parsed responses that contain some under names such as `access_token`. */
  constructor(...sources: unknown[]) {
    this.#sources = sources;
  }

  add(...sources: unknown[]): void {
    this.#sources.push(...sources);
  }

  list(): string[] {
    return this.#sources.flatMap((source) => (typeof source === 'string' ? source : secretsIn(source)));
  }
}

/**
 * Makes text from a network or a URL safe to show: one line, no control or invisible characters, no known secret in any spelling
 * that servers echo, at most 300 characters.
 *
 * @param text - Any value; `undefined` is returned for anything but a string or number.
 * @param secrets - Every secret that took part in the request.
 */
export function cleanText(text: unknown, secrets: readonly string[] = []): string | undefined {
  if (typeof text === 'number') return String(text);
  if (typeof text !== 'string' || secrets.length > 2 * MOST_SECRETS) return undefined;
  // Clean first: an invisible character in the middle of a secret would hide it from redaction.
  const line = text
    .replace(everyCharacter('Default_Ignorable_Code_Point'), '')
    .replace(/\s/g, ' ')
    .replace(everyCharacter('C'), '')
    .trim();
  const shown = redact(line.slice(0, LONGEST_SEARCHED), secrets, line.length > LONGEST_SEARCHED);
  if (shown === '') return undefined;
  return shown.length > LONGEST_TEXT ? `${shown.slice(0, LONGEST_TEXT - 1)}…` : shown;
}

/** Compiled on demand: a literal would search Unicode's tables whenever the module is loaded. */
function everyCharacter(property: string): RegExp {
  return new RegExp(`\\p{${property}}`, 'gu');
}

/**
 * Replaces every secret in a text, in any letter case: as it is, percent-encoded once or twice, form-encoded, escaped for JSON or HTML,
 * as hex, and as base64 at any offset in the encoded bytes. A secret that is cut off at the end of the text is replaced as well.
 *
 * @param isCut - Whether the text was longer: its end may be part of a secret, so it is dropped.
 */
export function redact(text: string, secrets: readonly string[], isCut = false): string {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST_SECRET);
  const spellings = [...new Set(known.flatMap(spellingsOf))];
  const longest = Math.max(0, ...spellings.map((spelling) => spelling.length));
  let shown = text;
  // Longest first: replacing a short secret inside a long one would leave the rest of the long one.
  for (const spelling of spellings.sort((a, b) => b.length - a.length)) {
    if (spelling.length > shown.length) continue;
    shown = shown.replace(new RegExp(escapePattern(spelling), 'gi'), REPLACEMENT);
  }
  // Cut after replacing: the cut must not go through a secret.
  if (isCut) shown = shown.slice(0, Math.max(0, shown.length - longest));
  const begun = beginningAtEnd(shown, spellings);
  if (begun < shown.length) shown = shown.slice(0, begun) + REPLACEMENT;
  // Other spellings, or spaces in between: decode and compare. Where the secret begins is unknown then, so none of the text is shown.
  const compact = unescaped(shown).replaceAll(' ', '').toLowerCase();
  return known.some((secret) => compact.includes(secret.replaceAll(' ', '').toLowerCase()))
    ? REPLACEMENT
    : shown;
}

/**
 * Position of a secret that is cut off at the end of the text: a network may shorten what it echoes, and a response may break off.
 *
 * @returns The length of the text if there is none.
 */
function beginningAtEnd(text: string, spellings: readonly string[]): number {
  const lowered = text.toLowerCase();
  // Some letters change their length with their case, which would shift every position.
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

/** Decodes percent, JSON and HTML escapes of any character, up to three levels deep. */
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
    percent.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`),
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

/** The part of the base64 text that does not depend on the bytes before and after, in both alphabets. */
function base64Core(bytes: Buffer, offset: number): string[] {
  const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
  const whole = shifted
    .toString('base64')
    .slice(offset === 0 ? 0 : offset + 1, Math.floor(shifted.length / 3) * 4);
  return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

// Not `code`: networks use that name for error codes. The authorization code is added explicitly.
const SECRET_NAMES = /token(?!_type)|secret|verifier|password|cookie/i;

/** Collects the strings under names such as `access_token` or `client_secret`, eight levels deep (documented responses have three). */
function secretsIn(value: unknown): string[] {
  const found: string[] = [];
  collect(value, false, 8, found);
  return found;
}

function collect(value: unknown, isSecret: boolean, depth: number, found: string[]): void {
  if (found.length > 2 * MOST_SECRETS) return;
  if (typeof value === 'string') {
    if (isSecret) found.push(value);
  } else if (typeof value === 'object' && value !== null && depth > 0) {
    for (const [name, property] of Object.entries(value)) {
      collect(property, isSecret || SECRET_NAMES.test(name), depth - 1, found);
    }
  }
}
