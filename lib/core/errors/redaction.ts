import { unescape as percentDecode } from 'node:querystring';

const REPLACEMENT = '[redacted]';
const LONGEST_TEXT = 300;
/** The rest of a longer text is dropped: the networks' own messages are one sentence long. */
const LONGEST_SEARCHED = 1_000;
/** Eight letters and digits that are not words are a token. The first eight of a known secret are hidden even if the rest is cut off. */
const TOKEN_LENGTH = 8;
/** Redacting shorter values would blank out ordinary letters and protect nothing. */
const SHORTEST_SECRET = 4;
/** No login has more secrets. Further ones are hidden only if they look like tokens. */
const MOST_SECRETS = 50;
/** A network could make searching a longer response take long. */
const MOST_VALUES = 1_000;

/**
 * Makes text from a network safe to show. Words stay; what looks like a token in whatever encoding, and every known secret, is hidden.
 *
 * @param secrets - Every secret that took part in the request, the most important ones first.
 * @returns `undefined` for anything but a string or number.
 */
export function cleanText(text: unknown, secrets: readonly string[] = []): string | undefined {
  return shorten(hideTokens(replaceSecrets(cleanCharacters(text), secrets)));
}

/** The same for an error code or a request ID. Up to 40 characters stay if they contain no secret, also not in hex, and have one letter case: base64 has two. */
export function cleanIdentifier(text: unknown, secrets: readonly string[] = []): string | undefined {
  const identifier = cleanCharacters(text);
  const isIdentifier = /^(?:[a-z\d._-]{1,40}|[A-Z\d._-]{1,40})$/.test(identifier);
  const inHex = secrets.map((secret) => Buffer.from(secret.slice(0, 20)).toString('hex'));
  const isPublic = isIdentifier && replaceSecrets(identifier, [...secrets, ...inHex]) === identifier;
  return isPublic ? identifier : cleanText(identifier, secrets);
}

/** One line of at most 300 visible characters, for text without secrets. */
export function cleanLine(text: unknown): string | undefined {
  return shorten(cleanCharacters(text));
}

