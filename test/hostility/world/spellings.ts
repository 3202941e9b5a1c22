/** Encodings in which servers echo a secret. */
export const SPELLINGS: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  percent: (secret) => encodeURIComponent(secret),
  'percent twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'percent in lower case': (secret) =>
    encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  'percent, strictly': (secret) =>
    encodeURIComponent(secret).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
  form: (secret) => new URLSearchParams([['', secret]]).toString().slice(1),
  json: (secret) => JSON.stringify(secret).slice(1, -1),
  'html names': (secret) =>
    secret.replace(
      /[&<>"']/g,
      (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? '&#39;',
    ),
  'html numbers': (secret) => secret.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  'hex in upper case': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  'base64 within more text': (secret) => Buffer.from(`a:${secret}:b`).toString('base64'),
  base64url: (secret) => Buffer.from(`x${secret}`).toString('base64url'),
  'upper case': (secret) => secret.toUpperCase(),
  'lower case': (secret) => secret.toLowerCase(),
  'with zero-width spaces': (secret) => secret.split('').join('\u200b'),
  'with soft hyphens': (secret) => secret.split('').join('\u00ad'),
  'with variation selectors': (secret) => secret.split('').join('\ufe0f'),
  'with control characters': (secret) => secret.split('').join('\u0007'),
  'with spaces': (secret) => secret.split('').join(' '),
  'with line ends': (secret) => secret.split('').join('\n'),
};

/** A placeholder for a secret, which the network fills in when it responds. */
export function echo(name: string, spelling: string): string {
  return `«${name}:${spelling}»`;
}

/**
 * Replaces the placeholders of {@link echo} with the secrets.
 *
 * @param isJSON - Whether the text is JSON and must stay valid JSON.
 */
export function spellOut(text: string, secrets: Readonly<Record<string, string>>, isJSON: boolean): string {
  if (!text.includes('«')) return text;
  return text.replace(/«([^:»]*):([^»]*)»/g, (_, name: string, spelling: string) => {
    const spelled = SPELLINGS[spelling]?.(secrets[name] ?? '') ?? '';
    return isJSON ? JSON.stringify(spelled).slice(1, -1) : spelled;
  });
}
