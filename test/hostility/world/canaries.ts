/**
 * What nothing may show. Each begins with a mark of letters and digits, which every harmless spelling keeps, and goes on
 * with the characters that encodings change.
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

/** Enough of a secret to recognize it, also where a text was cut. */
const MARK_LENGTH = 13;

/** What hides letters from a search but not from an eye. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{C}\s]/gu;

const PLAIN = /^[\x20-\x7e\s]*$/;

const CONSTANT = needlesOf(Object.values(CANARIES));

interface Needles {
  /** Lower case, searched in a text without invisible characters. */
  readonly plain: readonly string[];
  /** Base64, searched as it is. */
  readonly encoded: readonly string[];
}

/** Canaries that no callback brings: whatever else stands in an address, somebody wrote there himself. */
const BACKSTAGE = needlesOf([
  CANARIES.clientSecret,
  CANARIES.serviceToken,
  CANARIES.accessToken,
  CANARIES.refreshToken,
  CANARIES.tokenSecret,
  CANARIES.requestTokenSecret,
  CANARIES.customHeader,
]);

/** Like {@link secretsShown} for a callback that may name codes and states which are no secrets of its own login. */
export function secretsOfLoginShown(text: string, own: readonly string[]): string[] {
  const long = own.filter((secret) => secret.length >= MARK_LENGTH);
  return [BACKSTAGE, needlesOf(long)].flatMap((needles) => find(text, needles));
}

/**
 * The secrets that a text shows, at least their beginnings, in whichever spelling.
 *
 * @param fresh - Secrets of this login beside the canaries: verifier, state, request token.
 */
export function secretsShown(text: string, fresh: readonly string[] = []): string[] {
  // A word of a few letters is no secret: it stands in every text.
  const long = fresh.filter((secret) => secret.length >= MARK_LENGTH);
  return [CONSTANT, ...(long.length > 0 ? [needlesOf(long)] : [])].flatMap((needles) => find(text, needles));
}

function find(text: string, { plain, encoded }: Needles): string[] {
  // Most texts are plain, and looking for every invisible character takes long.
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

/** The letters of base64 that the mark alone decides, wherever it begins among the encoded bytes. */
function base64Core(mark: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(mark)]);
  const whole = bytes.toString('base64url');
  return whole.slice(offset === 0 ? 0 : offset + 1, Math.floor((bytes.length * 8) / 6));
}
