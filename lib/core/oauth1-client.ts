import { parameterTexts } from './addresses.js';
import { type ClientCallback, callBack, callbackValues } from './client-callback.js';
import { hideMembers, showOnly } from './protected-client.js';
import { authorizationHeader, type SignedRequest, type SigningCredentials } from './signature.js';
import type { NetworkRequest, Transport } from './transport.js';

/**
 * Puts our signer and transport behind `strategy._oauth`, so that code which reaches for it (`_oauth.get`, `_oauth.post`)
 * has the deadline, the size limit and no redirects; and hides the consumer secret.
 */
export function secureOAuth1Client(
  client: object,
  transport: Transport,
  consumer: Pick<SigningCredentials, 'consumerKey' | 'consumerSecret'>,
): void {
  /** The base client's one way out: everything else it offers ends here. */
  function performSecureRequest(
    token: string | null,
    tokenSecret: string | null,
    method: string,
    url: string,
    parameters: object | null,
    body: unknown,
    contentType: string | null,
    callback: ClientCallback,
  ): void {
    const signed: SignedRequest = {
      method,
      url,
      form: pick(parameters, (name) => !name.startsWith('oauth_')),
      protocol: pick(parameters, (name) => name.startsWith('oauth_')),
    };
    const credentials = { ...consumer, ...(token && { token }), ...(tokenSecret && { tokenSecret }) };
    const request: NetworkRequest = {
      step: 'profile',
      method,
      url,
      ...(typeof body === 'string' ? { body } : { form: signed.form }),
      headers: {
        ...(contentType && { 'content-type': contentType }),
        authorization: authorizationHeader(signed, credentials),
      },
      secrets: () => [token ?? '', tokenSecret ?? ''],
    };
    callBack(transport.send(request, callbackValues), callback);
  }
  Object.defineProperty(client, '_performSecureRequest', {
    configurable: true,
    writable: true,
    enumerable: false,
    value: performSecureRequest,
  });
  hideMembers(client, ['_consumerSecret', '_headers']);
  showOnly(client, 'OAuth', () => ({ consumerKey: consumer.consumerKey }));
}

function pick(parameters: object | null, isWanted: (name: string) => boolean): Record<string, string> {
  const texts = parameterTexts(parameters ?? {});
  return Object.fromEntries(Object.entries(texts).filter(([name]) => isWanted(name)));
}
