/** Secrets that no output may show: letters and digits that most encodings keep, then characters that they change. */
export const CANARIES = {
  clientSecret: 'QkClientSecret7Zx+/=&"<>\'!*',
  serviceToken: 'QkServiceToken5Wd+/=&',
  accessToken: 'QkAccessToken83Vb-._~+/=',
  refreshToken: 'QkRefreshToken6Hn-._~+/=',
  tokenSecret: 'QkTokenSecret2Pj-._~+/=&',
  requestTokenSecret: 'QkRequestSecret4Ty-._~+/=&',
  code: 'QkCodeOfLogin91Lm-._~+/=&',
  verifier: 'QkOauthVerifier3Ge-._~+/=&',
  customHeader: 'QkCustomHeader8Ub-._~+/=',
} as const;

/** Length of the prefix to search for, so that truncated secrets are found. */
const MARK_LENGTH = 13;
/** Invisible characters, which hide text from a search but not from a reader. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{C}\s]/gu;
const PLAIN = /^[\x20-\x7e\s]*$/;

/** What to search for: `plain` in lower case without invisible characters, `encoded` (base64) in the original text. */
type Needles = Readonly<Record<'plain' | 'encoded', readonly string[]>>;

const ALL = needlesOf(Object.values(CANARIES));
/** Canaries that are never in an authorization response. */
const { code: _code, verifier: _verifier, ...BACKSTAGE_CANARIES } = CANARIES;
const BACKSTAGE = needlesOf(Object.values(BACKSTAGE_CANARIES));

/** Like {@link secretsShown}, for callback requests that may contain codes and states of other logins. */
export function secretsOfLoginShown(text: string, loginSecrets: readonly string[]): string[] {
  return [BACKSTAGE, needlesOf(loginSecrets)].flatMap((needles) => find(text, needles));
}

/** Finds secrets, or their beginnings, in any encoding. @param fresh - Those of this login: verifier, state, request token. */
export function secretsShown(text: string, fresh: readonly string[] = []): string[] {
  return [ALL, needlesOf(fresh)].flatMap((needles) => find(text, needles));
}

function find(text: string, { plain, encoded }: Needles): string[] {
  if (plain.length === 0) return [];
  // Most text is plain ASCII, and removing every invisible character is slow.
  const compact = text.replace(PLAIN.test(text) ? /\s/g : INVISIBLE, '').toLowerCase();
  return [
    ...plain.filter((needle) => compact.includes(needle)),
    ...encoded.filter((needle) => text.includes(needle)),
  ];
}

function needlesOf(secrets: readonly string[]): Needles {
  // Short strings occur in any text.
  const marks = secrets.filter(({ length }) => length >= MARK_LENGTH).map((one) => one.slice(0, MARK_LENGTH));
  const plain = marks.flatMap((mark) => [mark.toLowerCase(), Buffer.from(mark).toString('hex')]);
  return { plain, encoded: marks.flatMap((mark) => [0, 1, 2].map((offset) => base64Core(mark, offset))) };
}

/** The base64 characters that depend only on the mark, at a given byte offset. */
function base64Core(mark: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(mark)]);
  const whole = bytes.toString('base64url');
  return whole.slice(offset === 0 ? 0 : offset + 1, Math.floor((bytes.length * 8) / 6));
}

const between = (separator: string) => (secret: string) => secret.split('').join(separator);
const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const SPELLINGS: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  percent: encodeURIComponent,
  'percent twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'percent in lower case': (secret) =>
    encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  'percent, strictly': (secret) =>
    encodeURIComponent(secret).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
  form: (secret) => new URLSearchParams([['', secret]]).toString().slice(1),
  json: (secret) => JSON.stringify(secret).slice(1, -1),
  'html names': (secret) => secret.replace(/[&<>"']/g, (sign) => NAMED[sign] ?? '&#39;'),
  'html numbers': (secret) => secret.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  'hex in upper case': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  'base64 within more text': (secret) => Buffer.from(`a:${secret}:b`).toString('base64'),
  base64url: (secret) => Buffer.from(`x${secret}`).toString('base64url'),
  'upper case': (secret) => secret.toUpperCase(),
  'lower case': (secret) => secret.toLowerCase(),
  'with zero-width spaces': between('\u200b'),
  'with soft hyphens': between('\u00ad'),
  'with variation selectors': between('\ufe0f'),
  'with control characters': between('\u0007'),
  'with spaces': between(' '),
  'with line ends': between('\n'),
};

/** Replaces the placeholders `«name:spelling»` with the secrets, as the network does. JSON stays valid JSON. */
export function spellOut(text: string, secrets: Readonly<Record<string, string>>, isJSON: boolean): string {
  if (!text.includes('«')) return text;
  return text.replace(/«([^:»]*):([^»]*)»/g, (_, name: string, spelling: string) => {
    const spelled = SPELLINGS[spelling]?.(secrets[name] ?? '') ?? '';
    return isJSON ? JSON.stringify(spelled).slice(1, -1) : spelled;
  });
}
