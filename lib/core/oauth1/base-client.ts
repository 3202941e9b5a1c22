import { randomBytes } from 'node:crypto';
import { stringParameters, toCallback } from '../application-code.js';
import { hideSecrets, inspectAs } from '../errors/index.js';
import { type NetworkClient, Transaction } from '../http/index.js';
import type { signer } from './signature.js';

/**
 * Puts our signature and HTTP client behind `strategy._oauth`, so that code that uses it (`_oauth.get`, `_oauth.post`) gets the deadline and the
 * size limit, and follows no redirects. Hides the consumer secret.
 */
export function replaceBaseClient(
  baseClient: object,
  client: NetworkClient,
  consumerKey: string,
  authorizationFor: ReturnType<typeof signer>,
): void {
  const replaced = {
    // `authHeader` and `signUrl` would use the base client's own nonces, which are predictable.
    _getNonce: () => randomBytes(16).toString('hex'),

    /** Every method of the base client ends here. */
    _performSecureRequest(
      token: string | null,
      tokenSecret: string | null,
      method: string,
      url: string,
      parameters: object | null,
      body: unknown,
      contentType: string | null,
      callback: (error: unknown, ...values: unknown[]) => void,
    ): void {
      const fields = Object.entries(stringParameters(parameters ?? {}));
      const isProtocol = ([name]: [string, string]) => name.startsWith('oauth_');
      const form = Object.fromEntries(fields.filter((field) => !isProtocol(field)));
      const signed = { method, url, form, protocol: Object.fromEntries(fields.filter(isProtocol)) };
      const credentials = { token: token || undefined, tokenSecret: tokenSecret || undefined };
      const values = client.sendForBaseClient({
        step: 'profile',
        method,
        url,
        ...(typeof body === 'string' ? { body } : { form }),
        headers: {
          ...(contentType && { 'content-type': contentType }),
          authorization: authorizationFor(signed, credentials),
        },
        transaction: new Transaction(token, tokenSecret),
      });
      toCallback(values, (error, found = []) => callback(error, ...found));
    },
  };
  Object.assign(baseClient, replaced);
  hideSecrets(baseClient, ['_consumerSecret', '_headers']);
  inspectAs(baseClient, 'OAuth', () => ({ consumerKey }));
}
