const REPLACEMENT = '[redacted]';
/** Redacting shorter values would blank out ordinary letters and protect nothing. */
const SHORTEST_SECRET = 4;
/** So many characters of a secret in a row are hidden. Shorter secrets are hidden as a whole. */
const RUN = 8;
const LONGEST_TEXT = 300;
/** The rest of a longer text is dropped: the networks' own messages are one sentence long. */
const LONGEST_SEARCHED = 1_000;
/** No network sends this many secrets in one response. A search for more would take long. */
const MOST_SECRETS = 100;
/** Nor this many characters of secrets. Anyone can send a callback with a long code and a long error. */
const MOST_CHARACTERS = 10_000;

/**
 * Everything confidential that takes part in one login, refresh or revocation. Errors are made with it, so that none of them repeats
 * a secret, even if a later response echoes an earlier one.
 */
export class Secrets {
  // Private to the engine, so that no inspection shows it. Only strategies become prototypes, for which such members would break.
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
  if (secrets.reduce((length, secret) => length + secret.length, 0) > MOST_CHARACTERS) return undefined;
  // Clean first: an invisible character in the middle of a secret would hide it from redaction.
  const line = text
    .replace(everyCharacter('Default_Ignorable_Code_Point'), '')
    .replace(/\s/g, ' ')
    .replace(everyCharacter('C'), '')
    .trim();
  const shown = redact(line.slice(0, LONGEST_SEARCHED), secrets);
  if (shown === '') return undefined;
  return shown.length > LONGEST_TEXT ? `${shown.slice(0, LONGEST_TEXT - 1)}…` : shown;
}

/** Compiled on demand: a literal would search Unicode's tables whenever the module is loaded. */
function everyCharacter(property: string): RegExp {
  return new RegExp(`\\p{${property}}`, 'gu');
}

/**
 * Replaces every run of eight or more characters of a secret in a text, and every whole secret of four to seven, in any letter case: as
 * they are, with `+` for a blank or a blank for `+`, with spaces in between, in up to three levels of percent, JSON, JavaScript and HTML
 * escapes, as hex of UTF-8 or UTF-16 with or without separators, and as base64, once or twice, at any offset in the encoded bytes.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const spellings = new Set<string>();
  for (const secret of new Set(secrets)) {
    for (const spelling of secret.length < SHORTEST_SECRET ? [] : spellingsOf(secret).map(fold)) {
      spellings.add(spelling).add(spelling.replaceAll(' ', ''));
    }
  }
  let shown = '';
  let end = 0;
  for (const range of rangesOf(spellings, readingsOf(text)).sort((a, b) => a.begin - b.begin)) {
    if (range.begin > end || end === 0) shown += text.slice(end, range.begin) + REPLACEMENT;
    end = Math.max(end, range.end);
  }
  return shown + text.slice(end);
}

/** Where a part of a text begins and ends. */
interface Range {
  readonly begin: number;
  readonly end: number;
}

/** A text after some decoding, and where each of its characters comes from in the original. */
interface Reading {
  readonly text: string;
  readonly sources: readonly Range[];
}

/** Finds the spellings, or runs of the longer ones, in the readings of a text. */
function rangesOf(spellings: ReadonlySet<string>, readings: ReadonlySet<Reading>): Range[] {
  const found: Range[] = [];
  const short: string[] = [];
  const runs = new Set<string>();
  for (const spelling of spellings) {
    if (spelling.length < SHORTEST_SECRET) continue;
    if (spelling.length < RUN) short.push(spelling);
    for (let at = 0; at + RUN <= spelling.length; at += 1) runs.add(spelling.slice(at, at + RUN));
  }
  for (const { text, sources } of readings) {
    const folded = fold(text);
    for (const spelling of short) {
      for (let at = folded.indexOf(spelling); at !== -1; at = folded.indexOf(spelling, at + 1)) {
        found.push(rangeOf(sources, at, spelling.length));
      }
    }
    for (let at = 0; at + RUN <= folded.length; at += 1) {
      if (runs.has(folded.slice(at, at + RUN))) found.push(rangeOf(sources, at, RUN));
    }
  }
  return found;
}

function rangeOf(sources: readonly Range[], at: number, length: number): Range {
  return { begin: sources[at]?.begin ?? 0, end: sources[at + length - 1]?.end ?? 0 };
}

/** Makes texts comparable in any letter case, with `+` and any white space as a blank. Keeps the length. */
function fold(text: string): string {
  // The small form of the first letter has two characters, that of the second depends on the next letter.
  return text.replaceAll('\u0130', 'i').replaceAll('\u03a3', '\u03c3').toLowerCase().replace(/[\s+]/g, ' ');
}

