/** The one function that the sandbox takes from `oauth-sign`, which brings no types. */
interface OauthSign {
  hmacsign(
    method: string,
    address: string,
    parameters: Readonly<Record<string, string>>,
    consumerSecret: string,
    tokenSecret: string,
  ): string;
}

const oauthSign: OauthSign = require('oauth-sign');

/**
 * HMAC-SHA1 signature of a request, in base64.
 *
 * @param address - Address called, without query.
 * @param parameters - Query, form and `oauth_*` parameters, decoded, without `oauth_signature`.
 * @see https://www.rfc-editor.org/rfc/rfc5849#section-3.4.2
 */
export function hmacSha1Signature(
  method: string,
  address: string,
  parameters: Readonly<Record<string, string>>,
  consumerSecret: string,
  tokenSecret: string,
): string {
  return oauthSign.hmacsign(method, address, parameters, consumerSecret, tokenSecret);
}
