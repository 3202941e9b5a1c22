import type { Agent } from 'node:http';
import { textMember } from './answer.js';
import { type ClientCallback, callBack, callbackValues } from './client-callback.js';
import type { JSONAnswer } from './network-client.js';
import { hideMembers, showOnly } from './protected-client.js';
import type { NetworkRequest, Transport } from './transport.js';

/** The members of passport-oauth2's `_oauth2` that applications and passport-oauth2-refresh reach for. */
interface ReplacedMembers {
  setAgent(agent: Agent): void;
  getOAuthAccessToken(code: string, params: object, callback: ClientCallback): void;
  _request(
    method: string,
    url: string,
    headers: Record<string, string> | null,
    body: unknown,
    accessToken: string | null,
    callback: ClientCallback,
  ): void;
}

/**
 * Puts our transport behind `strategy._oauth2`, so that code which reaches for it (`_oauth2.get`, `setAgent`,
 * passport-oauth2-refresh) has the deadline, the size limit and the header instead of the token in the address; and hides
 * the client's secret.
 *
 * @param requestToken - The strategy's own token request.
 */
export function secureOAuth2Client(
  client: object,
  transport: Transport,
  requestToken: (form: Record<string, string>) => Promise<JSONAnswer>,
): void {
  const replaced: ReplacedMembers = {
    setAgent: (agent) => transport.useAgent(agent),

    getOAuthAccessToken(code, params, callback) {
      const isRefresh = (params as { grant_type?: unknown }).grant_type === 'refresh_token';
      const form = { ...params, [isRefresh ? 'refresh_token' : 'code']: code };
      const results = requestToken(form).then(({ body }) => [
        textMember(body, 'access_token'),
        textMember(body, 'refresh_token'),
        { ...body },
      ]);
      callBack(results, callback);
    },

    _request(method, url, headers, body, accessToken, callback) {
      const authorization = accessToken === null ? {} : { authorization: `Bearer ${accessToken}` };
      const request: NetworkRequest = {
        step: 'profile',
        method,
        url,
        headers: { ...authorization, ...headers },
        ...(typeof body === 'string' && body !== '' && { body }),
        secrets: () => (accessToken === null ? [] : [accessToken]),
      };
      callBack(transport.send(request, callbackValues), callback);
    },
  };
  for (const [name, value] of Object.entries(replaced)) {
    Object.defineProperty(client, name, { configurable: true, writable: true, enumerable: false, value });
  }
  hideMembers(client, ['_clientSecret', '_customHeaders']);
  showOnly(client, 'OAuth2', () => ({ clientID: (client as { _clientId?: unknown })._clientId }));
}
