/**
 * Secrets that no output may show. Each begins with letters and digits that most encodings keep, followed by characters that
 * encodings change.
 */
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

const CONSTANT = needlesOf(Object.values(CANARIES));

interface Needles {
  /** In lower case, searched in text without invisible characters. */
  readonly plain: readonly string[];
  /** In base64, searched in the original text. */
  readonly encoded: readonly string[];
}

/** Canaries that are never in an authorization response. */
const BACKSTAGE = needlesOf([
  CANARIES.clientSecret,
  CANARIES.serviceToken,
  CANARIES.accessToken,
  CANARIES.refreshToken,
  CANARIES.tokenSecret,
  CANARIES.requestTokenSecret,
  CANARIES.customHeader,
]);

/** Like {@link secretsShown}, for callback requests that may contain codes and states of other logins. */
export function secretsOfLoginShown(text: string, loginSecrets: readonly string[]): string[] {
  const long = loginSecrets.filter((secret) => secret.length >= MARK_LENGTH);
  return [BACKSTAGE, needlesOf(long)].flatMap((needles) => find(text, needles));
}

/**
 * Finds secrets, or their beginnings, in a text in any encoding.
 *
 * @param fresh - Secrets of this login in addition to the canaries: verifier, state, request token.
 */
export function secretsShown(text: string, fresh: readonly string[] = []): string[] {
  // Ignore short strings, which occur in any text.
  const long = fresh.filter((secret) => secret.length >= MARK_LENGTH);
  return [CONSTANT, ...(long.length > 0 ? [needlesOf(long)] : [])].flatMap((needles) => find(text, needles));
}

function find(text: string, { plain, encoded }: Needles): string[] {
  // Most text is plain ASCII, and removing every invisible character is slow.
  const compact = text.replace(PLAIN.test(text) ? /\s/g : INVISIBLE, '').toLowerCase();
  return [
    ...plain.filter((needle) => compact.includes(needle)),
    ...encoded.filter((needle) => text.includes(needle)),
  ];
}

function needlesOf(secrets: readonly string[]): Needles {
  const marks = secrets.map((secret) => secret.slice(0, MARK_LENGTH));
  const plain = marks.flatMap((mark) => [mark.toLowerCase(), Buffer.from(mark).toString('hex')]);
  const encoded = marks.flatMap((mark) => [0, 1, 2].map((offset) => base64Core(mark, offset)));
  return { plain, encoded };
}

/** The base64 characters that depend only on the mark, at a given byte offset. */
function base64Core(mark: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(mark)]);
  const whole = bytes.toString('base64url');
  return whole.slice(offset === 0 ? 0 : offset + 1, Math.floor((bytes.length * 8) / 6));
}
