interface OAuthSign {
  generateBase(method: string, uri: string, parameters: object): string;
  rfc3986(text: string): string;
  hmacsign(method: string, uri: string, parameters: object, secret: string, tokenSecret: string): string;
}

/** A second implementation of OAuth 1.0a's signatures, which has no types. */
export const oauthSign = require('oauth-sign') as OAuthSign;

/** The decoded fields of an `Authorization` header of OAuth 1.0a. */
export function fieldsOf(header = ''): Record<string, string> {
  const pairs = header
    .replace(/^OAuth /, '')
    .split(', ')
    .map((field) => field.split(/="(.*)"/s).map(decodeURIComponent));
  return Object.fromEntries(pairs.map(([name, value]) => [name, value]));
}
