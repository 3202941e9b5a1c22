import { randomBytes } from 'node:crypto';
import { stringParameters, toCallback } from '../application-code.js';
import { hideSecrets, inspectAs } from '../errors/index.js';
import { type NetworkClient, Transaction } from '../http/index.js';

import { authorizationHeader, type SignedRequest, type SigningCredentials } from './signature.js';

/**
 * Puts our signature and HTTP client behind `strategy._oauth`, so that code that uses it (`_oauth.get`, `_oauth.post`) gets the deadline and the
 * size limit, and follows no redirects. Hides the consumer secret.
 */
export function replaceBaseClient(
  baseClient: object,
  client: NetworkClient,
  consumer: Pick<SigningCredentials, 'consumerKey' | 'consumerSecret'>,
): void {
  /** Every method of the base client ends here. */
  function performSecureRequest(
    token: string | null,
    tokenSecret: string | null,
    method: string,
    url: string,
    parameters: object | null,
    body: unknown,
    contentType: string | null,
    callback: (error: unknown, ...values: unknown[]) => void,
  ): void {
    const signed: SignedRequest = {
      method,
      url,
      form: pick(parameters, (name) => !name.startsWith('oauth_')),
      protocol: pick(parameters, (name) => name.startsWith('oauth_')),
    };
    const credentials = { ...consumer, ...(token && { token }), ...(tokenSecret && { tokenSecret }) };
    const values = client.sendForBaseClient({
      step: 'profile',
      method,
      url,
      ...(typeof body === 'string' ? { body } : { form: signed.form }),
      headers: {
        ...(contentType && { 'content-type': contentType }),
        authorization: authorizationHeader(signed, credentials),
      },
      transaction: new Transaction(token ?? '', tokenSecret ?? ''),
    });
    toCallback(values, (error, found = []) => callback(error, ...found));
  }
  // `authHeader` and `signUrl` would use the base client's own nonces, which are predictable.
  const _getNonce = () => randomBytes(16).toString('hex');
  Object.assign(baseClient, { _performSecureRequest: performSecureRequest, _getNonce });
  hideSecrets(baseClient, ['_consumerSecret', '_headers']);
  inspectAs(baseClient, 'OAuth', () => ({ consumerKey: consumer.consumerKey }));
}

function pick(parameters: object | null, isWanted: (name: string) => boolean): Record<string, string> {
  const strings = stringParameters(parameters ?? {});
  return Object.fromEntries(Object.entries(strings).filter(([name]) => isWanted(name)));
}