function shorten(text: string): string | undefined {
  if (text === '') return undefined;
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}\u2026` : text;
}

const UNWANTED = '\\p{Default_Ignorable_Code_Point}|(\\s)|\\p{C}';

function cleanCharacters(text: unknown): string {
  if (typeof text === 'number') return String(text);
  if (typeof text !== 'string') return '';
  // An invisible character in a secret would hide it from the search. A literal would be compared with Unicode's tables when the module loads.
  const unwanted = new RegExp(UNWANTED, 'gu');
  const line = text.slice(0, LONGEST_SEARCHED).replace(unwanted, (_character, blank) => (blank ? ' ' : ''));
  return line.trim();
}

/** Overwrites each secret with NUL, which no clean text contains: in any letter case, with or without blanks, also percent-decoded. */
function replaceSecrets(text: string, secrets: readonly string[]): string {
  const folded = fold(text);
  const places = Array.from(text.matchAll(/\S/g), ({ index }) => index);
  const characters = text.split('');
  const known = secrets.slice(0, MOST_SECRETS).map((secret) => secret.slice(0, LONGEST_SEARCHED));
  for (const secret of new Set([...known, ...known.map((encoded) => percentDecode(encoded))].map(fold))) {
    const start = secret.length < SHORTEST_SECRET ? '\0' : secret.slice(0, TOKEN_LENGTH);
    for (let end = 0, at = folded.indexOf(start); at !== -1; at = folded.indexOf(start, end)) {
      end = at + start.length;
      while (end < at + secret.length && folded[end] === secret[end - at]) end += 1;
      characters.fill('\0', places[at], (places[end - 1] ?? 0) + 1);
    }
  }
  return characters.join('');
}

/** Ignores letter case and blanks. `toLowerCase` alone makes two characters of some letters. */
function fold(text: string): string {
  return text.replace(/\s+/g, '').replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

/** Compiled on demand, as above. */
const PARTS = [
  // Letters and digits, or NUL for those of a secret, with escapes in between: percent, JSON, HTML.
  '(?:[A-Za-z\\d\\0]*(?:%u?[\\dA-Fa-f]{2}|\\\\+\\S|&#?\\w{2,16};))+[A-Za-z\\d\\0]*',
  // An ISO date or an IPv4 address.
  '(?<plain>(?<![\\w:.-])(?:\\d{4}-\\d\\d-\\d\\d(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,6})?)?Z?)?|' +
    '\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d{1,5})?)(?![\\w:-])|' +
    // Other letters than those of tokens.
    '(?:(?![A-Za-z])[\\p{L}\\p{M}])+)',
  '[A-Za-z\\d\\0]+',
].join('|');

/** Hides each series of parts that are not words, if it has eight letters and digits or more. A word that `-` or `_` joins to a token belongs to it. */
function hideTokens(text: string): string {
  let shown = '';
  let copied = 0;
  let [begin, end, length] = [0, 0, 0];
  const close = () => {
    if (length >= TOKEN_LENGTH) {
      shown += text.slice(copied, begin) + REPLACEMENT;
      copied = end;
    }
    length = 0;
  };
  for (const { 0: part, index, groups } of text.matchAll(new RegExp(PARTS, 'gu'))) {
    const isJoined = length >= TOKEN_LENGTH && index === end + 1 && /[-_]/.test(text.charAt(end));
    if (groups?.plain !== undefined || (isWord(part) && !isJoined)) close();
    else {
      if (length === 0) begin = index;
      end = index + part.length;
      length += part.includes('\0') ? TOKEN_LENGTH : part.length;
    }
  }
  close();
  return shown + text.slice(copied);
}

/** Pairs of letters that hardly any word has, in the languages that are written with these letters. */
const UNUSUAL_PAIR = new RegExp(
  'a(?=[aehjoq])|b(?=[^aeijlorsuy])|c(?=[bdfgjmnpqvwxz])|d(?=[bfhjkmnpqvwxz])|f(?=[^aefilorstuy])|g(?=[bcdfjpqvwxz])|' +
    'h(?=[^aeilmortuy])|i(?=[hijuwy])|j(?=[^aeosu])|k(?=[^aeinostu])|l(?=[ghjmnqrwxz])|m(?=[^abeilmnopsu])|n(?=[qx])|o(?=[hqz])|' +
    'p(?=[bcfgjkmnqvwxz])|q(?=[^lu])|r(?=[hjqx])|s(?=[bdgjrvz])|t(?=[bjmnqvxz])|u(?=[hjkquvxz])|v(?=[^aeikou])|' +
    'w(?=[^aehilnorsy])|x(?=[^aceipty])|y(?=[cdfhjkqruvxyz])|z(?=[^aeiouwz])',
  'gi',
);

/**
 * Whether letters and digits are a word, such as `oauth2`, `base64url` or `redirectURI`. It can be pronounced: it has a vowel unless it is short,
 * and one unusual pair in seven letters at most. In a token the letter case changes more often than with every third letter.
 */
function isWord(part: string): boolean {
  if (!/^[A-Za-z]{2,}(?:\d{1,2}(?:[A-Za-z]{3,})?)?$/.test(part)) return false;
  const words = part.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  const isJoined = words.length > 1;
  if (part.length < 5) return !isJoined;
  if (isJoined && words.length * 3 > Math.max(part.length, 6)) return false;
  return words.every((word) => {
    const unusual = word.match(UNUSUAL_PAIR)?.length ?? 0;
    const hasVowel = word.length < (isJoined ? 5 : 6) || /[aeiouy]/i.test(word);
    return hasVowel && unusual * 7 <= word.length && word.length < 25;
  });
}

// Not `code`: networks use that name for error codes. The authorization code is added explicitly.
const SECRET_NAMES = /token(?!_type)|secret|verifier|password|cookie/i;

/** A string itself, or the strings of a parsed response under names such as `access_token` or `client_secret`, the outer ones first. */
export function secretsIn(source: unknown): string[] {
  const found: string[] = [];
  const values = [{ value: source, isSecret: typeof source === 'string' }];
  for (const { value, isSecret } of values) {
    if (typeof value === 'string' && isSecret) found.push(value);
    if (typeof value !== 'object' || value === null) continue;
    for (const name in value) {
      if (values.length === MOST_VALUES) break;
      const child = (value as Record<string, unknown>)[name];
      values.push({ value: child, isSecret: isSecret || SECRET_NAMES.test(name) });
    }
  }
  return found;
}
