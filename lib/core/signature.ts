import { createHmac } from 'node:crypto';
import { withMembers } from './answer.js';
import { newSecret } from './proof.js';
import { strictPercent } from './redaction.js';
import { remembered } from './remembered.js';

/** What signs a request: the application's credentials and, once there is one, a token's. */
export interface SigningCredentials {
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly token?: string;
  readonly tokenSecret?: string;
}

/** A request as it will be sent; the signature covers exactly this. */
export interface SignedRequest {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  /** Members of a form body. */
  readonly form?: Readonly<Record<string, string>> | undefined;
  /** Protocol parameters beyond the usual ones: `oauth_callback`, `oauth_verifier`. */
  readonly protocol?: Readonly<Record<string, string>>;
}

/**
 * The `Authorization` header of an OAuth 1.0a request, signed with HMAC-SHA1.
 *
 * The network documents no other method: PLAINTEXT and SHA-256 are not offered.
 *
 * @param now - Milliseconds since the epoch.
 * @see RFC 5849 sections 3.1 to 3.5
 * @see https://docs.x.com/fundamentals/authentication/oauth-1-0a/creating-a-signature (read 2026-11)
 */
export function authorizationHeader(
  request: SignedRequest,
  credentials: SigningCredentials,
  nonce = newSecret('hex').slice(0, 32),
  now = Date.now(),
): string {
  const parameters: Record<string, string> = withMembers(request.protocol ?? {}, {
    oauth_consumer_key: credentials.consumerKey,
    oauth_nonce: nonce,
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(now / 1_000)),
    ...(credentials.token !== undefined && { oauth_token: credentials.token }),
    oauth_version: '1.0',
  });
  const key = `${strictPercent(credentials.consumerSecret)}&${strictPercent(credentials.tokenSecret ?? '')}`;
  const base = signatureBase(request, parameters);
  const oauth_signature = createHmac('sha1', key).update(base).digest('base64');
  const members = [...Object.entries(parameters), ['oauth_signature', oauth_signature] as const].map(
    ([name, value]) => `${strictPercent(name)}="${strictPercent(value)}"`,
  );
  return `OAuth ${members.join(', ')}`;
}

/** The text that is signed. @see RFC 5849 section 3.4.1, with its example in the tests */
export function signatureBase(
  { method, url, form = {} }: SignedRequest,
  parameters: Readonly<Record<string, string>>,
): string {
  const { address, query } = signedParts(url);
  const pairs = [
    ...query,
    ...Object.entries(form).map(percentPair),
    ...Object.entries(parameters).map(percentPair),
  ];
  // By name, then by value, in code unit order: percent-encoded text is ASCII.
  pairs.sort(([name, value], [otherName, otherValue]) => order(name, otherName) || order(value, otherValue));
  const normalized = pairs.map(([name, value]) => `${name}=${value}`).join('&');
  return `${method.toUpperCase()}&${address}&${strictPercent(normalized)}`;
}

/** An address as signatures see it: reading one costs as much as signing it. */
const signedParts = remembered((url) => {
  const { origin, pathname, searchParams } = new URL(url);
  return { address: strictPercent(origin + pathname), query: [...searchParams].map(percentPair) };
});

function percentPair([name, value]: [string, string]): [string, string] {
  return [strictPercent(name), strictPercent(value)];
}

function order(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
