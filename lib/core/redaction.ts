const REPLACEMENT = '[redacted]';
/** Shorter values would blank out ordinary letters and protect nothing. */
const SHORTEST_SECRET = 4;
const LONGEST_TEXT = 300;

/**
 * Turns text from a network or the address line into data that may be shown: one line, no control or invisible
 * characters, no known secret in any of the spellings a server echoes, at most 300 characters.
 *
 * @param text - Anything; what is not text or a number becomes `undefined`.
 * @param secrets - Every secret that took part in the request.
 */
export function cleanText(text: unknown, secrets: readonly string[] = []): string | undefined {
  if (typeof text === 'number') return String(text);
  if (typeof text !== 'string') return undefined;
  // Redaction comes after cleaning, or an invisible character would hide a secret from it; and before cutting, or
  // half a secret would survive. The first cut only bounds the work.
  const line = text
    .slice(0, 64_000)
    .replace(/\p{Zl}|\p{Zp}|\s/gu, ' ')
    .replace(/\p{C}|\p{Default_Ignorable_Code_Point}/gu, '')
    .trim();
  const shown = redact(line, secrets);
  if (shown === '') return undefined;
  return shown.length > LONGEST_TEXT ? `${shown.slice(0, LONGEST_TEXT - 1)}…` : shown;
}

/** Replaces every secret in `text`: as it is, percent-encoded, as in a form, as base64 and as base64url. */
export function redact(text: string, secrets: readonly string[]): string {
  const spellings = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < SHORTEST_SECRET) continue;
    const bytes = Buffer.from(secret);
    for (const spelling of [
      secret,
      encodeURIComponent(secret.toWellFormed()),
      strictPercent(secret),
      new URLSearchParams([['', secret]]).toString().slice(1),
      bytes.toString('base64'),
      bytes.toString('base64url'),
      JSON.stringify(secret).slice(1, -1),
    ]) {
      spellings.add(spelling);
    }
  }
  let shown = text;
  // The longest first: a short secret inside a long one must not leave the rest of the long one behind.
  for (const spelling of [...spellings].sort((a, b) => b.length - a.length)) {
    shown = shown.replace(new RegExp(escapePattern(spelling), 'gi'), REPLACEMENT);
  }
  return shown;
}

/** Percent-encodes everything but letters, digits and `-._~` (RFC 3986 section 2.3, RFC 5849 section 3.6). */
export function strictPercent(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
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
export function secretsIn(value: unknown, depth = 4): string[] {
  if (depth === 0 || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string' && SECRET_MEMBERS.test(name) ? [member] : secretsIn(member, depth - 1),
  );
}