/** The text as it is and decoded up to three times, each also without blanks, and what it has in base64. */
function readingsOf(text: string): Set<Reading> {
  const readings = new Set<Reading>();
  const original = { text, sources: text.split('').map((_, begin) => ({ begin, end: begin + 1 })) };
  let plain: Reading = original;
  for (let depth = 0; depth <= 3 && !readings.has(plain); depth += 1) {
    const joined = rewrite(plain, /\s+/g, () => '');
    readings.add(plain).add(joined);
    readings.add(rewrite(joined, /\++/g, () => ''));
    for (const decoded of base64Readings(joined)) readings.add(decoded);
    plain = rewrite(plain, ESCAPES, unescaped);
  }
  readings.add(rewrite(original, /(?<=[\da-f]{2})(?:[\s:,=-]|0x)+(?=[\da-f]{2})/gi, () => ''));
  // One kind of escape alone: a secret may contain what looks like another kind.
  for (const kind of ['%', '\\', '&']) {
    const decode = (match: RegExpExecArray) => (match[0].startsWith(kind) ? unescaped(match) : match[0]);
    readings.add(rewrite(original, ESCAPES, decode));
  }
  return readings;
}

/** Replaces what matches a pattern. @returns The same reading if nothing does. */
function rewrite(reading: Reading, pattern: RegExp, replace: (match: RegExpExecArray) => string): Reading {
  const sources: Range[] = [];
  let text = '';
  let end = 0;
  const copyUntil = (index: number) => {
    text += reading.text.slice(end, index);
    for (; end < index; end += 1) sources.push(rangeOf(reading.sources, end, 1));
  };
  for (const match of reading.text.matchAll(pattern)) {
    copyUntil(match.index);
    const replacement = replace(match);
    const source = rangeOf(reading.sources, end, match[0].length);
    text += replacement;
    sources.push(...Array.from({ length: replacement.length }, () => source));
    end += match[0].length;
  }
  if (end === 0) return reading;
  copyUntil(reading.text.length);
  return { text, sources };
}

const ESCAPES =
  /%([\da-f]{2})|\\x([\da-f]{2})|[\\%]u([\da-f]{4})|\\u\{0*([\da-f]{1,6})\}|&#x0*([\da-f]{1,6});?|&#0*(\d{1,7});?|\\([\\/"'fnrt])|&([a-z]{2,16});/gi;

/** The character that an escape stands for. */
function unescaped([written, percent, x, u, point, hex, decimal, escaped, name]: RegExpExecArray): string {
  if (escaped !== undefined) return /\w/.test(escaped) ? ' ' : escaped;
  if (name !== undefined) return HTML_NAMES.get(name.toLowerCase()) ?? written;
  const digits = percent ?? x ?? u ?? point ?? hex;
  const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : written;
}

/** Name of an HTML reference -> its character, for ASCII punctuation. */
const HTML_NAMES: ReadonlyMap<string, string> = new Map(
  Array.from(
    (
      'excl!quot"num#dollar$percnt%amp&apos\'lpar(rpar)ast*midast*plus+comma,period.sol/colon:semi;lt<equals=gt>quest?commat@lsqb[lbrack[' +
      'bsol\\rsqb]rbrack]hat^lowbar_underbar_grave`diacriticalgrave`lcub{lbrace{verbar|vert|verticalline|rcub}rbrace}'
    ).matchAll(/([a-z]+)(.)/g),
    ([, name = '', character = '']) => [name, character],
  ),
);

/** The bytes of everything that could be base64, from each of the four characters in which an encoded text can begin. */
function base64Readings(reading: Reading): Reading[] {
  return [0, 1, 2, 3].map((offset) => {
    const sources: Range[] = [];
    let text = '';
    for (const { 0: encoded, index } of reading.text.matchAll(/[\w+/-]{11,}/g)) {
      const bytes = Buffer.from(encoded.slice(offset), 'base64').toString('latin1');
      for (let at = 0; at < bytes.length; at += 1) {
        // Four characters have three bytes, each of them in two characters.
        sources.push(rangeOf(reading.sources, index + offset + Math.floor((at * 4) / 3), 2));
      }
      text += `${bytes}\n`;
      sources.push(rangeOf(reading.sources, index, encoded.length));
    }
    return { text, sources };
  });
}

/** What a secret becomes in encodings that are searched for as they are; {@link readingsOf} undoes the others. */
function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const units = Buffer.from(secret, 'utf16le');
  return [
    secret,
    secret.replaceAll('/', '\\/'),
    secret.replaceAll('\\', '\\\\'),
    // Percent escapes are read byte by byte.
    bytes.toString('latin1'),
    bytes.toString('hex'),
    units.toString('hex'),
    units.swap16().toString('hex'),
    ...[0, 1, 2].flatMap((offset) =>
      [bytes, Buffer.from(secret, 'utf16le'), units].flatMap((encoded) => base64Core(encoded, offset)),
    ),
  ];
}

/** The part of the base64 text that does not depend on the bytes before and after, in both alphabets. */
function base64Core(bytes: Buffer, offset: number): string[] {
  const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
  const first = Math.ceil((offset * 4) / 3);
  const whole = shifted.toString('base64').slice(first, Math.floor((shifted.length * 4) / 3));
  return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
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
