import type { Agent } from 'node:http';
import { toCallback } from '../application-code.js';
import { hideSecrets, inspectAs, RefusedError } from '../errors/index.js';
import { type NetworkClient, stringProperty, Transaction } from '../http/index.js';
import type { TokenEndpoint } from './token-endpoint.js';

type BaseCallback = (error: unknown, ...values: unknown[]) => void;

/**
 * Puts our HTTP client behind `strategy._oauth2`, so that code that uses it (`_oauth2.get`, `setAgent`, passport-oauth2-refresh) gets the deadline
 * and the size limit, and sends the token in a header instead of the URL. Hides the client secret.
 */
export function replaceBaseClient(
  baseClient: object,
  clientID: string,
  client: NetworkClient,
  tokenEndpoint: TokenEndpoint,
): void {
  const replaced = {
    // Backstage makes a client of its own for the same addresses.
    constructor: Object.assign(
      function OAuth2(id?: string): object {
        if (id !== undefined && id !== clientID)
          throw new TypeError(
            '_oauth2.constructor: a client with another client ID needs a strategy of its own.',
          );
        return Object.create(baseClient) as object;
      },
      { prototype: Object.getPrototypeOf(baseClient) as object },
    ),

    setAgent(agent: Agent) {
      client.agent = agent;
    },

    getOAuthAccessToken(code: string, params: { grant_type?: unknown }, callback: BaseCallback) {
      const isRefresh = params.grant_type === 'refresh_token';
      const form = { ...(params as object), [isRefresh ? 'refresh_token' : 'code']: code };
      const values = tokenEndpoint.request(isRefresh ? 'refresh' : 'token', form).then(
        ({ body }) => [
          stringProperty(body, 'access_token'),
          stringProperty(body, 'refresh_token'),
          { ...body },
        ],
        (error: unknown) => {
          if (!(error instanceof RefusedError)) throw error;
          // What passport-oauth2's errors have: the network's own status, and its error as JSON text.
          const { networkStatus, networkCode, networkMessage } = error;
          const data = JSON.stringify({ error: networkCode, error_description: networkMessage });
          throw Object.assign(error, { statusCode: networkStatus, data });
        },
      );
      toCallback(values, (error, found = []) => callback(error, ...found));
    },

    _request(
      method: string,
      url: string,
      headers: Record<string, string> | null,
      body: unknown,
      accessToken: string | null,
      callback: BaseCallback,
    ) {
      const authorization = accessToken === null ? {} : { authorization: `Bearer ${accessToken}` };
      const values = client.sendForBaseClient({
        step: 'profile',
        method,
        url,
        headers: { ...authorization, ...headers },
        ...(typeof body === 'string' && body !== '' && { body }),
        transaction: new Transaction(accessToken),
      });
      toCallback(values, (error, found = []) => callback(error, ...found));
    },
  };
  Object.assign(baseClient, replaced);
  hideSecrets(baseClient, ['_clientSecret', '_customHeaders']);
  inspectAs(baseClient, 'OAuth2', () => ({ clientID }));
}
